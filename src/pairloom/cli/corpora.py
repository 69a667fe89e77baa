"""Corpora on the command line: the options that counting and training share, and when they are one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from pairloom.checks import MAX_COUNT
from pairloom.cli import options
from pairloom.cli.messages import write_line
from pairloom.cli.progress import Progress

if TYPE_CHECKING:
    from pairloom.corpus.job import Progress as Done
    from pairloom.corpus.manifest import Manifest
    from pairloom.corpus.storage import Folder

_SUFFIXES = (".gz", ".zst", ".jsonl", ".ndjson", ".parquet")
_DEFAULTS: Mapping[str, Any] = {
    "workers": None,
    "ray": None,
    "work_dir": None,
    "resume": False,
    "column": None,
    "form_of_input": None,
    "on_bad_text": None,
    "min_word_count": None,
    "sample": None,
    "max_expansion": None,
}


class Part(click.ParamType[float]):
    """A part of the whole: a decimal number above 0, up to 1."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with what would be one."""
        try:
            part = float(value)
        except ValueError:
            part = 0.0
        if not 0 < part <= 1:
            self.fail(f"{value!r} is no number above 0, up to 1", param, ctx)
        return part


def engine_options(*, work_dir: bool) -> options.Decorator:
    """Return what says who works, and where what is in between is kept if that is not where the result goes."""
    where = "what --work-dir holds" if work_dir else "what the folder of -o holds"
    folder = click.option(
        "--work-dir",
        metavar="FOLDER",
        help="Keep what is in between in FOLDER, an address that all workers reach, so that --resume can go on.",
    )

    def add(function: options.Function) -> options.Function:
        for decorator in (
            click.option("--resume", is_flag=True, help=f"Go on with {where}; what is finished stays."),
            *([folder] if work_dir else []),
            click.option(
                "--ray",
                metavar="ADDRESS",
                help="Work on the Ray cluster at ADDRESS; auto finds it; local starts one here, which opens ports.",
            ),
            click.option(
                "--workers",
                type=options.WholeNumber(1, 4096),
                metavar="N",
                help="Work in N processes of this machine; with --ray, in at most N tasks at a time.",
            ),
        ):
            function = decorator(function)
        return function

    return add


def input_options(function: options.Function) -> options.Function:
    """Add what says how files are read."""
    for decorator in (
        click.option(
            "--max-expansion",
            type=options.WholeNumber(1, MAX_COUNT),
            metavar="N",
            help="Refuse a compressed file that expands to more than N times its size. Default: 200.",
        ),
        click.option(
            "--format",
            "form_of_input",
            type=click.Choice(["text", "jsonl", "parquet"]),
            help="Take all FILES as this; else their names say it: .jsonl, .parquet, before a .gz or .zst.",
        ),
        click.option("--column", metavar="NAME", help="The field or column that holds the texts. Default: text."),
    ):
        function = decorator(function)
    return function


def corpus_options(function: options.Function) -> options.Function:
    """Add all options that make FILES a corpus."""
    for decorator in (
        click.option(
            "--sample",
            type=Part(),
            metavar="PART",
            help="Count this part of the texts, such as 0.1, drawn by their content. Not exact.",
        ),
        click.option(
            "--min-word-count",
            type=options.WholeNumber(1, MAX_COUNT),
            metavar="N",
            help="Leave words out that occur less than N times. Not exact.",
        ),
        click.option(
            "--on-bad-text",
            type=click.Choice(["raise", "skip"]),
            help="A row or line that cannot be taken: raise (the default) stops, skip leaves it out and counts it.",
        ),
        input_options,
        engine_options(work_dir=True),
    ):
        function = decorator(function)
    return function


