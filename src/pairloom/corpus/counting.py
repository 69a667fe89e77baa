"""One map: the texts of a unit → runs. Memory is bounded: a table that grows past its room becomes a run.

`Tally` is also what other engines count with: texts in, tables out, wherever they came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pairloom import kernel
from pairloom.corpus.errors import BadText
from pairloom.corpus.readers import Prose, Rows, blocks_of, objection_to, opened_parquet
from pairloom.corpus.runs import Run, write_run
from pairloom.corpus.settings import CountSettings
from pairloom.corpus.shards import Shard, Unit
from pairloom.corpus.storage import Folder
from pairloom.corpus.streams import expanded
from pairloom.corpus.versions import check_worker
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8, PairloomError
from pairloom.kernel.pure_columns import Columns

RUN_BYTES = 128 * 1024 * 1024
"""How much memory the words of a worker take before they become a run; about three times that while one is written."""

_SAMPLE_SCALE = 2**64
_CONTINUATION = bytes(range(0x80, 0xC0))
_ANY_EXPANSION = 2**40  # it was read up to there before


class Tally:
    """Counts blocks of texts, and gives tables away whenever the words take more than `room_bytes`."""

    def __init__(self, settings: CountSettings, *, room_bytes: int = RUN_BYTES) -> None:
        self._settings = settings
        self._room = room_bytes
        self._kept_below = int(settings.sample * _SAMPLE_SCALE)
        self._counter = self._new_counter()
        self._is_empty = True
        self.texts = 0
        self.skipped = 0

    def add(self, block: Prose | Rows, shard: Shard | None = None) -> Iterator[Columns]:
        """Count a block; yield a table where the room is used up. Raises: BadText, InvalidUtf8."""
        data = self._prose(block) if isinstance(block, Prose) else b"\n".join(self._rows(block, shard))
        try:
            self._counter.add_bytes(data)
        except (InvalidUtf8, ForbiddenCodePoint) as error:
            raise self._blamed(error, block, shard) from None
        self._is_empty = self._is_empty and not data
        if self._counter.held_bytes() > self._room:
            yield from self.rest()

    def rest(self) -> Iterator[Columns]:
        """Yield the table of what was counted since the last one, if there is anything."""
        if self._is_empty:
            return
        counts = self._counter.finish()
        self._counter = self._new_counter()
        self._is_empty = True
        columns = kernel.sorted_columns(counts, bare=is_bare(self._settings.pre_tokenizer))
        if len(columns[2]):
            yield columns

    def _new_counter(self) -> Any:
        return kernel.WordCounter(
            lowercase=self._settings.lowercase, punctuation=self._settings.pre_tokenizer == "punctuation"
        )

    def _prose(self, block: Prose) -> bytes:
        if not self._settings.by_line:
            return block.data
        is_skipping = self._settings.on_bad_text == "skip"
        if self._kept_below == _SAMPLE_SCALE and objection_to(block.data, "") is None:
            return block.data
        kept = []
        for line in _lines(block.data):
            if not self._is_drawn(line):
                continue
            if is_skipping and objection_to(line, "") is not None:
                self.skipped += 1
                continue
            kept.append(line)
        return b"".join(kept)

    def _rows(self, block: Rows, shard: Shard | None) -> list[bytes]:
        is_skipping = self._settings.on_bad_text == "skip"
        kept = []
        for row in block.rows:
            if isinstance(row, PairloomError):
                if not is_skipping:
                    # One before it may be refused as well, and the first one is named.
                    raise self._blamed(row, block, shard)
                self.skipped += 1
            elif self._is_drawn(row):
                kept.append(row)
        if is_skipping and objection_to(b"\n".join(kept), "") is not None:
            good = [row for row in kept if objection_to(row, "") is None]
            self.skipped += len(kept) - len(good)
            kept = good
        self.texts += len(kept)
        return kept

    def _is_drawn(self, text: bytes) -> bool:
        return self._kept_below == _SAMPLE_SCALE or kernel.word_hash(text.rstrip(b"\r\n")) < self._kept_below

    def _blamed(self, error: PairloomError, block: Prose | Rows, shard: Shard | None) -> PairloomError:
        """Return the error with the place in the corpus: which of the texts, or where in the file."""
        if isinstance(block, Rows):
            for number, row in enumerate(block.rows, start=block.first):
                found = objection_to(row, shard.name if shard else "<texts>") if isinstance(row, bytes) else row
                if found is not None:
                    return _bad_row(found, block, number, shard)
        assert isinstance(block, Prose), "a block of rows is refused for one of them"
        name = shard.name if shard else "<text>"
        if isinstance(error, InvalidUtf8):
            return InvalidUtf8(source=name, byte_offset=block.offset + error.byte_offset)
        assert isinstance(error, ForbiddenCodePoint)
        before = code_points_before(shard, block.offset) if shard else 0
        moved = ForbiddenCodePoint(kind=error.kind, position=before + error.position, code_point=error.code_point)
        return BadText(shard=name, where=None, error=moved)


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of a unit, as it is kept for resuming.

    Attributes:
        key: of the unit.
        runs: its tables.
        words: the sum of all counts.
        texts: rows that were counted; 0 for plain text.
        skipped: texts that were left out because they are refused.
        read_bytes: how much text was read, expanded.
        shards: the identities of its shards.
    """

    key: str
    runs: tuple[Run, ...]
    words: int
    texts: int
    skipped: int
    read_bytes: int
    shards: tuple[dict[str, object], ...] = field(default=())

    def as_json(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        return {
            "key": self.key,
            "words": self.words,
            "texts": self.texts,
            "skipped": self.skipped,
            "read_bytes": self.read_bytes,
            "runs": [run.as_json() for run in self.runs],
            "shards": list(self.shards),
        }

    @classmethod
    def of_json(cls, value: dict[str, Any]) -> Counted:
        """Return what `as_json` wrote."""
        runs = tuple(Run.of_json(run) for run in value["runs"])
        return cls(**(value | {"runs": runs, "shards": tuple(value["shards"])}))


@dataclass(frozen=True, slots=True)
class CountWork:
    """The work on one unit, as it travels to a worker."""

    unit: Unit
    settings: CountSettings
    folder: Folder
    expected: dict[str, str]
    room_bytes: int = RUN_BYTES


def count_unit(work: CountWork) -> Counted:
    """Count a unit, write its runs, and note that it is done.

    Raises:
        ShardError, BadText, InvalidUtf8, VersionsDiffer, WorkFolderError, OSError.

    Cost: linear; memory for `room_bytes` of words, the longest word and the longest row, whatever the unit holds.
    """
    check_worker(work.expected, work.folder)
    tally = Tally(work.settings, room_bytes=work.room_bytes)
    runs: list[Run] = []
    read = 0
    for shard in work.unit.shards:
        for block in blocks_of(
            shard,
            column=work.settings.column,
            by_line=work.settings.by_line,
            max_expansion=work.settings.max_expansion,
        ):
            read += block.read_bytes
            runs.extend(write_run(table, work.folder) for table in tally.add(block, shard))
    runs.extend(write_run(table, work.folder) for table in tally.rest())
    counted = Counted(
        key=work.unit.key,
        runs=tuple(runs),
        words=sum(run.total for run in runs),
        texts=tally.texts,
        skipped=tally.skipped,
        read_bytes=read,
        shards=tuple(shard.identity for shard in work.unit.shards),
    )
    work.folder.write_record(f"done/{counted.key}.json", counted.as_json())
    return counted


def is_bare(pre_tokenizer: str) -> bool:
    """Whether words stand in tables without markers: each has one then, so it says nothing."""
    return pre_tokenizer == "whitespace"


def code_points_before(shard: Shard, offset: int) -> int:
    """Return how many code points a file has before an offset. Read only for an error."""
    count = 0
    with expanded(shard.file, max_expansion=_ANY_EXPANSION) as stream:
        while offset > 0 and (data := stream.read(min(offset, 1 << 20))):
            count += len(data.translate(None, _CONTINUATION))
            offset -= len(data)
    return count


def rows_before(shard: Shard) -> int:
    """Return how many lines or rows a file has before one of its shards. Read only for an error."""
    count, left = 0, shard.start
    if shard.file.compression is not None or not left:
        return 0
    if shard.file.format == "parquet":
        with opened_parquet(shard, max_expansion=_ANY_EXPANSION) as file:
            return sum(file.metadata.row_group(group).num_rows for group in range(shard.start))
    with expanded(shard.file) as stream:
        while left > 0 and (data := stream.read(min(left, 1 << 20))):
            count += data.count(b"\n")
            left -= len(data)
        # A shard begins with the line that begins at or behind its start.
        stream.seek(shard.start - 1)
        return count if stream.read(1) == b"\n" else count + 1


def _bad_row(error: PairloomError, block: Rows, number: int, shard: Shard | None) -> BadText:
    name = shard.name if shard else "<texts>"
    before = rows_before(shard) if shard else 0
    return BadText(shard=name, where=f"{block.kind} {before + number}", error=error)


def _lines(data: bytes) -> Iterable[bytes]:
    """Return lines that end with a line feed alone, as everywhere in this project."""
    return [line + b"\n" for line in data.removesuffix(b"\n").split(b"\n")]
