"""The models that the encoding jobs need, each of 32,000 merges: made on first use, and kept beside the text."""

from __future__ import annotations

import base64
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

MERGES = 32_000
BYTES = 256


def pairloom(text: Path, place: Path) -> None:
    from pairloom import Trainer, WordCounter

    counter = WordCounter()
    with text.open("rb") as file:
        counter.add_utf8(file)
    trainer = Trainer(counter.word_counts(), MERGES)
    trainer.run()
    trainer.model().save(place)


def hugging_face(text: Path, place: Path) -> None:
    """Our own model in their form: the same merges, so the same job."""
    from pairloom import load
    from pairloom.formats.exchange import export_files

    files = dict(export_files(load(model_file("pairloom", text)), "tokenizer.json"))
    place.write_bytes(files["tokenizer.json"])


def byte_level(text: Path, place: Path) -> None:
    tokenizers = import_module("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=MERGES + BYTES,
        show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train([str(text)], trainer)
    tokenizer.save(str(place))


def sentencepiece(text: Path, place: Path, *, with_bytes: bool = False) -> None:
    """With bytes behind the characters, for those that read no other model: none of this text needs them."""
    library = import_module("sentencepiece")
    library.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(place.with_suffix("")),
        model_type="bpe",
        vocab_size=MERGES + 700 + with_bytes * BYTES,
        byte_fallback=with_bytes,
        character_coverage=1.0,
        normalization_rule_name="identity",
        split_by_unicode_script=False,
        split_by_number=False,
        max_sentence_length=1 << 30,
        max_sentencepiece_length=512,
        hard_vocab_limit=False,
        minloglevel=2,
    )


def tiktoken(text: Path, place: Path) -> None:
    library = import_module("rustbpe")
    tokenizer = library.Tokenizer()
    with text.open(encoding="utf-8") as file:
        tokenizer.train_from_iterator(iter(file), vocab_size=MERGES + BYTES)
    ranks = tokenizer.get_mergeable_ranks()
    lines = [f"{base64.b64encode(bytes(token)).decode()} {rank}" for token, rank in ranks]
    place.write_text("\n".join(lines) + "\n", encoding="ascii")


MAKERS: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "pairloom": (".model.json", pairloom),
    "hugging-face": (".tokenizer.json", hugging_face),
    "bytes": (".bytes.json", byte_level),
    "sentencepiece": (".sp.model", sentencepiece),
    "sentencepiece-bytes": (".spb.model", lambda text, place: sentencepiece(text, place, with_bytes=True)),
    "tiktoken": (".tiktoken", tiktoken),
}


def model_file(kind: str, text: Path) -> Path:
    """Return the file of a model of this text, made first where it is missing."""
    ending, make = MAKERS[kind]
    place = text.with_suffix(ending)
    if not place.exists():
        make(text, place)
    return place