@dataclass(frozen=True, slots=True)
class CorpusRequest:
    """The files and options of a corpus, as they were given; None and False where they were not."""

    files: tuple[str, ...]
    given: Mapping[str, Any]

    @classmethod
    def taken_from(cls, files: tuple[str, ...], arguments: dict[str, Any]) -> CorpusRequest:
        """Take the options of `corpus_options` out of a command's arguments."""
        return cls(files, {name: arguments.pop(name) for name in _DEFAULTS})

    @property
    def is_one(self) -> bool:
        """Whether FILES are a corpus, rather than texts that this process reads itself, one after the other."""
        return self.has_options or any(map(_is_of_a_corpus, self.files))

    @property
    def has_options(self) -> bool:
        """Whether one of the options was given."""
        return any(self.given[name] != value for name, value in _DEFAULTS.items())

    def check(self, *, lines: bool, threads: int) -> None:
        """Refuse options that do not go together."""
        if lines:
            raise click.UsageError(
                "--lines is for plain text that this process reads itself; here each line counts alike"
            )
        if threads > 1:
            raise click.UsageError("--threads and a corpus exclude each other: take --workers N")
        if self.given["resume"] and self.given["work_dir"] is None:
            raise click.UsageError("--resume needs the --work-dir that there is something in")
        if not self.files or "-" in self.files:
            raise click.UsageError("a corpus is read from files, not from standard input: name them")

    @contextmanager
    def counted(self, line: Progress, *, lowercase: bool, pre_tokenizer: str) -> Iterator[tuple[Manifest, Folder]]:
        """Count the corpus; give the manifest, and the folder in which the table is as long as the block lasts."""
        from pairloom.corpus.job import counted_corpus

        named: dict[str, Any] = {
            "column": "text",
            "on_bad_text": "raise",
            "min_word_count": 1,
            "sample": 1.0,
            "max_expansion": 200,
        }
        settings: dict[str, Any] = {
            name: default if self.given[name] is None else self.given[name] for name, default in named.items()
        }
        with (
            engine_of(self.given["ray"], self.given["workers"]) as engine,
            counted_corpus(
                self.files,
                format=self.given["form_of_input"],
                lowercase=lowercase,
                pre_tokenizer=pre_tokenizer,
                work_dir=self.given["work_dir"],
                resume=self.given["resume"],
                on_progress=reporting(line),
                **engine,
                **settings,
            ) as (manifest, folder),
        ):
            yield manifest, folder


@contextmanager
def engine_of(address: str | None, workers: int | None) -> Iterator[dict[str, Any]]:
    """Give `engine` and `workers` as the library takes them; a Ray is joined for the block."""
    if address is None:
        yield {"engine": None, "workers": workers or 1}
        return
    from pairloom.corpus.ray_session import LOCAL, WHAT_LOCAL_OPENS, joined_ray

    with ExitStack() as stack:
        if address == LOCAL:
            write_line(WHAT_LOCAL_OPENS)
        stack.enter_context(joined_ray(address, workers=workers))
        yield {"engine": "ray", "workers": workers or 1}


def reporting(line: Progress, *, clock: Callable[[], float] = time.monotonic) -> Callable[[Done], None]:
    """Return what shows progress in a line, with an estimate of the time that is left."""
    started: dict[str, tuple[float, int]] = {}

    def report(progress: Done) -> None:
        now = clock()
        began, first = started.setdefault(progress.stage, (now, progress.done))
        unit = "parts" if progress.stage == "merging" else "bytes"
        done, total = (
            f"{number:,}" if unit == "parts" else _bytes(number) for number in (progress.done, progress.total)
        )
        left = ""
        if progress.done > first and now > began:
            seconds = (now - began) / (progress.done - first) * (progress.total - progress.done)
            left = f", about {_duration(seconds)} left"
        what = {"counting": "counting words", "merging": "adding tables up", "encoding": "encoding"}[progress.stage]
        line.status = f"{what}: {done} of {total}{'' if unit == 'bytes' else ' parts'}{left}"

    return report


def tell_memory(manifest: Manifest, line: Progress) -> None:
    """Say what merging will need, and refuse it where there is less. Raises: NotEnoughMemory."""
    from pairloom.corpus.memory import available_memory, check_memory

    available = available_memory()
    needed = check_memory(manifest.distinct_words, manifest.text_bytes, available=available)
    there = "" if available is None else f"; {_bytes(available)} are there"
    line.say(f"{manifest.distinct_words:,} distinct words; merging needs about {_bytes(needed)} of memory{there}")


def tell_what_was_left_out(manifest: Manifest, line: Progress) -> None:
    """Say on standard error what is not in the table, if anything."""
    if manifest.skipped_texts:
        line.say(f"{manifest.skipped_texts:,} texts that cannot be taken were left out (--on-bad-text skip)")
    if manifest.dropped_words:
        words = f"{manifest.dropped_distinct_words:,} distinct words, {manifest.dropped_words:,} in all"
        line.say(f"{words}, were left out (--min-word-count); the result is not exact")
    if manifest.settings["sample"] != 1:
        line.say(f"a sample of {manifest.settings['sample']:g} was counted (--sample); the result is not exact")


def named_files(given: dict[str, Any]) -> list[str]:
    """Return the files of this machine that patterns and addresses among FILES mean."""
    meant = [path for path in given["files"] if _is_pattern(path) or "://" in path]
    if not meant:
        return []
    from pairloom.corpus.inputs import local_files

    return [name for path in meant for name in local_files(path)]


def _is_pattern(path: str) -> bool:
    from pathlib import Path

    return any(sign in path for sign in "*?[") and not Path(path).exists()


def _is_of_a_corpus(path: str) -> bool:
    return _is_pattern(path) or "://" in path or path.lower().endswith(_SUFFIXES)


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
