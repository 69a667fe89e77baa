"""Encode a file with a model of 32,000 merges, ours or a peer's: `encode_text WHO FILE`.

`encode_ms` is the first time, with nothing remembered, `again_ms` the second. Models are made once and kept beside the
text; reading text and model is no part of the figures, but whatever a library puts off until it encodes is.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

for variable in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

from benchmarks.programs import Figures  # noqa: E402  # after the variables that libraries read when they are loaded
from benchmarks.programs.encoding_models import model_file  # noqa: E402

# What is done once to be ready, and then measured; the second returns the number of tokens.
Encode = Callable[[], int]
Prepare = Callable[[Path], Encode]
GPT_4 = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"""
)
SHARES = 8


def ours(path: Path) -> Any:
    import pairloom

    return pairloom.load(model_file("pairloom", path))


def array(path: Path, **settings: Any) -> Encode:
    model, data = ours(path), path.read_bytes()
    return lambda: len(model.encode_utf8(data, **settings).ids)


def text(path: Path) -> Encode:
    model, whole = ours(path), path.read_text(encoding="utf-8")
    return lambda: len(model.encode_batch([whole]).token_ids.ids)


def lists(path: Path) -> Encode:
    model, lines = ours(path), path.read_text(encoding="utf-8").split("\n")
    return lambda: sum(map(len, model.encode_batch(lines).lists()))


def decode(path: Path) -> Encode:
    model = ours(path)
    ids = model.encode_utf8(path.read_bytes()).ids
    return lambda: len(ids) if model.decode(ids) else 0


def shares(path: Path, *, at_once: bool) -> Encode:
    """Eight shares of the lines, each encoded as a batch by a thread of its own, or one after the other."""
    model, lines = ours(path), path.read_text(encoding="utf-8").split("\n")
    parts = [lines[number::SHARES] for number in range(SHARES)]
    sizes = [0] * SHARES

    def work(number: int) -> None:
        sizes[number] = len(model.encode_batch(parts[number]).token_ids.ids)

    def encode() -> int:
        workers = [threading.Thread(target=work, args=(number,)) for number in range(SHARES)]
        for worker in workers:
            worker.start()
            if not at_once:
                worker.join()
        for worker in workers:
            worker.join()
        return sum(sizes)

    return encode


def hugging_face(path: Path) -> Encode:
    tokenizers = import_module("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(model_file("hugging-face", path)))
    whole = path.read_text(encoding="utf-8")
    return lambda: len(tokenizer.encode(whole).ids)


def hugging_face_lists(path: Path) -> Encode:
    tokenizers = import_module("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(model_file("hugging-face", path)))
    lines = path.read_text(encoding="utf-8").split("\n")
    return lambda: sum(len(encoding.ids) for encoding in tokenizer.encode_batch(lines))


def sentencepiece(path: Path) -> Encode:
    library = import_module("sentencepiece")
    processor = library.SentencePieceProcessor(model_file=str(model_file("sentencepiece", path)))
    lines = path.read_text(encoding="utf-8").split("\n")
    return lambda: sum(map(len, processor.encode(lines, num_threads=1)))


def gigatoken(path: Path, *, kind: str) -> Encode:
    library = import_module("gigatoken")
    tokenizer = library.Tokenizer(str(model_file(kind, path)))
    # Its characters follow SentencePiece, which folds no line ends: they are no part of the job.
    data = path.read_bytes() if kind == "bytes" else path.read_bytes().replace(b"\n", b" ")
    return lambda: len(tokenizer.encode(data))


def tokie(path: Path) -> Encode:
    library = import_module("tokie")
    tokenizer = library.Tokenizer.from_json(str(model_file("bytes", path)))
    whole = path.read_text(encoding="utf-8")
    return lambda: len(tokenizer.encode_batch_flat([whole])[0])


def tiktoken(path: Path) -> Encode:
    library = import_module("tiktoken")
    load = import_module("tiktoken.load")
    ranks = load.load_tiktoken_bpe(str(model_file("tiktoken", path)))
    encoding = library.Encoding("bench", pat_str=GPT_4, mergeable_ranks=ranks, special_tokens={})
    whole = path.read_text(encoding="utf-8")
    return lambda: len(encoding.encode_to_numpy(whole))


def rustbpe(path: Path) -> Encode:
    """It keeps no model in a file, and so trains first."""
    library = import_module("rustbpe")
    tokenizer = library.Tokenizer()
    whole = path.read_text(encoding="utf-8")
    tokenizer.train_from_iterator(iter(whole.split("\n")), vocab_size=32_256)
    return lambda: len(tokenizer.encode(whole))


WHO: dict[str, Prepare] = {
    "pairloom-array": array,
    "pairloom-array-2-threads": lambda path: array(path, threads=2),
    "pairloom-str": text,
    "pairloom-offsets": lambda path: array(path, offsets=True),
    "pairloom-lists": lists,
    "pairloom-decode": decode,
    "pairloom-8-threads": lambda path: shares(path, at_once=True),
    "pairloom-8-in-turn": lambda path: shares(path, at_once=False),
    "hugging-face": hugging_face,
    "hugging-face-lists": hugging_face_lists,
    "sentencepiece": sentencepiece,
    "gigatoken": lambda path: gigatoken(path, kind="sentencepiece-bytes"),
    "gigatoken-bytes": lambda path: gigatoken(path, kind="bytes"),
    "tokie": tokie,
    "tiktoken": tiktoken,
    "rustbpe": rustbpe,
}


def main() -> None:
    who, path = sys.argv[1], Path(sys.argv[2])
    encode = WHO[who](path)
    figures = Figures()
    start = time.perf_counter()
    with figures.time("encode_ms"):
        figures.values["tokens"] = encode()
    figures.values["wall_ms"] = (time.perf_counter() - start) * 1e3
    if who.startswith("pairloom"):
        with figures.time("again_ms"):
            encode()
    figures.print()


main()
