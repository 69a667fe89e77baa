"""T9: same input, same model, whatever the hash seed and the order of the documents."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# Run in a fresh interpreter. A set of strings is iterated in an order that depends on the hash seed, so a result that
# depends on the order of words or documents differs from one process to the next.
PROGRAM = """
import hashlib, random
import pairloom
from pairloom.formats.model_file import dumps
from pairloom.history import History
from pairloom.word_counts import WordCounts, count_words

digest = hashlib.sha256()
drawn = random.Random(5)
ties = ["".join(drawn.choices("abcd", k=drawn.randint(2, 7))) for _ in range(120)]
astral = ["\\uffff\\U00010000", "\\U00010000\\uffff", "\\U0001f600\\U0001f601", "\\U0001f601\\U0001f600"] * 2
documents = {" ".join(ties[i : i + 12]) for i in range(0, 120, 12)} | set(astral) | {"low lower lowest", "aaaa aaa"}
table = {word: 2 + len(word) for word in set(ties + astral)}
models = [
    pairloom.train(list(documents)),
    pairloom.train(list(documents), 17, lowercase=True, pre_tokenizer="punctuation"),
    pairloom.train(list(documents), min_frequency=1),
    pairloom.train_from_word_counts(table),
    pairloom.train_from_word_counts(table, marker=False),
    pairloom.Model.from_merges(set("abcd"), [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")], marker=False),
]
for model in models:
    digest.update(model.fingerprint.encode())
    digest.update(dumps(model))
    for prefix in (None, 0, len(model.merges) // 2):
        encoding = model.encode("abcabc dcba low \\uffff\\U00010000 ?", prefix)
        digest.update(ascii((encoding.tokens, encoding.ids, encoding.offsets)).encode())
counts = count_words(documents)
history = History.of(counts, models[0])
digest.update(ascii([history.token_counts, history.top_pairs(5), sorted(history.pair_counts(9).items())]).encode())
print(digest.hexdigest(), hash("a different number in each process"))
"""


def test_twenty_hash_seeds_give_one_result() -> None:
    def run(seed: int) -> list[str]:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", PROGRAM]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, range(20)))
    assert len({hash_of_text for _, hash_of_text in results}) == 20  # the seeds did reach the processes
    assert len({digest for digest, _ in results}) == 1
