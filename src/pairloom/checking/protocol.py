"""What is asked of a program, what the right answer is, and where another answer differs from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from pairloom.errors import EmptyCorpus, ForbiddenCodePoint
from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.trainer import Trainer
from pairloom.word_counts import WordCounts, count_words, with_markers

PROTOCOL: Final = 1

# A JSON object, as it is sent or came back: what came back is looked at key by key.
Request = dict[str, Any]
Answer = dict[str, Any]

_NOTHING: Final = "nothing"
_NUMBERS: Final = ("left", "right", "frequency", "replacements", "corpus_tokens")


@dataclass(frozen=True, slots=True)
class Objection:
    """The first place in which an answer is not the right one.

    Attributes:
        field: of the answer, such as `merges[2].frequency`; "answer" for what is no answer at all.
        expected, got: what stands there; "nothing" where it ends.
    """

    field: str
    expected: object
    got: object


def right_answer(request: Request) -> Answer:
    """Return what the conventions say. Rules: N, P, T, V, E."""
    try:
        match request["op"]:
            case "normalize":
                return {"normalized": normalize(request["text"], request["lowercase"])}
            case "train":
                return _trained(request)
            case _:
                return _encoded(request)
    except ForbiddenCodePoint as error:
        return {"error": {"kind": error.kind, "position": error.position}}
    except EmptyCorpus:
        return {"error": {"kind": "empty_corpus"}}


def _trained(request: Request) -> Answer:
    trainer = Trainer(words_of(request), request["merge_limit"], min_frequency=request["min_frequency"])
    trainer.run()
    model = trainer.model()
    merges = [
        [merge.left, merge.right, merge.frequency, merge.replacements, merge.corpus_tokens] for merge in model.merges
    ]
    return {"alphabet": list(model.alphabet), "merges": merges}


def words_of(request: Request) -> WordCounts:
    """Return the word counts of a training: of its text, or the table that it brings."""
    if "word_counts" in request:
        return with_markers(
            request["word_counts"], lowercase=False, pre_tokenizer="whitespace", marker=request["marker"]
        )
    return count_words(request["text"], lowercase=request["lowercase"], pre_tokenizer=request["pre_tokenizer"])


def _encoded(request: Request) -> Answer:
    encoding = model_in(request).encode(request["text"], request.get("prefix"))
    return {"tokens": list(encoding.tokens), "ids": list(encoding.ids)}


def model_in(request: Request) -> Model:
    """Return the model that an encoding is asked for with. Raises: ModelError."""
    model = request["model"]
    return Model.from_merges(
        model["alphabet"],
        [(left, right) for left, right in model["merges"]],
        lowercase=model["lowercase"],
        pre_tokenizer=model["pre_tokenizer"],
        marker=model["marker"],
    )


def is_unsupported(got: object) -> bool:
    """Whether a program says that it does not do what was asked."""
    return isinstance(got, dict) and bool(got.get("unsupported"))


def objection_to(got: object, expected: Answer) -> Objection | None:
    """Return where an answer is wrong, None if it is right.

    A merge may come as its pair alone; numbers that do come are compared.
    """
    if not isinstance(got, dict):
        return Objection("answer", expected, got)
    if "error" in expected or "error" in got:
        right = expected.get("error", "no error")
        return (
            None if got.get("error", "no error") == right else Objection("error", right, got.get("error", "no error"))
        )
    for field, right in expected.items():
        if field not in got:
            return Objection(field, right, "nothing")
        found = _first_difference(field, right, got[field])
        if found is not None:
            return found
    return None


def _first_difference(field: str, right: object, got: object) -> Objection | None:
    if not isinstance(right, list) or not isinstance(got, list):
        return None if _equal(got, right) else Objection(field, right, got)
    for place, (one, other) in enumerate(zip_longest(right, got, fillvalue=_NOTHING)):
        here = f"{field}[{place}]"
        found = _in_merge(here, one, other) if field == "merges" else _in_list(here, one, other)
        if found is not None:
            return found
    return None


def _in_list(here: str, right: object, got: object) -> Objection | None:
    return None if _equal(got, right) else Objection(here, right, got)


def _in_merge(here: str, right: object, got: object) -> Objection | None:
    if not isinstance(right, list) or not isinstance(got, list) or got[:2] != right[:2]:
        pair = right[:2] if isinstance(right, list) else right
        return Objection(here, pair, got[:2] if isinstance(got, list) else got)
    for name, one, other in list(zip(_NUMBERS, right, got, strict=False))[2:]:
        if not _equal(other, one):
            return Objection(f"{here}.{name}", one, other)
    return None


def _equal(one: object, other: object) -> bool:
    # 1 == True == 1.0: JSON tells them apart, and so do we.
    return type(one) is type(other) and one == other
