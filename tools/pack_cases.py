#!/usr/bin/env python3
"""Write the golden vectors in the form of `pairloom check`'s protocol: src/pairloom/checking/cases.jsonl.

`tools/pack_cases.py --check` compares and says which. Answers are the vectors' own; nothing is computed here.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "tests" / "vectors"
TARGET = ROOT / "src" / "pairloom" / "checking" / "cases.jsonl"

Case = dict[str, Any]


def read(name: str) -> list[Case]:
    loaded: list[Case] = json.loads((VECTORS / f"{name}.json").read_text("ascii"))
    return loaded


def model_of(vector: Case, merges: list[list[str]], **settings: object) -> Case:
    plain = {"lowercase": False, "pre_tokenizer": "whitespace", "marker": True}
    return {"alphabet": vector["alphabet"], "merges": merges, **plain, **settings}


def normalizations() -> Iterator[Case]:
    for number, vector in enumerate(read("normalization")):
        yield {
            "name": f"normalization {number}",
            "request": {"op": "normalize", "text": vector["input"], "lowercase": vector["lowercase"]},
            "answer": {"normalized": vector["normalized"]},
        }


def refusals() -> Iterator[Case]:
    for number, vector in enumerate(read("refusals")):
        if vector["error"] == "marker":
            request = {"op": "normalize", "text": vector["input"], "lowercase": False}
            error = {"kind": "marker", "position": vector["position"]}
            yield {"name": f"refusals {number}", "request": request, "answer": {"error": error}}
        elif vector["error"] == "empty_corpus":
            request = training(vector["input"], 1000, lowercase=False, pre_tokenizer="whitespace")
            yield {"name": f"refusals {number}", "request": request, "answer": {"error": {"kind": "empty_corpus"}}}


def training(text: str, merge_limit: int, *, lowercase: bool, pre_tokenizer: str) -> Case:
    settings = {"lowercase": lowercase, "pre_tokenizer": pre_tokenizer, "min_frequency": 2}
    return {"op": "train", "text": text, "merge_limit": merge_limit, **settings}


def trainings(name: str) -> Iterator[Case]:
    for vector in read(name):
        settings = {"lowercase": vector["lowercase"], "pre_tokenizer": vector["pretokenizer"]}
        merges = [merge[:5] for merge in vector["merges"]]
        yield {
            "name": f"{name} {vector['name']}",
            "request": training(vector["corpus"], vector["merge_limit"], **settings),
            "answer": {"alphabet": vector["alphabet"], "merges": merges},
        }
        model = model_of(vector, [merge[:2] for merge in merges], **settings)
        for number, encoding in enumerate(vector["encodings"]):
            yield {
                "name": f"{name} {vector['name']}, text {number}",
                "request": {"op": "encode", "model": model, "text": encoding["text"], "prefix": encoding["prefix"]},
                "answer": {"tokens": encoding["tokens"], "ids": encoding["ids"]},
            }


def lists() -> Iterator[Case]:
    for name in ("imported", "ranks"):
        for number, vector in enumerate(read(name)):
            model = model_of(vector, vector["merges"], marker=False)
            for word in vector.get("words", [vector]):
                ids = word.get("ids") or [vector["vocabulary"].index(token) for token in word["tokens"]]
                yield {
                    "name": f"{name} {number}",
                    "request": {"op": "encode", "model": model, "text": word["word"], "prefix": None},
                    "answer": {"tokens": word["tokens"], "ids": ids},
                }


def tables() -> Iterator[Case]:
    for number, vector in enumerate(read("word_counts")):
        request = {"op": "train", "word_counts": vector["word_counts"], "marker": vector["marker"]}
        # The alphabet is not in the vector: what is not in an answer is not compared.
        yield {
            "name": f"word_counts {number}",
            "request": {**request, "merge_limit": 1000, "min_frequency": 2},
            "answer": {"merges": [merge[:5] for merge in vector["merges"]]},
        }


def packed() -> str:
    """The file: a case a line, small ones first within each kind."""
    cases = [*normalizations(), *refusals(), *tables(), *lists(), *trainings("reports"), *trainings("training")]
    return "".join(f"{json.dumps(case, separators=(',', ':'))}\n" for case in cases)


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text("ascii") == packed():
            return 0
        print(f"{TARGET.relative_to(ROOT)} is not what tools/pack_cases.py writes", file=sys.stderr)
        return 1
    TARGET.write_text(packed(), "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
