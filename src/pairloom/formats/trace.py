"""The trace of a training: every round in a JSON file, to be replayed from the file alone.

`docs/trace-file.md` describes it. From a training (`trace_portions`) it holds the words with their counts, which are
the corpus as far as training sees it, and says of each round what it was chosen from: the file is enough to train again
and to compare each round. From a model (`dumps`) it holds the rounds alone, which rebuild every state of a word.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from pairloom.errors import ModelError, PairloomError
from pairloom.fingerprint import CONVENTIONS
from pairloom.formats.findings import Findings, Imported, ReadingStoppedError, in_order_of_lines
from pairloom.formats.json_findings import JsonReading
from pairloom.formats.model_file import model_of_fields
from pairloom.history import History
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.trainer import train_from_word_counts
from pairloom.unicode_data import UNICODE_VERSION
from pairloom.word_counts import WordCounts

NAME: Final = "trace.json"
FORMAT: Final = "pairloom-trace"
VERSION: Final = 1
MEDIA_TYPE: Final = "application/json"

_SETTINGS: Final = ("lowercase", "pre_tokenizer", "marker", "min_frequency", "initial_tokens", "stop_reason")
_MERGE: Final = tuple(field.name for field in fields(Merge))
# What only the words can say of a round.
_OF_THE_WORDS: Final = ("pairs", "tied")
# Rounds, or words, that are written in one go.
_ROWS = 50


@dataclass(frozen=True, slots=True)
class Round(Merge):
    """One round of a training: its merge (T6), and what it was chosen from.

    Attributes:
        pairs: distinct pairs that stood in the corpus before it.
        tied: how many of them had this frequency; more than 1 means that the order of strings decided (T4).
    """

    pairs: int
    tied: int


def rounds(history: History) -> Iterator[Round]:
    """Yield every round of a training, in order.

    Cost: linear in the changes of pair frequencies over the whole training; nothing is counted anew.

    >>> from pairloom.trainer import train
    >>> from pairloom.word_counts import count_words
    >>> text = "low low lower newest newest widest"
    >>> for each in list(rounds(History.of(count_words(text), train(text))))[:2]:
    ...     print(each.left, each.right, each.frequency, each.pairs, each.tied)
    e s 3 14 6
    es t 3 14 4
    """
    counts = history.pair_counts(0)
    # How many pairs have each frequency.
    having = Counter(counts.values())
    for merge in history.model.merges:
        frequency = counts.get((merge.left, merge.right), 0)
        yield Round(**asdict(merge), pairs=len(counts), tied=having[frequency] if frequency else 0)
        for pair, difference in history.changes(merge.rank).items():
            before = counts.get(pair, 0)
            after = before + difference
            if before:
                having[before] -= 1
            if after:
                having[after] += 1
                counts[pair] = after
            else:
                counts.pop(pair, None)


def trace_portions(history: History) -> Iterator[bytes]:
    """Yield the bytes of a training's trace in portions, words and all: printable ASCII, one round a line."""
    yield _head(history.model)
    yield from _list("words", ([word, count] for word, count in sorted(history.word_counts.counts.items())))
    yield b",\n"
    yield from _list("rounds", map(asdict, rounds(history)))
    yield b"\n}\n"


def dumps(model: Model) -> bytes:
    """Return the trace of a model, whose words nobody knows any more: the rounds alone. Rules: T6, V2."""
    return b"".join([_head(model), *_list("rounds", map(asdict, model.merges)), b"\n}\n"])


def loads(data: bytes) -> Imported:
    """Return what a trace says: the model, with the numbers of its training, if all of it agrees with each other.

    Cost: with words in the file, that of training on them; without, linear.
    """
    findings = Findings()
    model, found = None, None
    try:
        reading = JsonReading(data, findings)
        try:
            model = _traced(reading, findings)
        finally:
            found = reading.with_lines()
    except ReadingStoppedError:
        pass
    return Imported(NAME, in_order_of_lines(found or findings.found), model)


def _head(model: Model) -> bytes:
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "conventions": CONVENTIONS}
    head |= {"unicode_version": UNICODE_VERSION} | {name: getattr(model, name) for name in _SETTINGS}
    head |= {"fingerprint": model.fingerprint, "alphabet": list(model.alphabet)}
    return ("{\n" + "".join([f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()])).encode()


def _list(name: str, entries: Iterable[object]) -> Iterator[bytes]:
    """Yield one key of the file whose value is a list with one entry a line."""
    encode = json.JSONEncoder().encode
    separator = f"  {json.dumps(name)}: [\n    "
    portion: list[str] = []
    for entry in entries:
        portion += (separator, encode(entry))
        separator = ",\n    "
        if len(portion) >= 2 * _ROWS:
            yield "".join(portion).encode("ascii")
            portion = []
    yield "".join(portion).encode("ascii")
    yield b"\n  ]" if separator.startswith(",") else f"  {json.dumps(name)}: []".encode("ascii")


