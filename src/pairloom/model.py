"""The model: what training leaves behind, immutable, and everything that encoding and decoding need."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from pairloom import kernel
from pairloom.checks import MAX_THREADS, check_flag, check_within, is_iterable, whole_number
from pairloom.encoder import Encoding, encode_text
from pairloom.encoding_files import encode_blocks
from pairloom.errors import ModelError, NotText, PrefixError, SettingError, UnknownTokenId
from pairloom.fingerprint import fingerprint_in_portions
from pairloom.kernel import MergeTable
from pairloom.left_out import LeftOut
from pairloom.merges import Merge, as_pair
from pairloom.portions import in_one_go
from pairloom.pre_tokenizer import check_pre_tokenizer
from pairloom.token_ids import EncodedBatch, TokenIds, token_ids
from pairloom.values import dataclass, field
from pairloom.vocabulary import build_vocabulary, check_alphabet

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, BinaryIO


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """A trained or imported model. Made by `train`, `Trainer.model`, `Model.from_merges` or `load`, never by hand.

    Two models are equal if all their public attributes are. Safe to share between threads.

    Attributes:
        alphabet: the base alphabet, single code points in code-point order (T1).
        vocabulary: token strings; `vocabulary[id]` is the token with that ID (V1).
        merges: in rank order.
        lowercase, pre_tokenizer, marker: the settings of encoding (N7, P1–P3).
        min_frequency: the one of training; None if the model was not trained here.
        initial_tokens: corpus tokens at prefix 0; None as above.
        stop_reason: "merge_limit" or "no_pair" (T3); None as above, or if training was left before it ended.
    """

    alphabet: tuple[str, ...]
    vocabulary: tuple[str, ...]
    merges: tuple[Merge, ...]
    lowercase: bool
    pre_tokenizer: str
    marker: bool
    min_frequency: int | None
    initial_tokens: int | None
    stop_reason: str | None
    _left_out: LeftOut | None
    _ids: dict[str, int] = field(compare=False)
    _encoder: kernel.TextEncoder = field(compare=False)
    _cached_fingerprint: list[str] = field(default_factory=list, init=False, compare=False)

    @classmethod
    def from_merges(
        cls,
        alphabet: Iterable[str],
        merges: Iterable[tuple[str, str]],
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        marker: bool = True,
    ) -> Model:
        """Return the model of a merge list made elsewhere.

        Rules: V1, V2, T8 (pairs and results may repeat; a repeated pair has its own rank and never acts).

        Args:
            alphabet: single code points, each once, in any order; IDs follow code-point order.
            merges: pairs in rank order; each part in the alphabet or made by an earlier merge.
            marker: whether words carry the marker `▁`; if so it must be in the alphabet.

        Raises:
            ModelError, InvalidMerge (names the rank), SettingError.

        >>> Model.from_merges("abc", [("a", "b"), ("ab", "c")], marker=False).encode("abcab").tokens
        ('abc', 'ab')
        """
        check_flag("marker", marker)
        checked = check_alphabet(alphabet, marker=marker)
        if not is_iterable(merges):
            raise ModelError(reason=f"pairs of strings are needed, not {type(merges).__name__}", where="merges")
        return build_model(
            checked,
            [(*as_pair(merge, rank), None, None, None) for rank, merge in enumerate(merges)],
            lowercase=lowercase,
            pre_tokenizer=pre_tokenizer,
            marker=marker,
        )

    @property
    def is_trained(self) -> bool:
        """Whether the numbers of training are known; they are not for an imported model."""
        return self.initial_tokens is not None

    @property
    def left_out(self) -> LeftOut | None:
        """What the word counts of its training lacked on purpose; None if nothing is known to be missing."""
        return self._left_out

    @property
    def fingerprint(self) -> str:
        """SHA-256 in hexadecimal over everything that decides an encoding.

        That is the alphabet, the merge pairs, lowercase, pre-tokenizer, marker, the Unicode version and the version of
        the conventions: equal fingerprints mean equal encodings. Rule: T9.
        """
        return in_one_go(self.fingerprint_in_portions())

    def fingerprint_in_portions(self) -> Generator[None, None, str]:
        """Yield now and then; return the fingerprint, which is computed once."""
        if not self._cached_fingerprint:
            fingerprint = yield from fingerprint_in_portions(self)
            self._cached_fingerprint.append(fingerprint)
        return self._cached_fingerprint[0]

    def encode(self, text: str, prefix: int | None = None) -> Encoding:
        """Return the encoding of `text` with the first `prefix` merges, all of them if None.

        Rules: E1–E3, E5, E6, E8, V4, N7. The empty text is valid.

        Raises:
            NotText, ForbiddenCodePoint, PrefixError.

        Cost: linear in the text for words of bounded length, O(n log n) for one long word.
        """
        return encode_text(self, text, prefix=self.check_prefix(prefix))

    def encode_batch(
        self, texts: Iterable[str], prefix: int | None = None, *, offsets: bool = False, threads: int = 1
    ) -> EncodedBatch:
        """Return the encodings of several texts: a sequence, in order, each what `encode` gives for it; and as arrays.

        Rules: as for `encode`, and T9 (the result does not depend on `threads`).

        Args:
            texts: an iterable of `str`, read once.
            prefix: as for `encode`.
            offsets: whether the arrays have offsets (E8), too.
            threads: how many threads encode, from 1 to 256; of use for large texts with the compiled kernel only.

        Raises:
            NotText, ForbiddenCodePoint: `text_index` says which text.
            PrefixError, SettingError.

        Cost: as for `encode`; with the compiled kernel some 4 bytes a token, until an `Encoding` is asked for.

        >>> batch = Model.from_merges("abc", [("a", "b"), ("ab", "c")], marker=False).encode_batch(["abcab", "cab"])
        >>> batch.lists(), batch.token_ids.ids.tolist(), batch[1].tokens
        ([[4, 3], [2, 3]], [4, 3, 2, 3], ('c', 'ab'))
        """
        if isinstance(texts, str) or not is_iterable(texts):
            raise NotText(type_name=f"{type(texts).__name__} in place of a list of str")
        checked = self.check_prefix(prefix)
        settings = _checked_settings(offsets=offsets, threads=threads)
        given: tuple[Any, ...] = tuple(texts)
        # Errors come in the order of the texts: what is before the first one that is none decides first.
        odd = next((place for place, text in enumerate(given) if not isinstance(text, str)), len(given))
        arrays = self._encoder.encode_texts(given[:odd], prefix=checked, **settings)
        if odd < len(given):
            raise NotText(type_name=type(given[odd]).__name__, text_index=odd)
        return EncodedBatch(self, given, checked, token_ids(self, arrays))

    def encode_utf8(
        self,
        data: bytes | bytearray | memoryview,
        prefix: int | None = None,
        *,
        offsets: bool = False,
        threads: int = 1,
        name: str = "<bytes>",
    ) -> TokenIds:
        """Return the IDs of a text in strict UTF-8, in an array.

        Rules: as for `encode`.

        Args:
            data: a buffer, which is one text: bytes, a memory map, an array of numpy.
            prefix: as for `encode`.
            offsets: whether the arrays have offsets (E8), too: in code points, not in bytes.
            threads: as for `encode_batch`.
            name: what errors call it.

        Raises:
            InvalidUtf8: what is no UTF-8 is no text, so this error comes before all others.
            ForbiddenCodePoint, PrefixError, SettingError.
            TypeError: no buffer.
            BufferError: another thread wrote over an offence in the buffer before it could be named.

        Cost: as for `encode_batch`.

        >>> Model.from_merges("abc", [("a", "b"), ("ab", "c")], marker=False).encode_utf8(b"abcab").ids.tolist()
        [4, 3]
        """
        checked = self.check_prefix(prefix)
        settings = _checked_settings(offsets=offsets, threads=threads)
        return token_ids(self, self._encoder.encode_utf8(data, prefix=checked, source=name, **settings))

    def encode_file(
        self, file: BinaryIO, prefix: int | None = None, *, threads: int = 1, name: str = "<bytes>"
    ) -> Iterator[TokenIds]:
        """Yield the IDs of a file in strict UTF-8 block by block: all of it is one text, of any length.

        Rules: as for `encode`. Put together the blocks are what `encode_utf8` gives for the whole.

        Args:
            file: a binary file, read from where it stands to its end.
            prefix, threads, name: as for `encode_utf8`.

        Raises:
            InvalidUtf8, ForbiddenCodePoint: when reading has come to it; places are those in the whole text.
            PrefixError, SettingError.
            OSError: what reading raises.

        Cost: as for `encode`; memory for some megabytes of text a thread, and for the longest word.
        """
        checked = self.check_prefix(prefix)
        settings = _checked_settings(offsets=False, threads=threads)
        return encode_blocks(self, file, prefix=checked, name=name, threads=settings["threads"])

    def decode(self, ids: Iterable[int]) -> str:
        """Return the normalized text of a list of token IDs: not its original whitespace or capitals.

        Rules: D1, D2, P3.

        Args:
            ids: anything that gives IDs one by one; arrays of them (`TokenIds`, whatever takes a buffer) are quick.

        Raises:
            UnknownTokenId: something that is no ID of the vocabulary, None and bools included, with its position.
            SettingError: no list of IDs at all.
        """
        given: object = ids
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise SettingError(setting="ids", value=ids, allowed="a list of token IDs")
        if isinstance(given, TokenIds) and not given.unknown_count:
            return self._encoder.decode(given.ids)
        return self._encoder.decode(given)

    def decode_batch(self, ids: Iterable[Iterable[int]]) -> list[str]:
        """Return the normalized text of each of several lists of token IDs. Raises: as `decode`."""
        return [self.decode(each) for each in ids]

    def decode_blocks(self, blocks: Iterable[Sequence[int]]) -> Iterator[str]:
        """Yield the normalized text of IDs that come block by block, a piece for each: all of them are one text.

        Rules: D1, D2. `"".join` of it is what `decode` gives for all IDs in one list.

        Raises:
            UnknownTokenId: `position` counts from the first block.
        """
        before = 0
        is_start = True
        for block in blocks:
            try:
                text = self._encoder.decode(block, is_start=is_start)
            except UnknownTokenId as error:
                raise UnknownTokenId(
                    token_id=error.token_id, position=before + error.position, vocabulary_size=error.vocabulary_size
                ) from None
            before += len(block)
            is_start = before == 0
            yield text

    def token_id(self, token: str) -> int | None:
        """Return the ID of a token string, or None if the vocabulary does not have it. Rule: E3."""
        return self._ids.get(token)

    def check_prefix(self, prefix: object) -> int:
        """Return the number of active merges that `prefix` means: all for None. Rule: V4.

        Raises:
            PrefixError: no whole number from 0 to the number of merges; bools are none.
        """
        maximum = len(self.merges)
        if prefix is None:
            return maximum
        count = whole_number(prefix)
        if count is None or not 0 <= count <= maximum:
            raise PrefixError(value=prefix, maximum=maximum)
        return count

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, all of it or nothing. Raises: OSError."""
        from pairloom.formats.model_file import save  # the core does no I/O: the format is loaded when asked for

        save(self, path)

    @property
    def merge_table(self) -> MergeTable:
        """The merge list as the kernel uses it; for `history` and the views."""
        return self._encoder.table

    @property
    def text_encoder(self) -> kernel.TextEncoder:
        """The model as the kernel uses it; for `encoder` and `token_ids`."""
        return self._encoder

    def __repr__(self) -> str:
        return (
            f"<Model: {len(self.merges)} merges, vocabulary of {len(self.vocabulary)}, lowercase={self.lowercase}, "
            f"pre_tokenizer={self.pre_tokenizer!r}, marker={self.marker}>"
        )

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002  # the protocol's
        from pairloom.notebook.displays import model_bundle  # loaded when a notebook asks

        return model_bundle(self)

    def __hash__(self) -> int:
        return hash(self.fingerprint)


