"""The plain module `pairloom.educational` behind the protocol of `pairloom check`: how a module of your own is wrapped.

pairloom check -- python examples/check/educational_program.py
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

from pairloom import educational as bpe
from pairloom.unicode_data import MARKER


def normalize(text: str, *, lowercase: bool) -> str:
    return "".join(char for char, _, _ in bpe.normalize(text, lowercase=lowercase))


def train(request: dict[str, Any]) -> dict[str, Any]:
    if "word_counts" in request:
        front = MARKER * request["marker"]
        counts = Counter({front + word: count for word, count in request["word_counts"].items()})
    else:
        settings = {name: request[name] for name in ("lowercase", "pre_tokenizer")}
        counts = bpe.count_words(request["text"], **settings)
    merges = bpe.train(counts, request["merge_limit"], min_frequency=request["min_frequency"])
    return {"alphabet": bpe.base_alphabet(counts), "merges": merges}


def encode(request: dict[str, Any]) -> dict[str, Any]:
    described = request["model"] | {"merges": [(left, right) for left, right in request["model"]["merges"]]}
    described["alphabet"] = sorted(described["alphabet"])
    encoding = bpe.encode(request["text"], bpe.Model(**described), request["prefix"])
    return {"tokens": [token for token, _, _ in encoding], "ids": [token_id for _, token_id, _ in encoding]}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        if request["op"] == "train":
            return train(request)
        if request["op"] == "encode":
            return encode(request)
        return {"normalized": normalize(request["text"], lowercase=request["lowercase"])}
    except ValueError as error:
        if error.args[0] == "marker":
            return {"error": {"kind": "marker", "position": error.args[1]}}
        return {"error": {"kind": "empty_corpus"}}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
