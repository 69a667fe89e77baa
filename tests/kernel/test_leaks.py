"""At the end of a process that has used every part of the kernel nothing is left that nobody can reach.

For the build of `make test-sanitized`: elsewhere its leak detection is off, as the libraries of the tests keep memory
of their own. These processes load Pairloom alone, and nothing is suppressed. What Python's garbage collector knows
counts as reached; the memory of the kernel's own tables is no such thing. See tests/conftest.py.
"""

import os
import subprocess
import sys

import pytest

JOBS = {
    "training": """
trainer = pairloom.Trainer(pairloom.count_words("low low lower lowest newer wider " * 9, threads=2), 30)
trainer.run(max_operations=10)
trainer.run()
trainer.model()
""",
    "counting": """
counter = pairloom.WordCounter(lowercase=True, pre_tokenizer="punctuation", threads=2)
counter.add("Don't, İ! ΣΑΣ")
counter.add_utf8(io.BytesIO("low\\nslow".encode() * 999), by_line=True)
counts = counter.word_counts()
list(counts.counts.items()), pickle.loads(pickle.dumps(counts))
""",
    "columns": """
columns = kernel.sorted_columns(pairloom.count_words("low low lower").counts, bare=True)
merged = kernel.merged_columns([columns, columns])
dict(kernel.table_of_columns([merged], 2, 8, mark=True).items())
""",
    "encoding": """
model = pairloom.train("low low lower lowest Σ'x", 30, lowercase=True, pre_tokenizer="punctuation")
batch = model.encode_batch(["Low, lowest!", "x" * 999, "low " * 200_000], 3, offsets=True, threads=2)
batch.lists(), batch.token_ids.with_unknown(1), pickle.loads(pickle.dumps(batch)), batch[0]
ids = model.encode_utf8(b"low lower", offsets=True)
model.decode(ids), model.decode(ids.ids.tolist()), list(model.decode_blocks([ids.ids, ids.ids]))
list(model.encode_file(io.BytesIO(b"low " * 999)))
""",
    "refusing": """
model = pairloom.train("low low lower")
for call in (
    lambda: model.encode_utf8(b"low \\xff"),
    lambda: model.encode_batch(["low", "lo▁w"], threads=2, offsets=True),
    lambda: model.decode([1, 99]),
    lambda: model.decode(memoryview(b"abc")),
    lambda: pairloom.count_words(["low", "\\ud800"]),
    lambda: pairloom.WordCounter().add_utf8(b"low \\xff"),
):
    try:
        call()
    except pairloom.PairloomError:
        pass
    else:
        raise AssertionError("nothing was refused")
""",
}


def left_by(job: str) -> subprocess.CompletedProcess[str]:
    """Run a program and look for leaks when it ends."""
    program = f"import io, pickle, pairloom\nfrom pairloom import kernel\n{job}"
    options = os.environ["ASAN_OPTIONS"].replace("detect_leaks=0", "detect_leaks=1").replace("abort_on_error=1", "")
    variables = os.environ | {"ASAN_OPTIONS": options}
    return subprocess.run(
        [sys.executable, "-c", program], env=variables, capture_output=True, text=True, check=False, timeout=600
    )


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_nothing_is_left(job: str) -> None:
    ran = left_by(job)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_what_is_left_is_found() -> None:
    """An array that is held by a reference which nobody gives back; else the tests above could not fail."""
    leak = """
import ctypes
held = pairloom.train("low low").encode_utf8(b"low " * 999).ids
ctypes.pythonapi.Py_IncRef(ctypes.py_object(held.obj))
del held
"""
    ran = left_by(leak)
    assert ran.returncode != 0
    assert "LeakSanitizer: detected memory leaks" in ran.stderr
