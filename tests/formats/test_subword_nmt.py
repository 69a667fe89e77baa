"""subword-nmt itself applies our codes and gives our tokens; what it learns is read here and gives its tokens."""

from __future__ import annotations

import io
import random
from collections import Counter

import pytest
from subword_nmt.apply_bpe import BPE  # type: ignore[import-untyped]  # it has no types
from subword_nmt.learn_bpe import learn_bpe  # type: ignore[import-untyped]  # as above

from pairloom.formats import subword_nmt
from pairloom.formats.exchange import export_files, import_files
from pairloom.formats.hugging_face import settings_of_model
from pairloom.formats.subword_nmt import NAME, STAND_IN
from pairloom.formats.verifying import disagreements
from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.trainer import train
from tests.support import random_texts
from tests.support.strategies import POOLS

PROSE = "the cat sat on the mat and the rat sat on the cat; that mat is flat, the other one fat"


def applied(codes: str, words: list[str]) -> list[list[str]]:
    """The tokens that subword-nmt gives for each word."""
    bpe = BPE(io.StringIO(codes), separator="")
    return [bpe.segment_tokens([word]) for word in words]


def learned(text: str, merges: int) -> str:
    """The codes that subword-nmt learns, as it writes them: version 0.2."""
    codes = io.StringIO()
    learn_bpe(io.StringIO(text), codes, merges, min_frequency=2)
    return codes.getvalue()


def test_our_codes_give_our_tokens() -> None:
    drawn = random.Random(1)
    compared = 0
    for _ in range(400):
        pool = drawn.choice(POOLS)
        model = train(random_texts.words(drawn, pool) + " ab ab", 60)
        codes = subword_nmt.dumps(model).decode("utf-8")
        words = pre_tokenize(normalize(random_texts.words(drawn, pool + "ab")))
        expected = [list(model.merge_table.merge(word, prefix=len(model.merges)).starts) for word in words]
        for word, tokens, starts in zip(words, applied(codes, words), expected, strict=True):
            assert [sum(map(len, tokens[:place])) for place in range(len(tokens))] == starts, ascii(word)
            compared += 1
    assert compared > 1000


def test_verifying_with_subword_nmt() -> None:
    model = train(PROSE, 50)
    texts = [PROSE, "the  flat\ncat", "zebra", ""]
    assert list(disagreements(model, NAME, export_files(model, NAME), texts)) == []


@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
def test_there_and_back_with_alphabet_and_settings(pre_tokenizer: str) -> None:
    model = train(PROSE, 50, pre_tokenizer=pre_tokenizer)
    imported = import_files(NAME, export_files(model, NAME), settings=settings_of_model(model), alphabet=model.alphabet)
    assert imported.model.fingerprint == model.fingerprint
    assert imported.found == ()


def test_their_codes_give_their_tokens_with_the_stand_in() -> None:
    drawn = random.Random(2)
    texts = [PROSE, *(normalize(random_texts.words(drawn, pool + "ab", most=30)) + " abab abab" for pool in POOLS)]
    # Python's own line ends inside a text would be line ends to subword-nmt, too.
    texts = [" ".join(text.split()) for text in texts]
    for text in texts:
        codes = learned(text, 60)
        model = import_files(NAME, {NAME: codes.encode("utf-8")}).model
        for word in Counter(text.split(" ")):
            theirs = applied(codes, [word])[0]
            ours = model.encode(word + STAND_IN).tokens
            assert [token for token in (each.removesuffix(STAND_IN) for each in ours) if token] == theirs, ascii(word)


@pytest.mark.parametrize("codes", ["d d\n", "b b\na a\na b\na a</w>\nbb b\n"])
def test_in_0_2_a_plain_pair_does_not_act_at_the_end_of_a_word(codes: str) -> None:
    codes = f"#version: 0.2\n{codes}"
    model = import_files(NAME, {NAME: codes.encode()}).model
    for word in ("dd", "ddd", "bdd", "bb", "zbzbab", "aab", "z", "b"):
        ours = model.encode(word + STAND_IN).tokens
        assert [token for token in (each.removesuffix(STAND_IN) for each in ours) if token] == applied(codes, [word])[0]


