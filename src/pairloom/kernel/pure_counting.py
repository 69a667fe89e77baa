"""Counting words in plain Python: texts are normalized and pre-tokenized whole, and counted by a `Counter`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from pairloom.errors import InvalidUtf8, WorkUnfinished
from pairloom.normalizer import check_forbidden, fold_whitespace, lower
from pairloom.pre_tokenizer import pre_tokenize

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

    Buffer = bytes | bytearray | memoryview

# A short string, its count, and their place in a dictionary, on average.
_BYTES_A_WORD = 160


class WordCounter:
    """Counts the words of texts, each on its own, and gives them as a read-only mapping.

    After an error nothing more is counted, and there is no result. Words are counted by one thread, whatever `threads`
    says, and texts are read whole, whatever `block_bytes` says.
    """

    def __init__(
        self,
        *,
        lowercase: bool,
        punctuation: bool,
        threads: int = 1,  # noqa: ARG002  # the compiled one's
        block_bytes: int = 0,  # noqa: ARG002  # likewise
    ) -> None:
        self._lowercase = lowercase
        self._pre_tokenizer = "punctuation" if punctuation else "whitespace"
        self._counts: Counter[str] = Counter()
        self._is_open = True

    def add_text(self, text: str, text_index: int | None = None) -> None:
        """Count the words of one text. Raises: ForbiddenCodePoint, WorkUnfinished."""
        self._begin()
        self._count(text, text_index)
        self._is_open = True

    def add_bytes(self, data: Buffer, source: str = "", *, by_line: bool = False) -> None:
        """Count the words of UTF-8 in a buffer as one text, or each line as one.

        Raises:
            InvalidUtf8: with the offset in the buffer.
            ForbiddenCodePoint: its `text_index` is the number of the line, from 0; None if it is one text.
            WorkUnfinished: an error came before.
        """
        self._begin()
        whole = bytes(data)
        # A line feed behind the last line as behind all others: whitespace at the end of a text changes nothing.
        lines = [line + b"\n" for line in whole.split(b"\n")] if by_line else [whole]
        self._count_lines(lines, source, by_line=by_line)
        self._is_open = True

    def add_file(self, file: BinaryIO, source: str = "", *, by_line: bool = False) -> None:
        """Count the words of a binary file from where it stands; otherwise like `add_bytes`."""
        self._begin()
        self._count_lines(file if by_line else [file.read()], source, by_line=by_line)
        self._is_open = True

    def finish(self) -> Mapping[str, int]:
        """Return all words counted; the counter is closed."""
        self._begin()
        return MappingProxyType(dict(self._counts))

    def held_bytes(self) -> int:
        """Return about how much memory the words take that were counted so far, in bytes."""
        return len(self._counts) * _BYTES_A_WORD

    def _begin(self) -> None:
        if not self._is_open:
            raise WorkUnfinished(work="counting", reason="interrupted")
        self._is_open = False

    def _count_lines(self, lines: Iterable[bytes], source: str, *, by_line: bool) -> None:
        offset = 0
        for number, line in enumerate(lines):
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InvalidUtf8(source=source, byte_offset=offset + error.start) from None
            self._count(text, number if by_line else None)
            offset += len(line)

    def _count(self, text: str, text_index: int | None) -> None:
        check_forbidden(text, text_index=text_index)
        normalized = fold_whitespace(lower(text) if self._lowercase else text)
        self._counts.update(pre_tokenize(normalized, self._pre_tokenizer))
