"""Work that ends early: with Python itself, or by an exception in one of its threads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.kernels import needs_compiled, program

# A module is emptied after those that came later: pairloom's are empty by then, and what the kernel gave works on.
LATE = """
import os


class Late:
    def __init__(self, encode, *given, **options):
        self.encode, self.given, self.options, self.say = encode, given, options, os.write

    def __del__(self):
        for _ in "12345":
            self.encode(*self.given, **self.options)
        self.say(1, b"done")


late = None
"""

BEGINNING = """
import random, sys, threading, time, late
import pairloom
letters = "abcdefghijklmnopqrstuvwxyz"
model = pairloom.Model.from_merges([*letters, "\u2581"], [(left, right) for left in letters for right in letters])
drawn = random.Random(1)
data = " ".join("".join(drawn.choices(letters, k=50)) for _ in range(20_000)).encode()
"""

WAITING = """
def work():
    while True:
        model.encode_utf8(data)


for _ in range(24):
    threading.Thread(target=work, daemon=True).start()
late.late = late.Late(model.text_encoder.encode_texts, ["abc def"], prefix=600)
time.sleep(0.5)
"""

WANTED = """
late.late = late.Late(model.text_encoder.encode_utf8, data, prefix=600, threads=2)
"""


@needs_compiled
@pytest.mark.parametrize("ending", [WAITING, WANTED], ids=["threads wait for their turn", "threads are wanted"])
def test_encoding_while_python_ends(ending: str, tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(LATE)
    ended = program(BEGINNING + ending, PYTHONPATH=f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    assert (ended.returncode, ended.stdout) == (0, "done"), ended.stderr


INTERRUPTED = """
import signal, sys
import pairloom
model = pairloom.train("abababab" * 8)
encoder = model.text_encoder
word = b"ab" * 500_000
encoder.encode_utf8(word, prefix=9)
whole = encoder.operations


def stop(*_):
    raise KeyError


signal.signal(signal.SIGALRM, stop)
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    encoder.encode_utf8(b" ".join([word] * 2), prefix=9, threads=2, block=1000)
except KeyError:
    print(encoder.operations - whole < whole, encoder.busy)
"""


@needs_compiled
@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs a system whose timers send signals")
def test_an_interruption_ends_the_long_words_of_all_threads() -> None:
    """None of the two is merged to its end for nobody."""
    ended = program(INTERRUPTED)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True 0\n", "")
