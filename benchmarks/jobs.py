"""What is measured: the jobs, each in fresh processes, and the budgets that their medians are held against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

# The median of each figure, by job and then by figure.
Medians = Mapping[str, Mapping[str, float]]

_LANGUAGES = {"en": "English", "de": "German", "ja": "Japanese", "zh": "Chinese"}
_WORD_SIZES = (500_000, 1_000_000, 2_000_000)

# 100 code points, so that little but the start of the process is measured.
_SENTENCES = "the cat sat on the mat and the rat sat on the hat " * 2
_READ = "open(__import__('sys').argv[1], encoding='utf-8').read()"
_OURS = "import pairloom; text = {read}; pairloom.train(text, len(text)).encode(text)"

# The same job as ours: words split at whitespace with the marker before each, code points, minimum frequency 2, no
# bound on the merges. Ties go to the smaller pair of IDs instead of the smaller strings.
_HUGGING_FACE = """
text = {read}
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
t = Tokenizer(models.BPE())
t.pre_tokenizer = pre_tokenizers.Sequence(
    [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
)
r = trainers.BpeTrainer(vocab_size=10**6, min_frequency=2, show_progress=False)
t.train_from_iterator([text], r)
t.encode(text)
"""

# The kernel's own report counts what the parent held when it started the process; this line asks for the new image's.
_PEAK = """
for line in open("/proc/self/status") if __import__("sys").platform == "linux" else ():
    if line[:5] == "VmHWM":
        print('{"peak_mb":', int(line.split()[1]) / 1024, "}")
"""


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement: Python's arguments, behind which the paths of `texts` are put, and what to say of it."""

    name: str
    what: str
    arguments: tuple[str, ...]
    figures: tuple[str, ...]
    texts: tuple[str, ...] = ()
    needs: str | None = None
    needs_browser: bool = False
    note: str = ""
    max_rounds: int = 1_000

    def is_possible(self) -> bool:
        """Say whether what the job needs is installed."""
        if self.needs is not None and find_spec(self.needs) is None:
            return False
        return not self.needs_browser or _browser() is not None


@dataclass(frozen=True, slots=True)
class Budget:
    """A promise: what is held against which limit. `value` is None where its job was not run."""

    what: str
    limit: float
    unit: str
    jobs: tuple[str, ...]
    value: Callable[[Medians], float]

    def of(self, medians: Medians) -> float | None:
        """Return the measured value, or None where a job that it needs was left out."""
        return self.value(medians) if all(job in medians for job in self.jobs) else None


def _browser() -> str | None:
    from tests.support.browser import executable  # needs Playwright, which the other jobs do without

    return executable()


def _program(name: str, *arguments: str) -> tuple[str, ...]:
    return ("-m", f"benchmarks.programs.{name}", *arguments)


def all_jobs() -> list[Job]:
    """Return every job in the order of the report."""
    train = [
        Job(
            name=f"train-{code}",
            what=f"all merges of 40,000 code points of {language}, and encoding them again",
            arguments=_program("train_all"),
            figures=("train_ms", "encode_ms", "merges"),
            texts=(code,),
        )
        for code, language in _LANGUAGES.items()
    ]
    past = [
        Job(
            name=f"history-{code}",
            what=f"history of the {language} text: made once; all words and the top pairs at a prefix",
            arguments=_program("history"),
            figures=("build_ms", "segment_ms", "top_pairs_ms", "top_pairs_worst_ms", "encode_anew_ms"),
            texts=(code,),
        )
        for code, language in _LANGUAGES.items()
    ]
    words = [
        Job(
            name=f"one-word-{size}",
            what=f"one word of {size:,} equal symbols, trained and encoded",
            arguments=_program("one_word", str(size)),
            figures=("train_ms", "encode_ms", "merges"),
            max_rounds=3,
        )
        for size in _WORD_SIZES
    ]
    return train + past + words + _pages() + _whole_processes()


def _pages() -> list[Job]:
    """Return the jobs of the workbench: what a step of the slider costs the server, and when it is seen."""
    figures = ("step_ms", "step_p95_ms", "step_worst_ms", "largest_bytes", "merges")
    what = "a step of the slider, with another page of the table and 4,000 code points encoded"
    texts = {"en": ("English", ("en",)), "zh": ("Chinese", ("zh",)), "emoji": ("emoji", ())}
    return [
        Job(
            name=f"page-{code}",
            what=f"{what}: {name}",
            arguments=_program("page"),
            figures=figures,
            texts=files,
            needs="starlette",
        )
        for code, (name, files) in texts.items()
    ] + [
        Job(
            name="page-browser",
            what="from the slider's event to the painted answer in Chromium, wall time: English",
            arguments=_program("page_browser"),
            figures=("painted_ms", "painted_p95_ms"),
            texts=("en",),
            needs="playwright",
            needs_browser=True,
            note="wall time",
        )
    ]


def _whole_processes() -> list[Job]:
    """Return the jobs in which the process itself is the figure: starting, importing and working."""
    start = [
        Job(name="bare-python", what="starting Python and nothing else", arguments=("-c", _PEAK), figures=()),
        Job(
            name="first-token",
            what="import, train on 100 code points, encode them",
            arguments=("-c", _OURS.format(read=repr(_SENTENCES)) + _PEAK),
            figures=(),
        ),
        Job(
            name="first-token-hugging-face",
            what="the same with Hugging Face tokenizers",
            arguments=("-c", _HUGGING_FACE.format(read=repr(_SENTENCES)) + _PEAK),
            figures=(),
            needs="tokenizers",
            note="same job, ties by ID",
        ),
    ]
    whole = [
        job
        for code, language in _LANGUAGES.items()
        for job in (
            Job(
                name=f"whole-{code}",
                what=f"import, all merges of the {language} text, encode it",
                arguments=("-c", _OURS.format(read=_READ) + _PEAK),
                figures=(),
                texts=(code,),
            ),
            Job(
                name=f"whole-{code}-hugging-face",
                what="the same with Hugging Face tokenizers",
                arguments=("-c", _HUGGING_FACE.format(read=_READ) + _PEAK),
                figures=(),
                texts=(code,),
                needs="tokenizers",
                note="same job, ties by ID",
            ),
        )
    ]
    return start + whole


def all_budgets() -> list[Budget]:
    """Return what has to hold, in the order of the report."""
    figures = [
        ("train-en", "train_ms", 60, "all merges of 40,000 code points of English"),
        ("train-zh", "train_ms", 250, "all merges of 40,000 code points of Chinese"),
        ("history-en", "segment_ms", 4, "all words at a prefix, English"),
        ("history-de", "segment_ms", 4, "all words at a prefix, German"),
        ("history-zh", "segment_ms", 11, "all words at a prefix, Chinese"),
        ("history-en", "top_pairs_worst_ms", 3, "top pairs at the worst of five prefixes, English"),
        ("history-zh", "top_pairs_worst_ms", 13, "top pairs at the worst of five prefixes, Chinese"),
        ("one-word-1000000", "train_ms", 10_000, "one word of 1,000,000 equal symbols, training"),
        ("one-word-1000000", "encode_ms", 10_000, "one word of 1,000,000 equal symbols, encoding"),
    ]
    budgets = [
        Budget(what=what, limit=limit, unit="ms", jobs=(job,), value=_figure(job, figure))
        for job, figure, limit, what in figures
    ]
    for code, name in (("en", "English"), ("zh", "Chinese"), ("emoji", "emoji")):
        job = f"page-{code}"
        budgets += [
            Budget(
                what=f"server's time for a step of the slider, 95 of 100, {name}",
                limit=20,
                unit="ms",
                jobs=(job,),
                value=_figure(job, "step_p95_ms"),
            ),
            Budget(
                what=f"bytes of the largest step, {name}",
                limit=30 * 1024,
                unit="bytes",
                jobs=(job,),
                value=_figure(job, "largest_bytes"),
            ),
        ]
    for small, large in ((500_000, 1_000_000), (1_000_000, 2_000_000)):
        jobs = (f"one-word-{small}", f"one-word-{large}")
        budgets += [
            Budget(
                what=f"{verb} one word: {large:,} over {small:,} symbols",
                limit=2.4,
                unit="times",
                jobs=jobs,
                value=_ratio(*jobs, figure=figure),
            )
            for verb, figure in (("training", "train_ms"), ("encoding", "encode_ms"))
        ]
    return budgets


def _figure(job: str, figure: str) -> Callable[[Medians], float]:
    return lambda medians: medians[job][figure]


def _ratio(small: str, large: str, *, figure: str) -> Callable[[Medians], float]:
    return lambda medians: medians[large][figure] / medians[small][figure]
