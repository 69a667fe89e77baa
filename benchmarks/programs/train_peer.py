"""Train a peer on a file with one thread: `train_peer NAME MERGES FILE`. What comes out is thrown away.

The size of the vocabulary is the merges and the alphabet of whoever asks; peers that count otherwise are a few merges
off, which is nothing in 32,000.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

for variable in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

BYTES = 256


def hugging_face(path: Path, merges: int) -> int:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    size = merges + ALPHABETS.get(path.name, 0)
    tokenizer.train([str(path)], trainers.BpeTrainer(vocab_size=size, min_frequency=2, show_progress=False))
    return int(tokenizer.get_vocab_size())


def sentencepiece(path: Path, merges: int) -> int:
    library = import_module("sentencepiece")

    with tempfile.TemporaryDirectory() as folder:
        library.SentencePieceTrainer.train(
            input=str(path),
            model_prefix=f"{folder}/m",
            model_type="bpe",
            vocab_size=merges + ALPHABETS.get(path.name, 0),
            character_coverage=1.0,
            normalization_rule_name="identity",
            split_by_unicode_script=False,
            split_by_number=False,
            max_sentence_length=1 << 30,
            max_sentencepiece_length=512,
            hard_vocab_limit=False,
            num_threads=1,
            minloglevel=2,
        )
        return sum(1 for _ in Path(f"{folder}/m.vocab").open(encoding="utf-8"))


def gigabpe_bytes(path: Path, merges: int) -> int:
    gigabpe = import_module("gigabpe")

    vocabulary, _ = gigabpe.train_bpe([str(path)], vocab_size=merges + BYTES, pretokenizer="bytelevel", threads=1)
    return len(vocabulary)


def gigabpe_marked(path: Path, merges: int) -> int:
    """On a file in which the marker stands before each word, as written beside the corpus."""
    gigabpe = import_module("gigabpe")

    vocabulary, _ = gigabpe.train_bpe(
        [str(path.with_suffix(".marked.txt"))],
        vocab_size=merges + ALPHABETS.get(path.name, 0),
        min_frequency=2,
        pretokenizer="whitespace",
        threads=1,
    )
    return len(vocabulary)


def rustbpe(path: Path, merges: int) -> int:
    library = import_module("rustbpe")

    def lines() -> Iterator[str]:
        with path.open(encoding="utf-8") as file:
            yield from file

    tokenizer = library.Tokenizer()
    tokenizer.train_from_iterator(lines(), vocab_size=merges + BYTES)
    return merges


def youtokentome(path: Path, merges: int) -> int:
    library = import_module("youtokentome")

    with tempfile.TemporaryDirectory() as folder:
        library.BPE.train(
            data=str(path),
            model=f"{folder}/m",
            vocab_size=merges + ALPHABETS.get(path.name, 0) + 4,
            coverage=1.0,
            n_threads=1,
        )
    return merges


# The code points that occur, the marker among them: what reading the whole text for would distort the measurement.
ALPHABETS = {
    "en_10MB.txt": 568,
    "en_100MB.txt": 1_564,
    "de_10MB.txt": 406,
    "zh_cjk.txt": 6_495,
    "ja_cjk.txt": 2_017,
}
PEERS: dict[str, Callable[[Path, int], int]] = {
    "hugging-face": hugging_face,
    "sentencepiece": sentencepiece,
    "gigabpe-bytes": gigabpe_bytes,
    "gigabpe-marked": gigabpe_marked,
    "rustbpe": rustbpe,
    "youtokentome": youtokentome,
}


def main() -> None:
    PEERS[sys.argv[1]](Path(sys.argv[3]), int(sys.argv[2]))
    print("{}")


main()
