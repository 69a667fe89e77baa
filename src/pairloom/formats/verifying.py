"""An exported file and the tool that it is for: which texts does that tool encode otherwise than the model?

Nothing is simulated: the tool's own library reads the file and encodes. So this needs the library.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pairloom.errors import ForbiddenCodePoint
from pairloom.formats.hugging_face import TOKENIZER_JSON, VOCAB_MERGES, Exported
from pairloom.formats.peers import PeerRefuses, peer
from pairloom.formats.subword_nmt import NAME as SUBWORD_NMT
from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize

Token = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The first token in which a text is encoded otherwise.

    Attributes:
        text: which text, from 0.
        place: which token, from 0; None where we refuse the text.
        ours, theirs: token and ID; None past the end. IDs are None for a tool that has none.
        reason: "unknown" (a code point without ID, E3), "refused" (we take no such text, N8) or "different".
    """

    text: int
    place: int | None
    ours: Token | None
    theirs: Token | None
    reason: str


def disagreements(model: Model, form: str, data: Mapping[str, bytes], texts: Iterable[str]) -> Iterator[Disagreement]:
    """Yield the first disagreement of each text that has one.

    Args:
        model: what was exported.
        form: the name of the format: that of a `tokenizer.json`, of `vocab.json` and `merges.txt`, or of codes.
        data: the exported files by name.
        texts: any.

    Raises:
        MissingPeer: the tool's library is not installed.
        PeerRefuses: it does not read the files.
    """
    theirs = _encoders()[form](model, data)
    unknown = Exported.of(model).vocabulary[Exported.of(model).unknown]
    for number, text in enumerate(texts):
        try:
            encoding = model.encode(text)
        except ForbiddenCodePoint as error:
            if error.kind == "surrogate":
                raise  # no tool takes such a text
            yield Disagreement(number, None, None, None, "refused")
            continue
        has_ids = form != SUBWORD_NMT
        ours: list[Token] = [
            (token, token_id if has_ids else None)
            for token, token_id in zip(encoding.tokens, encoding.ids, strict=True)
        ]
        found = _first(ours, theirs(text), unknown=unknown, has_ids=has_ids, number=number)
        if found is not None:
            yield found


def _first(ours: list[Token], theirs: list[Token], *, unknown: int, has_ids: bool, number: int) -> Disagreement | None:
    for place, (one, other) in enumerate(zip_longest(ours, theirs)):
        if one != other:
            is_unknown = has_ids and one is not None and one[1] is None and other is not None and other[1] == unknown
            return Disagreement(number, place, one, other, "unknown" if is_unknown else "different")
    return None


def _encoders() -> dict[str, Callable[[Model, Mapping[str, bytes]], Callable[[str], list[Token]]]]:
    return {TOKENIZER_JSON: _tokenizer_json, VOCAB_MERGES: _vocab_merges, SUBWORD_NMT: _subword_nmt}


def _tokenizer_json(model: Model, data: Mapping[str, bytes]) -> Callable[[str], list[Token]]:  # noqa: ARG001  # as its kind
    tokenizer = peer("tokenizers").Tokenizer.from_str(data[TOKENIZER_JSON].decode("ascii"))

    def encode(text: str) -> list[Token]:
        encoding = tokenizer.encode(text)
        return list(zip(encoding.tokens, encoding.ids, strict=True))

    return encode


def _vocab_merges(model: Model, data: Mapping[str, bytes]) -> Callable[[str], list[Token]]:
    models = peer("tokenizers").models
    with tempfile.TemporaryDirectory() as folder:
        for name, content in data.items():
            (Path(folder) / name).write_bytes(content)
        paths = [str(Path(folder) / name) for name in ("vocab.json", "merges.txt")]
        tokenizer = models.BPE.from_file(*paths, unk_token=Exported.of(model).unknown)

    def encode(text: str) -> list[Token]:
        tokens = [token for word in _pre_tokens(model, text) for token in tokenizer.tokenize(word)]
        return [(token.value, token.id) for token in tokens]

    return encode


def _subword_nmt(model: Model, data: Mapping[str, bytes]) -> Callable[[str], list[Token]]:
    if not model.merges:
        # It would end the process.
        raise PeerRefuses(name="subword_nmt", reason="it has no merges")
    codes: Any = StringIO(data[SUBWORD_NMT].decode("utf-8"))
    bpe = peer("subword_nmt.apply_bpe").BPE(codes, separator="")

    def encode(text: str) -> list[Token]:
        words = [bpe.segment_tokens([word]) for word in _pre_tokens(model, text)]
        return [(token, None) for tokens in words for token in tokens]

    return encode


def _pre_tokens(model: Model, text: str) -> list[str]:
    """Return what the formats without rules of splitting have to be given."""
    return pre_tokenize(normalize(text, model.lowercase), model.pre_tokenizer, marker=model.marker)