def build_model(
    alphabet: tuple[str, ...],
    merges: Iterable[tuple[str, str, int | None, int | None, int | None]],
    *,
    lowercase: bool,
    pre_tokenizer: str,
    marker: bool,
    min_frequency: int | None = None,
    initial_tokens: int | None = None,
    stop_reason: str | None = None,
    left_out: LeftOut | None = None,
) -> Model:
    """Return the model of a checked alphabet and rows (left, right, frequency, replacements, corpus tokens).

    For this package's own makers of models: what training measured is taken as it is; pairs are checked.

    Raises:
        InvalidMerge, SettingError.
    """
    check_flag("lowercase", lowercase)
    check_flag("marker", marker)
    check_pre_tokenizer(pre_tokenizer)
    rows = list(merges)
    vocabulary = build_vocabulary(alphabet, [(row[0], row[1]) for row in rows])
    learned: list[Merge] = []
    next_id = len(alphabet)
    for rank, (row, (left, right, result), token_id) in enumerate(
        zip(rows, vocabulary.merges, vocabulary.result_ids, strict=True)
    ):
        is_new = token_id == next_id
        next_id += is_new
        learned.append(Merge(rank, left, right, result, row[2], row[3], row[4], token_id, is_new))
    return assembled(
        alphabet,
        vocabulary.tokens,
        tuple(learned),
        rows=vocabulary.merges,
        ids=vocabulary.ids,
        lowercase=lowercase,
        pre_tokenizer=pre_tokenizer,
        marker=marker,
        min_frequency=min_frequency,
        initial_tokens=initial_tokens,
        stop_reason=stop_reason,
        left_out=left_out,
    )


def assembled(
    alphabet: tuple[str, ...],
    vocabulary: tuple[str, ...],
    merges: tuple[Merge, ...],
    *,
    rows: Iterable[Any],
    ids: dict[str, int],
    left_out: LeftOut | None,
    **settings: Any,
) -> Model:
    """Return the model of parts that fit together; `rows` go to `MergeTable`, `settings` are the other attributes."""
    encoder = kernel.TextEncoder(
        MergeTable(rows),
        alphabet=alphabet,
        vocabulary=vocabulary,
        ids=ids,
        lowercase=settings["lowercase"],
        punctuation=settings["pre_tokenizer"] == "punctuation",
        marker=settings["marker"],
    )
    return Model(alphabet, vocabulary, merges, **settings, _left_out=left_out, _ids=ids, _encoder=encoder)


def _checked_settings(*, offsets: bool, threads: int) -> dict[str, Any]:
    check_flag("offsets", offsets)
    return {"offsets": offsets, "threads": check_within("threads", threads, minimum=1, maximum=MAX_THREADS)}
