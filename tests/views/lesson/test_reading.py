"""Answers as people type them: generous in form, never in substance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.views.lesson.reading import is_written_as, means_never, read_number, read_pair, read_rounds, read_split

STANDING = [("u", "g"), ("h", "ug"), ("▁", "l"), ("▁lo", "w")]


@pytest.mark.parametrize(
    "text",
    [
        "h+ug",
        "h + ug",
        " h ug ",
        "(h, ug)",
        "h,ug",
        "hug",
        "'h' + 'ug'",
        "h + ug -> hug",
        "h+ug → hug (15)",
        "h+ug: 15",
    ],
)
def test_ways_to_write_a_pair(text: str) -> None:
    assert ("h", "ug") in read_pair(text, STANDING, marker=False)


@pytest.mark.parametrize("text", ["▁ + l", "_+l", " + l", "_ l", "▁l", "_l", " l"])
def test_ways_to_write_the_marker(text: str) -> None:
    assert ("▁", "l") in read_pair(text, STANDING, marker=True)


def test_the_marker_can_be_part_of_a_symbol() -> None:
    for text in ("_lo + w", "▁lo w", " lo + w"):
        assert ("▁lo", "w") in read_pair(text, STANDING, marker=True)


def test_without_markers_an_underscore_is_one() -> None:
    assert read_pair("_ + l", [], marker=False) == [("_", "l")]


def test_a_marker_never_stands_on_the_right() -> None:
    assert all(right != "▁l" for _, right in read_pair("a + _l", [], marker=True))


def test_signs_can_be_symbols() -> None:
    assert ("+", "+") in read_pair("+ + +", [], marker=False)
    assert (",", "a") in read_pair(", + a", [], marker=False)
    assert ("=", "a") in read_pair("= + a", [], marker=False)
    assert ("'1'", "a") in read_pair("'1' + a", [], marker=True)
    assert ("'1'", '"a"') in read_pair("""'1' + "a\"""", [], marker=True)
    assert ("=", ">") in read_pair("= + > → =>", [], marker=False)
    assert ("▁", "==") in read_pair("_ + == -> _== (3)", [], marker=True)


@pytest.mark.parametrize("text", ["?", "u", "g+", "a b c"])
def test_what_is_no_pair(text: str) -> None:
    assert read_pair(text, STANDING, marker=False) == []


@given(left=st.text(st.sampled_from("ab+,→=('_1"), min_size=1, max_size=4), right=st.text("ab+, ", min_size=1))
def test_any_pair_of_symbols_can_be_written(left: str, right: str) -> None:
    right = right.replace(" ", "") or "b"
    assert (left, right) in read_pair(f"{left} + {right}", [], marker=True)


@pytest.mark.parametrize(
    ("text", "rounds", "parts"),
    [
        ("u+g", 1, ["u+g"]),
        ("u+g, u+n", 2, ["u+g", "u+n"]),
        ("u+g; u+n; h+ug", 3, ["u+g", "u+n", "h+ug"]),
        ("u+g\nu+n\n", 2, ["u+g", "u+n"]),
        ("1) u+g\n2) u+n", 2, ["u+g", "u+n"]),
        ("(u, g), (u, n)", 2, ["u, g", "u, n"]),
        ("ug un hug", 3, ["ug", "un", "hug"]),
        ("u+g, u+n", 3, ["u+g", "u+n"]),
        ("_+a,  +b", 2, ["_+a", " +b"]),
    ],
)
def test_several_pairs(text: str, rounds: int, parts: list[str]) -> None:
    assert read_rounds(text, rounds) == parts


@pytest.mark.parametrize(
    "text",
    [
        "▁l ow er",
        "_l ow er",
        "_l|ow|er",
        "▁l + ow + er",
        "▁l, ow, er",
        "_l/ow/er",
        "_l-ow-er",
        "_l · ow · er",
        "l ow er",
    ],
)
def test_ways_to_write_a_split(text: str) -> None:
    assert read_split(text, "▁lower") == ("▁l", "ow", "er")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("_a b", ("▁_a", "b")),
        ("▁_a b", ("▁_a", "b")),
        ("__a b", ("▁_a", "b")),
        ("_ _ ab", ("▁", "_", "ab")),
        ("__ ab", ("▁_", "ab")),
    ],
)
def test_a_word_that_begins_with_an_underscore(text: str, pieces: tuple[str, ...]) -> None:
    """Its own underscore may be all that was typed, or stand behind the one for the marker."""
    assert read_split(text, "▁_ab") == pieces


def test_signs_in_words_are_kept() -> None:
    assert read_split("a+ b", "a+b") == ("a+", "b")
    assert read_split("a_ b", "a_b") == ("a_", "b")
    assert read_split("- a", "-a") == ("-", "a")
    assert read_split(".,, ;;", ".,;;") == (".,", ";;")
    assert read_split("a/ | /b", "a//b") == ("a/", "/b")


@pytest.mark.parametrize("sign", "|+,/·-")
def test_the_sign_between_the_pieces_may_stand_in_them(sign: str) -> None:
    pieces = ("▁a", sign, sign + "b")
    for first in ("▁a", "_a", "a"):
        assert is_written_as(sign.join((first, *pieces[1:])), pieces)
        assert is_written_as(f" {sign} ".join((first, *pieces[1:])), pieces)
    assert not is_written_as(sign.join(("▁a", sign + sign, "b")), ("▁a", sign, sign, "b"))
    assert not is_written_as("".join(pieces), pieces)


def test_a_split_of_something_else_is_returned_as_it_was_typed() -> None:
    assert read_split("l o w", "▁high") == ("l", "o", "w")
    assert read_split("  ", "▁high") == ()


@given(
    pieces=st.lists(
        st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=3), min_size=1, max_size=5
    )
)
def test_any_split_can_be_written(pieces: list[str]) -> None:
    word = "".join(pieces)
    if any(char.isspace() for char in word):
        return
    assert read_split(" ".join(pieces), word) == tuple(pieces)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        (" 15 ", 15),
        ("1,234", 1234),
        ("1.234", 1234),
        ("1 234", 1234),
        ("12 merges", 12),
        ("= 7", 7),
        ("1.5", None),
        ("-3", None),
        ("−3", None),
        ("3 or 4", None),
        ("seven", None),
        ("٣", None),
        ("9" * 40, None),
    ],
)
def test_numbers(text: str, number: int | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("text", "never"), [("never", True), (" Nie! ", True), ("∞", True), ("0", False), ("no", False)]
)
def test_never(text: str, *, never: bool) -> None:
    assert means_never(text) is never
