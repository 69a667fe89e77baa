"""`pairloom export`, `import`, `count` and `train --counts`: what is written, what is said, and the exit codes."""

import json
import sys
from pathlib import Path

import pytest

from pairloom.formats.exchange import FORMATS
from pairloom.formats.model_file import load, save
from pairloom.trainer import train
from pairloom.views.display import visible
from tests.support.command_line import run, run_in_terminal
from tests.support.hostile import HOSTILE

MODEL = train("low low lower", 10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    save(MODEL, tmp_path / "m.json")
    (tmp_path / "corpus.txt").write_text("low low lower")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    return tmp_path


@pytest.mark.parametrize("form", FORMATS)
def test_there_and_back(folder: Path, form: str) -> None:
    out = folder / ("both" if form == "vocab-merges" else form)
    ended = run("export", "-m", "m.json", "--to", form, "-o", out)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.splitlines() == [f"{form}: {limit}" for limit in FORMATS[form].limits(MODEL)]
    files = [out / "merges.txt", out / "vocab.json"] if form == "vocab-merges" else [out]
    ended = run("import", *files, "--from", form, "--alphabet", "corpus.txt", "-o", "back.json")
    assert (ended.code, ended.out) == (0, "")
    assert load("back.json").fingerprint == MODEL.fingerprint


def test_the_names_say_the_format(folder: Path) -> None:
    run("export", "-m", "m.json", "--to", "tokenizer.json", "-o", "tokenizer.json")
    assert run("import", "tokenizer.json", "-o", "back.json").code == 0
    ended = run("import", "m.json")
    assert (ended.code, ended.out) == (2, "")
    assert "the names of the files do not say their format: name it with --from" in ended.err
    ended = run("import", text="")
    assert (ended.code, ended.out) == (2, "")
    assert "without FILES, standard input is read: its name does not say its format: name it with --from" in ended.err


def test_a_prefix_is_a_model_of_its_own(folder: Path) -> None:
    out = run("export", "-m", "m.json", "--to", "subword-nmt", "--prefix", "1").out
    assert out == "#version: 0.1\nl o\n"
    ended = run("export", "-m", "m.json", "--to", "subword-nmt", "--prefix", "9")
    assert (ended.code, ended.out) == (2, "")
    assert "--prefix cannot be 9" in ended.err


def test_verifying_names_the_affected_texts(folder: Path) -> None:
    text = "low\nslow\nlow\x00\n"
    ended = run("export", "-m", "m.json", "--to", "tokenizer.json", "-o", "t", "--verify", "-", "--lines", text=text)
    assert ended.code == 1
    assert ended.err.splitlines()[:3] == [
        "<stdin>, line 2: token 1: s here, <unk>:9 there (unknown here, E3)",
        "<stdin>, line 3: token 1: \\u0000 here, <unk>:9 there (unknown here, E3)",
        "verified 3 texts: 2 encoded otherwise",
    ]
    assert (folder / "t").exists()
    for form in ("tokenizer.json", "subword-nmt", "vocab-merges"):
        ended = run("export", "-m", "m.json", "--to", form, "-o", f"{form}.out", "--verify", "corpus.txt")
        assert (ended.code, ended.err.splitlines()[0]) == (0, "verified 1 texts: none encoded otherwise")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "vocab-merges"), "-o names their folder"),
        (("--to", "trace.csv", "--verify", "corpus.txt"), "there is nothing to verify"),
        (("--to", "nothing"), "'nothing' is not one of"),
    ],
)
def test_wrong_use_of_export(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = run("export", "-m", "m.json", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_verifying_without_the_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    ended = run("export", "-m", "m.json", "--to", "tokenizer.json", "-o", "t", "--verify", "corpus.txt")
    assert (ended.code, ended.out) == (1, "")
    assert "pip install tokenizers" in ended.err
    assert not (folder / "t").exists()


def test_verifying_codes_without_merges(folder: Path) -> None:
    """subword-nmt ends the process that hands it such a file."""
    ended = run(
        "export", "-m", "m.json", "--prefix", "0", "--to", "subword-nmt", "--verify", "corpus.txt", "-o", "c.bpe"
    )
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "pairloom: error: subword_nmt refuses the file: it has no merges; export without --verify\n"
    assert not (folder / "c.bpe").exists()


def test_a_folder_that_is_a_file(folder: Path) -> None:
    ended = run("export", "-m", "m.json", "--to", "vocab-merges", "-o", "corpus.txt")
    assert (ended.code, ended.out) == (1, "")
    assert "corpus.txt: Not a directory" in ended.err


def test_a_report_by_line(folder: Path) -> None:
    (folder / "codes.bpe").write_text("#version: 0.1\na b\nb c\na b\nab c\na bc\n")
    ended = run("import", "codes.bpe", "-o", "m2.json", "--report", "report.json", "--no-marker")
    assert ended.code == 0
    assert ended.err.splitlines() == [
        "codes.bpe:4: warning: a+b is listed before (line 2): this one never acts [duplicate]",
        "codes.bpe:6: warning: abc is made before (line 5, ab+c): it keeps its ID [made-twice]",
        "codes.bpe:6: warning: a+bc never acts: abc always becomes ab+c (line 5) [unreachable]",
    ]
    report = json.loads((folder / "report.json").read_text())
    assert report["counts"] == {"duplicate": 1, "made-twice": 1, "unreachable": 1}
    assert report["fingerprint"] == load("m2.json").fingerprint
    assert [finding["line"] for finding in report["findings"]] == [4, 6, 6]


def test_a_refused_file_leaves_no_model(folder: Path) -> None:
    (folder / "codes.bpe").write_text("l o\nl o w\nx \x1b[31m\n")
    ended = run("import", "codes.bpe", "-o", "m2.json", "--report", "report.json")
    assert (ended.code, ended.out) == (1, "")
    assert "codes.bpe:2: error: 3 symbols" in ended.err
    assert ended.err.splitlines()[-1].startswith("pairloom: error: codes.bpe: invalid model at line 2: 3 symbols")
    assert "\x1b" not in ended.err
    assert not (folder / "m2.json").exists()
    assert json.loads((folder / "report.json").read_text())["accepted"] is False


def test_options_for_what_a_file_does_not_say(folder: Path) -> None:
    (folder / "codes.bpe").write_text("l o\n")
    run("import", "codes.bpe", "--lowercase", "--pre-tokenizer", "punctuation", "--marker", "-o", "m2.json")
    model = load("m2.json")
    assert (model.lowercase, model.pre_tokenizer, model.marker) == (True, "punctuation", True)
    (folder / "ends.bpe").write_text("#version: 0.2\nl o</w>\n")
    ended = run("import", "ends.bpe", "--end-of-word", "¶", "-o", "m3.json")
    assert ended.code == 0
    assert load("m3.json").encode("lo¶").tokens == ("lo¶",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", "b", "c", "--from", "vocab-merges"), "vocab-merges is vocab.json and merges.txt, not 3 files"),
        (("a", "--from", "vocab-merges"), "vocab-merges is two files"),
        (("a", "b", "--from", "subword-nmt"), "subword-nmt is one file, not 2 files"),
    ],
)
def test_wrong_use_of_import(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = run("import", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_counting_and_training_from_counts(folder: Path) -> None:
    assert run("count", "corpus.txt").out == "low\t2\nlower\t1\n"
    assert run("count", "--lines", text="b a\na b b\n").out == "b\t3\na\t2\n"
    assert run("count", "--pre-tokenizer", "punctuation", text="don't").out == "▁don\t1\n'\t1\nt\t1\n"
    assert run("count", "--threads", "3", "corpus.txt", "m.json").out == run("count", "corpus.txt", "m.json").out
    assert run("count", "--threads", "0", "corpus.txt").code == 2
    run("count", "corpus.txt", "-o", "counts.tsv")
    run("count", "corpus.txt", "--to", "parquet", "-o", "counts.parquet")
    run("train", "--merges", "10", "corpus.txt", "-o", "from-text.json")
    for name in ("counts.tsv", "counts.parquet"):
        assert run("train", "--counts", "--merges", "10", name, "-o", "from-counts.json").code == 0
        assert (folder / "from-counts.json").read_bytes() == (folder / "from-text.json").read_bytes()
    run("train", "--counts", "counts.tsv", "counts.parquet", "-o", "twice.json")
    assert load("twice.json").initial_tokens == 2 * 14


@pytest.mark.parametrize(
    ("arguments", "text", "code", "message"),
    [
        (("count", "--to", "parquet"), "a", 2, "-o names its file"),
        (("train", "--counts", "--lines"), "a\t1", 2, "exclude each other"),
        (("train", "--counts"), "a\t1\nb\n", 1, "<stdin>: invalid model at line 2"),
        (("train", "--counts"), "a\t0\n", 1, "<stdin>: invalid word count"),
        (("count",), "a▁b", 1, "▁"),
    ],
)
def test_what_is_wrong_with_counts(arguments: tuple[str, ...], text: str, code: int, message: str) -> None:
    ended = run(*arguments, text=text)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err


def test_pre_tokens(folder: Path) -> None:
    assert run("normalize", "--pre-tokens", text=" Low  lower\n").out == "▁Low ▁lower\n"
    ended = run("normalize", "--pre-tokens", "--pre-tokenizer", "punctuation", "--lowercase", "--json", text="Don't")
    assert json.loads(ended.out)["pre_tokens"] == ["▁don", "'", "t"]


def test_nothing_hostile_reaches_a_terminal(folder: Path) -> None:
    text = " ".join(HOSTILE)
    save(train(text, min_frequency=1), folder / "h.json")
    (folder / "h.txt").write_text(text, "utf-8")
    (folder / "h.codes").write_text("".join(f"{word} {word}\n" for word in HOSTILE), "utf-8")
    for arguments in (
        ("import", "h.codes"),
        ("export", "-m", "m.json", "--to", "tokenizer.json", "-o", "t", "--verify", "h.txt"),
        ("export", "-m", "h.json", "--to", "trace.csv"),
        ("export", "-m", "h.json", "--to", "tokenizer.json"),
        ("export", "-m", "h.json", "--to", "subword-nmt"),
        ("export", "-m", "h.json", "--to", "trace.json"),
        ("count", "h.txt"),
        ("normalize", "--pre-tokens", "h.txt"),
        ("normalize", "--pre-tokens", "--json", "h.txt"),
    ):
        out = run_in_terminal(*arguments).out.replace("\r\n", "\n")
        assert out
        cells = [cell for line in out.split("\n") for cell in line.split("\t")]
        assert not [span for cell in cells for span in visible(cell) if span.kind == "escape"], arguments
