"""Training at scale, beside the peers: 32,000 merges on 10 and 100 MB, one thread, and what has to hold.

Peers do not all do the same job; each note says which. Same job: words split at whitespace with the marker in front,
code points, minimum frequency 2. Easier: bytes, so the alphabet is known, pairs fit a table and nothing is decoded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.jobs import Job, Medians
from benchmarks.processes import ProgramError

MERGES = 32_000
FINGERPRINTS = Path(__file__).with_name("corpora") / "FINGERPRINTS"

_CORPORA = {
    "en_10MB": "10 MB of English",
    "en_100MB": "100 MB of English",
    "de_10MB": "10 MB of German",
    "zh_cjk": "8.6 MB of Chinese",
    "ja_cjk": "10 MB of Japanese",
}
_SAME = "same job, ties by ID"
_PEERS = {
    "gigabpe-bytes": ("gigabpe, byte-level", "gigabpe", "easier: bytes"),
    "gigabpe-marked": (
        "gigabpe, whitespace, on a file with the marker written in",
        "gigabpe",
        "same job, and its file was prepared",
    ),
    "rustbpe": ("rustbpe", "rustbpe", "easier: bytes, GPT-4's pattern"),
    "sentencepiece": ("SentencePiece, BPE, identity normalization", "sentencepiece", "same job, other ties"),
    "youtokentome": ("YouTokenToMe", "youtokentome", "same job, other ties"),
    "hugging-face": ("Hugging Face tokenizers", "tokenizers", _SAME),
}
_LEFT_OUT = {("en_100MB", "sentencepiece"), ("zh_cjk", "rustbpe"), ("ja_cjk", "rustbpe"), ("zh_cjk", "gigabpe-marked")}
_LEFT_OUT |= {("ja_cjk", "gigabpe-marked")}


@dataclass(frozen=True, slots=True)
class Target:
    """How many times as fast as something else a job has to be; `aim` is what we would like."""

    what: str
    job: str
    other: str
    figure: str
    least: float
    aim: float

    def ratio(self, medians: Medians) -> float | None:
        """Return the other's median over ours, or None where one was not measured."""
        if self.job not in medians or self.other not in medians:
            return None
        return medians[self.other][self.figure] / medians[self.job][self.figure]


def is_one(job: Job) -> bool:
    """Say whether a job is one at scale: it needs a large corpus, and is reported apart."""
    return job.name.startswith("scale-")


def all_jobs() -> list[Job]:
    """Return our job and the peers' for each corpus, in the order of the report."""
    jobs: list[Job] = []
    for corpus, what in _CORPORA.items():
        jobs += [
            Job(
                name=f"scale-{corpus}" + (f"-{threads}-threads" if threads > 1 else ""),
                what=f"{MERGES:,} merges of {what}" + (f", {threads} threads" if threads > 1 else ""),
                arguments=("-m", "benchmarks.programs.train_file", str(MERGES), str(threads)),
                figures=("wall_ms", "count_ms", "merge_ms", "model_ms", "words"),
                texts=(corpus,),
            )
            for threads in ((1, 2) if corpus == "en_100MB" else (1,))
        ]
        jobs += [
            Job(
                name=f"scale-{corpus}-{peer}",
                what=f"the same with {name}",
                arguments=("-m", "benchmarks.programs.train_peer", peer, str(MERGES)),
                figures=("wall_ms",),
                texts=(corpus,),
                needs=module,
                note=note,
                max_rounds=3,
            )
            for peer, (name, module, note) in _PEERS.items()
            if (corpus, peer) not in _LEFT_OUT
        ]
    return jobs


def all_targets() -> list[Target]:
    """Return what has to hold, in the order of the report."""
    wanted = [
        ("en_100MB", "gigabpe-bytes", 1.5, 2.2),
        ("en_100MB", "gigabpe-marked", 4, 8),
        ("en_100MB", "hugging-face", 20, 30),
        ("en_10MB", "gigabpe-bytes", 1.5, 2),
        ("en_10MB", "sentencepiece", 5, 7),
        ("en_10MB", "hugging-face", 12, 15),
        ("zh_cjk", "sentencepiece", 4, 6),
        ("ja_cjk", "sentencepiece", 4, 6),
    ]
    cpu = [
        Target(
            f"{_CORPORA[corpus]}: as fast as {_PEERS[peer][0]} ({_PEERS[peer][2]})",
            f"scale-{corpus}",
            f"scale-{corpus}-{peer}",
            "process_ms",
            least,
            aim,
        )
        for corpus, peer, least, aim in wanted
    ]
    two = Target(
        "100 MB of English: wall time of two threads against one",
        "scale-en_100MB-2-threads",
        "scale-en_100MB",
        "wall_ms",
        1 / 0.8,
        1 / 0.65,
    )
    return [*cpu, two]


def fingerprints() -> dict[str, int]:
    """Return the first 48 bits of the fingerprint of each corpus's model, as the pure kernel makes it."""
    lines = (line.split() for line in FINGERPRINTS.read_text(encoding="ascii").splitlines() if line)
    return {corpus: int(fingerprint[:12], 16) for fingerprint, corpus in lines}


def check_result(job: Job, run: Mapping[str, float]) -> None:
    """Raise ProgramError where a run of ours did not make the model that the pure kernel makes."""
    if "fingerprint" not in run:
        return
    wanted = fingerprints()[job.texts[0]]
    if run["fingerprint"] != wanted:
        raise ProgramError(f"{job.name}: the model is {run['fingerprint']:x}…, the pure kernel's is {wanted:x}…")


def markdown(medians: Medians, targets: Sequence[Target]) -> str:
    """Return the targets as a table; empty where none was measured."""
    rows = []
    for target in targets:
        ratio = target.ratio(medians)
        if ratio is not None:
            verdict = "not reached" if ratio < target.least else "reached" if ratio < target.aim else "aim reached"
            rows.append(f"| {target.what} | × {target.least:.2f} | × {target.aim:.2f} | × {ratio:.2f} | {verdict} |")
    if not rows:
        return ""
    return "\n".join(["| target | at least | aim | measured | verdict |", "| --- | --: | --: | --: | --- |", *rows])
