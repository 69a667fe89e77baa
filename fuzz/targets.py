"""What is fuzzed. A finding is any exception but a `PairloomError`, a crash, or two answers that differ."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.choosing import Choices
from pairloom.errors import PairloomError
from pairloom.formats import hugging_face, model_file, word_counts_file
from pairloom.formats.exchange import FORMATS, import_files
from pairloom.formats.model_report import report_on
from pairloom.model import Model
from tests.kernel.test_encoding import encoder_of, plain
from tests.support.kernel_cases import CHECKS, Trickle, outcome
from tests.support.kernels import KERNELS


def counting(data: bytes) -> None:
    """Bytes behind three that say how: every kernel finds the same words, or the same first fault at the same place."""
    how, rest = data[:3].ljust(3, b"\0"), data[3:]
    settings = {"lowercase": bool(how[0] & 1), "punctuation": bool(how[0] & 2)}
    by_line = bool(how[0] & 4)

    def counted(kernel_name: str) -> list[tuple[str, int]]:
        counter = KERNELS[kernel_name]["WordCounter"](
            **settings, block_bytes=how[1] + 1, threads=3 if how[0] & 0x70 == 0x70 else 1
        )
        if how[0] & 8:
            counter.add_file(Trickle(rest, how[2] + 1), "here", by_line=by_line)
        else:
            counter.add_bytes(rest, "here", by_line=by_line)
        if not by_line:
            counter.add_text(rest.decode("utf-8", "surrogateescape" if how[0] & 128 else "ignore"), 1)
        return list(counter.finish().items())

    answers = [outcome(lambda name=name: counted(name)) for name in KERNELS]  # type: ignore[misc]  # bound early
    assert all(answer == answers[0] for answer in answers)


def training(data: bytes) -> None:
    """A small table and how to train on it: every kernel learns the same, in portions or in one go."""
    drawn = Choices(data)
    drawn.choice((CHECKS["training"], CHECKS["training"], CHECKS["limits"]))(drawn)


def encoding(data: bytes) -> None:
    """A small model, how to encode, and bytes: every kernel gives the same arrays, or the same first fault."""
    drawn = Choices(data)
    made = ["▁", *"abςσ.'漢😀", "i\u0307"[1]]
    alphabet, merges = tuple(made), []
    for _ in range(drawn.randint(0, 15)):
        pair = drawn.choice(made), drawn.choice(made[-8:])
        if len("".join(pair)) <= 12:
            merges.append(pair)
            made.append("".join(pair))
    model = Model.from_merges(
        alphabet,
        merges,
        lowercase=drawn.random() < 0.5,
        pre_tokenizer=drawn.choice(("whitespace", "punctuation")),
    )
    how = {"prefix": drawn.randint(0, len(model.merges)), "offsets": drawn.random() < 0.5}
    shared = {"block": drawn.choice((1, 2, 7, 64, 1 << 18)), "threads": drawn.choice((1, 1, 1, 3))}
    raw = drawn.rest()
    several = [part.decode("utf-8", "ignore") for part in raw.split(b"\n")]

    def encoded(kernel_name: str) -> object:
        encoder = encoder_of(model, kernel_name)
        sharing = shared if kernel_name == "compiled" else {}
        batch = plain(encoder.encode_texts(several, **how, **sharing))
        return batch, outcome(lambda: plain(encoder.encode_utf8(raw, **how, **sharing))), encoder.decode([0, 1, 2])

    answers = [outcome(lambda name=name: encoded(name)) for name in KERNELS]  # type: ignore[misc]  # bound early
    assert all(answer == answers[0] for answer in answers)


def model_files(data: bytes) -> None:
    """A model file that is taken is sound: written and read again it is the same, and it encodes and decodes."""
    report_on(data)
    try:
        model = model_file.loads(data)
    except PairloomError:
        return
    assert model_file.loads(model_file.dumps(model)) == model
    use(model)


def other_formats(data: bytes) -> None:
    """The files of other tools, and tables of counts; the first byte says which."""
    forms = [*FORMATS, "tsv"]
    form, rest = forms[data[0] % len(forms) if data else 0], data[1:]
    try:
        if form == "tsv":
            word_counts_file.loads_tsv(rest)
            return
        first, _, second = rest.partition(b"\0\0")
        files = {"vocab.json": first, "merges.txt": second} if form == hugging_face.VOCAB_MERGES else {form: rest}
        imported = import_files(form, files)
    except PairloomError:
        return
    if imported.accepted is not None:
        use(imported.accepted)


def use(model: Model) -> None:
    """Encode what the model knows and what it does not, and decode what has IDs."""
    text = "".join(merge.result for merge in model.merges[:20]).replace("▁", " ") + " ?\U0010ffff"
    encoding = model.encode(text)
    assert "".join(encoding.tokens)
    model.decode([each for each in encoding.ids if each is not None])


TARGETS: dict[str, Callable[[bytes], None]] = {
    "counting": counting,
    "training": training,
    "encoding": encoding,
    "model-files": model_files,
    "other-formats": other_formats,
}
