"""Every vector of tests/vectors on the Python that runs this, with the standard library alone.

`make test-pythons` runs it on Pythons in which no test tool is installed: hence no pytest. The last lines are a digest
of all models that were trained and of some generated problems, which has to be the same on every Python (T9), and the
count of what passed and failed.
"""

import hashlib
import json
import platform
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pairloom
from pairloom.errors import EmptyCorpus, ForbiddenCodePoint, TextTooLong
from pairloom.formats import model_file
from pairloom.normalizer import normalize_within
from pairloom.views.lesson.generator import generate
from pairloom.views.lesson.wording import answer_text

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
LIMIT = 40_000  # L1

Vector = dict[str, Any]


def check(what: str, seen: object, expected: object) -> None:
    """Say which value of a vector is not what it should be."""
    if seen != expected:
        raise AssertionError(f"{what}: {seen!r}, expected {expected!r}")


def check_normalization(vector: Vector) -> None:
    seen = pairloom.normalize(vector["input"], lowercase=vector["lowercase"])
    check("normalized", seen, vector["normalized"])


def check_refusal(vector: Vector) -> None:
    text, times = vector.get("input_repeat", (vector.get("input"), 1))
    seen: tuple[object, ...] = (None,)
    try:
        normalize_within(
            text * times, lowercase=vector.get("lowercase", False), max_code_points=LIMIT, allow_empty=False
        )
    except ForbiddenCodePoint as error:
        seen = (error.kind, error.position)
    except TextTooLong as error:
        seen = (f"{error.stage}_too_long", error.length)
    except EmptyCorpus:
        seen = ("empty_corpus",)
    expected = (vector["error"], *(vector[name] for name in ("position", "length") if name in vector))
    check("refusal", seen, expected)


def merge_rows(model: pairloom.Model) -> list[list[object]]:
    return [[m.left, m.right, m.frequency, m.replacements, m.corpus_tokens, m.id, m.is_new] for m in model.merges]


def check_training(vector: Vector) -> bytes:
    model = pairloom.train(
        vector["corpus"],
        vector["merge_limit"],
        lowercase=vector["lowercase"],
        pre_tokenizer=vector["pretokenizer"],
    )
    check("alphabet", list(model.alphabet), vector["alphabet"])
    check("initial_tokens", model.initial_tokens, vector["initial_tokens"])
    check("stop_reason", model.stop_reason, vector["stopped"])
    check("merges", merge_rows(model), vector["merges"])
    check("vocabulary_size", len(model.vocabulary), vector["vocabulary_size"])
    for expected in vector["encodings"]:
        encoding = model.encode(expected["text"], prefix=expected["prefix"])
        check("normalized", encoding.normalized, expected["normalized"])
        check("code_points", encoding.code_points, expected["code_points"])
        check("tokens", list(encoding.tokens), expected["tokens"])
        check("ids", list(encoding.ids), expected["ids"])
        check("unknown_count", encoding.unknown_count, expected["unknown"])
        check("code_points_per_token", encoding.code_points_per_token, expected["code_points_per_token"])
        if not encoding.unknown_count:
            check("decoded", model.decode(encoding.known_ids()), expected["normalized"])
    return model_file.dumps(model)


def check_ranks(vector: Vector) -> None:
    model = pairloom.Model.from_merges(vector["alphabet"], vector["merges"], marker=False)
    encoding = model.encode(vector["word"])
    check("tokens", list(encoding.tokens), vector["tokens"])
    check("ids", list(encoding.ids), vector["ids"])


def check_imported(vector: Vector) -> None:
    model = pairloom.Model.from_merges(vector["alphabet"], vector["merges"], marker=False)
    check("vocabulary", list(model.vocabulary), vector["vocabulary"])
    for expected in vector["words"]:
        check("tokens", list(model.encode(expected["word"]).tokens), expected["tokens"])


def check_word_counts(vector: Vector) -> bytes:
    model = pairloom.train_from_word_counts(vector["word_counts"], marker=vector["marker"])
    check("merges", merge_rows(model), vector["merges"])
    for expected in vector["words"]:
        encoding = model.encode(expected["word"], prefix=expected["prefix"])
        check("tokens", list(encoding.tokens), expected["tokens"])
        check("ids", list(encoding.ids), expected["ids"])
    return model_file.dumps(model)


CHECKS: dict[str, Callable[[Vector], bytes | None]] = {
    "imported": check_imported,
    "normalization": check_normalization,
    "ranks": check_ranks,
    "refusals": check_refusal,
    "reports": check_training,
    "training": check_training,
    "word_counts": check_word_counts,
}


def vectors() -> Iterator[tuple[str, Vector]]:
    """Every vector with its kind; a file that nothing checks, or that is missing or empty, is an error."""
    files = {path.stem: path for path in sorted(VECTORS.glob("*.json"))}
    check("files of tests/vectors", sorted(files), sorted(CHECKS))
    for kind, path in files.items():
        entries = json.loads(path.read_text("utf-8"))
        if not entries:
            raise AssertionError(f"{path} holds no vector")
        for entry in entries:
            yield kind, entry


def problems() -> bytes:
    """Generated practice problems with their answers: a class's key has to fit its sheet, whoever printed which."""
    made = []
    for number in range(36):
        problem = generate("mixed", seed="Ä ▁", level=number % 3 + 1, number=number, language="de")
        made.append((problem.kind, problem.word, dict(problem.history.word_counts.counts), answer_text(problem)))
    return ascii(made).encode()


def main() -> int:
    """Check them all and say how many passed."""
    passed = failed = 0
    models = hashlib.sha256(problems())
    for number, (kind, vector) in enumerate(vectors()):
        try:
            models.update(CHECKS[kind](vector) or b"")
        except Exception:  # noqa: BLE001  # whatever is raised, the others are to be seen too
            failed += 1
            print(f"{kind}, vector {number} in all: {json.dumps(vector)[:200]}\n{traceback.format_exc()}")
        else:
            passed += 1
    print(f"CPython {platform.python_version()} on {sys.platform}: models {models.hexdigest()}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
