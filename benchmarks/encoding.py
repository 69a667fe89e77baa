"""Encoding 20 MB of English with models of 32,000 merges, cold, beside the peers: jobs and what has to hold.

Same job: words split at whitespace with the marker in front, code points. Easier: on bytes nothing has to be checked or
decoded, nothing is unknown, and the alphabet fits a table. Each model is made once, from the very text, and kept beside
it.
"""

from __future__ import annotations

from benchmarks.jobs import Job
from benchmarks.scale import Target

TEXT = "en_20MB"
_WORD_SIZES = (500_000, 1_000_000, 2_000_000)
_BYTES = "easier: bytes"

# What: the library, and how its job differs.
_ARRAYS = {
    "gigatoken-bytes": ("gigatoken, byte-level", "gigatoken", _BYTES),
    "gigatoken": ("gigatoken, SentencePiece's model of characters", "gigatoken", "same job"),
    "tokie": ("tokie, byte-level", "tokie", _BYTES),
    "rustbpe": ("rustbpe", "rustbpe", "easier: bytes, GPT-4's pattern"),
    "tiktoken": ("tiktoken", "tiktoken", "easier: bytes, GPT-4's pattern"),
    "sentencepiece": ("SentencePiece, BPE, identity normalization", "sentencepiece", "same job"),
    "hugging-face": ("Hugging Face tokenizers", "tokenizers", "same job: our own model, exported"),
}


def all_jobs() -> list[Job]:
    """Return our jobs and the peers', in the order of the report."""
    ours = [
        Job(
            name=f"encode-{kind}",
            what=what,
            arguments=_program("encode_text", f"pairloom-{kind}"),
            figures=figures,
            texts=(TEXT,),
        )
        for kind, what, figures in (
            ("array", "20 MB of English in UTF-8 → IDs in an array", ("encode_ms", "wall_ms", "again_ms", "tokens")),
            ("array-2-threads", "the same with 2 threads", ("encode_ms", "wall_ms", "again_ms", "tokens")),
            ("str", "the same from a str", ("encode_ms", "wall_ms", "again_ms", "tokens")),
            ("offsets", "the same with offsets", ("encode_ms", "wall_ms", "again_ms", "tokens")),
            ("lists", "its lines as list[str] → list[list[int]]", ("encode_ms", "wall_ms", "again_ms", "tokens")),
            ("decode", "IDs in an array → text", ("encode_ms", "wall_ms", "again_ms", "tokens")),
            ("8-threads", "8 threads on one model, a share of the lines each", ("encode_ms", "wall_ms", "tokens")),
            ("8-in-turn", "the same shares one after the other", ("encode_ms", "wall_ms", "tokens")),
        )
    ]
    peers = [
        Job(
            name=f"encode-array-{peer}",
            what=f"20 MB of English → IDs with {name}",
            arguments=_program("encode_text", peer),
            figures=("encode_ms", "wall_ms", "tokens"),
            texts=(TEXT,),
            needs=module,
            note=note,
            max_rounds=3,
        )
        for peer, (name, module, note) in _ARRAYS.items()
    ]
    lists = Job(
        name="encode-lists-hugging-face",
        what="its lines as list[str] → list[list[int]] with Hugging Face tokenizers",
        arguments=_program("encode_text", "hugging-face-lists"),
        figures=("encode_ms", "wall_ms", "tokens"),
        texts=(TEXT,),
        needs="tokenizers",
        note="same job: our own model, exported",
        max_rounds=3,
    )
    words = [
        Job(
            name=f"encode-word-{size}",
            what=f"one word of {size:,} symbols, encoded with merges of its doublings",
            arguments=_program("encode_word", str(size)),
            figures=("encode_ms", "mixed_ms", "tokens"),
            max_rounds=3,
        )
        for size in _WORD_SIZES
    ]
    return [*ours, *peers, lists, *words]


def all_targets() -> list[Target]:
    """Return what has to hold, in the order of the report."""
    peers = [
        Target(
            f"20 MB of English, IDs in an array: as fast as {_ARRAYS[peer][0]} ({_ARRAYS[peer][2]})",
            "encode-array",
            f"encode-array-{peer}",
            "encode_ms",
            least,
            aim,
        )
        for peer, least, aim in (
            ("gigatoken-bytes", 1, 1.2),
            ("gigatoken", 2, 2.5),
            ("sentencepiece", 10, 15),
            ("hugging-face", 20, 30),
        )
    ]
    lists = Target(
        "its lines, list[str] → list[list[int]]: as fast as Hugging Face tokenizers",
        "encode-lists",
        "encode-lists-hugging-face",
        "encode_ms",
        8,
        20,
    )
    threads = Target(
        "8 threads on one model: wall time against one after the other",
        "encode-8-threads",
        "encode-8-in-turn",
        "wall_ms",
        1,
        1.6,
    )
    return [*peers, lists, threads]


def is_one(job: Job) -> bool:
    """Whether it is one of these jobs."""
    return job.name.startswith("encode-")


def _program(name: str, *arguments: str) -> tuple[str, ...]:
    return ("-m", f"benchmarks.programs.{name}", *arguments)