def _traced(reading: JsonReading, findings: Findings) -> Model:
    document = reading.object_at()
    if document.get("format") != FORMAT:
        raise findings.stop("shape", f'no trace: the file has no "format": "{FORMAT}"')
    expected = {"version": VERSION, "conventions": CONVENTIONS, "unicode_version": UNICODE_VERSION}
    for key, value in expected.items():
        if document.get(key) != value:
            raise findings.stop("version", f"{key} {document.get(key)!a}: {value} is known", where=reading.at(key))
    listed = _listed_rounds(document, reading, findings)
    model = _model(document, listed, reading, findings)
    _compare(listed, model.merges, reading, findings)
    if document.get("fingerprint") != model.fingerprint:
        raise findings.stop("numbers", "the fingerprint is not that of the rounds", where=reading.at("fingerprint"))
    if "words" in document:
        _replay(document["words"], listed, model, reading, findings)
    return model


def _listed_rounds(document: dict[str, Any], reading: JsonReading, findings: Findings) -> list[dict[str, Any]]:
    listed = document.get("rounds")
    if not isinstance(listed, list):
        raise findings.stop("shape", "a list of rounds is needed here", where=reading.at("rounds"))
    names = (*_MERGE, *_OF_THE_WORDS) if "words" in document else _MERGE
    for rank, each in enumerate(listed):
        if not isinstance(each, dict) or each.keys() != set(names):
            what = "with words" if "words" in document else "without words"
            message = f"a round of a trace {what} has {', '.join(names)}"
            raise findings.stop("shape", message, where=reading.at("rounds", rank))
    return listed


def _model(document: dict[str, Any], listed: list[dict[str, Any]], reading: JsonReading, findings: Findings) -> Model:
    names = ("left", "right", "frequency", "replacements", "corpus_tokens")
    try:
        return model_of_fields(
            {name: document.get(name) for name in (*_SETTINGS, "alphabet")},
            [{name: each[name] for name in names} for each in listed],
        )
    except ModelError as error:
        where = error.where or ""
        rank_of = re.match(r"merges\[(\d+)\]", where)
        path = ("rounds", int(rank_of[1])) if rank_of else (where.partition("[")[0],) if where else None
        kind = "nothing-makes" if "nothing before it" in error.reason else "numbers"
        raise findings.stop(kind, error.reason, where=reading.at(*path) if path else None) from None


def _compare(listed: list[dict[str, Any]], made: Iterable[Merge], reading: JsonReading, findings: Findings) -> None:
    """Stop at the first round that says otherwise than what replaying made."""
    for each, own in zip(listed, made, strict=True):
        for name, value in asdict(own).items():
            if each[name] != value or type(each[name]) is not type(value):
                message = f"{name} is {each[name]!a}; replayed it is {value!a}"
                raise findings.stop("numbers", message, where=reading.at("rounds", own.rank))


def _replay(
    words: object, listed: list[dict[str, Any]], model: Model, reading: JsonReading, findings: Findings
) -> None:
    """Train on the words of the file; stop if they do not make its rounds."""
    where = reading.at("words")
    if not isinstance(words, list) or not all(isinstance(each, list) and len(each) == 2 for each in words):
        raise findings.stop("shape", "a list of pairs of a word and its count is needed here", where=where)
    counts = {word: count for word, count in words if isinstance(word, str)}
    if len(counts) != len(words):
        raise findings.stop("shape", "a word is no text, or stands there twice", where=where)
    if model.min_frequency is None:
        raise findings.stop("numbers", "words, but no training: min_frequency is null", where=where)
    settings: dict[str, Any] = {name: getattr(model, name) for name in ("lowercase", "pre_tokenizer", "marker")}
    # Where no pair was left, one more merge must not be possible.
    limit = len(listed) if model.stop_reason == "merge_limit" else len(listed) + 1
    try:
        table = WordCounts(counts, **settings)
        own = train_from_word_counts(table, limit, min_frequency=model.min_frequency, **settings)
    except PairloomError as error:
        raise findings.stop("numbers", str(error), where=where) from None
    if (own.alphabet, own.initial_tokens) != (model.alphabet, model.initial_tokens):
        message = "the words have another alphabet or another number of tokens than the file says"
        raise findings.stop("numbers", message, where=where)
    if len(own.merges) != len(listed):
        message = f"the words make {len(own.merges)} rounds or more, the file has {len(listed)}"
        if len(own.merges) < len(listed):
            message = f"the words make {len(own.merges)} rounds, the file has {len(listed)}"
        raise findings.stop("numbers", message, where=where)
    _compare(listed, rounds(History.of(table, own)), reading, findings)