def test_what_short_trainings_learn_gives_their_tokens() -> None:
    """With few merges most characters have no `</w>` in the file; subword-nmt ends words all the same."""
    drawn = random.Random(3)
    for _ in range(60):
        text = " ".join("".join(drawn.choices("abcd", k=drawn.randint(1, 6))) for _ in range(40))
        codes = learned(text, drawn.choice([1, 2, 5, 12]))
        model = import_files(NAME, {NAME: codes.encode("utf-8")}).model
        for word in set(text.split(" ")):
            ours = model.encode(word + STAND_IN).tokens
            tokens = [token for token in (each.removesuffix(STAND_IN) for each in ours) if token]
            assert tokens == applied(codes, [word])[0], (codes, word)


def test_a_list_with_markers_that_says_0_2_is_taken_without_ends_and_says_so() -> None:
    imported = import_files(NAME, {NAME: "#version: 0.2\nl o\n▁ lo\n".encode()})
    assert [(finding.severity, finding.kind, finding.line) for finding in imported.found] == [
        ("warning", "converted", 3)
    ]
    assert imported.model.encode("lo").tokens == ("▁lo",)


@pytest.mark.parametrize("version", ["0." + "9" * 5000, "0.10", "1.2", "0.2.1", "٠.٢"])
def test_other_versions_are_refused(version: str) -> None:
    (finding,) = import_files(NAME, {NAME: f"#version: {version}\na b\n".encode()}).errors
    assert (finding.kind, finding.line) == ("version", 1)


def test_codes_of_the_first_version() -> None:
    """In 0.1 `</w>` is a symbol of its own behind the word, also where no version is named."""
    codes = "l o\nlo w\nw </w>\nlow </w>\ne r</w>\n"
    refused = import_files(NAME, {NAME: codes.encode()})
    assert [(finding.line, finding.kind) for finding in refused.errors] == [(5, "nothing-makes")]
    codes = "l o\nlo w\nw </w>\nlow </w>\nr </w>\ne r</w>\n"
    for text in (codes, f"#version: 0.1\n{codes}"):
        model = import_files(NAME, {NAME: text.encode()}).model
        for word in ("low", "lower", "w", "wow", "er"):
            theirs = applied(text, [word])[0]
            ours = model.encode(word + STAND_IN).tokens if len(word) > 1 else (word,)
            assert [token for token in (each.removesuffix(STAND_IN) for each in ours) if token] == theirs


@pytest.mark.parametrize("version", ["0.1", "0.2", "0.2.0"])
def test_models_without_merges(version: str) -> None:
    imported = import_files(NAME, {NAME: f"#version: {version}\n".encode()}, alphabet="ab")
    assert imported.model.merges == ()
    assert imported.model.alphabet == ("a", "b", "▁")
    empty = train("ab", 0)
    assert import_files(NAME, export_files(empty, NAME), alphabet="ab").model.fingerprint == empty.fingerprint
    assert any("refuses a file without merges" in limit for limit in subword_nmt.limits(empty))


def test_a_stand_in_that_the_file_uses_is_refused_by_line() -> None:
    codes = f"#version: 0.2\na b</w>\n{STAND_IN} a\n".encode()
    (finding,) = import_files(NAME, {NAME: codes}).errors
    assert (finding.kind, finding.line) == ("end-of-word", 3)
    assert import_files(NAME, {NAME: codes}, end_of_word="¶").model.alphabet == ("a", "b", "¶", STAND_IN)


def test_limits_are_said_where_they_hold() -> None:
    plain = subword_nmt.limits(train("ab ab", 10))
    twice = subword_nmt.limits(
        Model.from_merges("abc", [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")], marker=False)
    )
    mark = [("<", "/"), ("</", "w"), ("</w", ">"), ("x", "</w>")]
    marked = subword_nmt.limits(Model.from_merges("</w>x", mark, marker=False))
    assert not any("made twice" in limit or "</w>" in limit or "U+" in limit for limit in plain)
    assert any("U+001C, U+0085 of a text" in limit for limit in subword_nmt.limits(train("a\x1c a\x85 b\x1f", 2)))
    assert any("made twice" in limit for limit in twice)
    assert any("</w>" in limit for limit in marked)
