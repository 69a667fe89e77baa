"""What is shown of any text (rule N9)."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom import unicode_data
from pairloom.views.display import DOTTED_CIRCLE, MAX_MARKS, Kind, Span, escape, plain, visible


def shown(text: str) -> list[tuple[Kind, str]]:
    return [(span.kind, span.text) for span in visible(text)]


def stays(text: str) -> bool:
    return shown(text) == [("text", text)] and plain(text) == text


def is_written_out(text: str) -> bool:
    return shown(text) == [("escape", escape(ord(code_point))) for code_point in text]


def read_back(line: str) -> str:
    """Undo `plain`, by nothing but what its documentation says."""
    escape_at = re.compile(r"(?<!\\)(\\+)u(?:([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]+)\})")

    def undo(found: re.Match[str]) -> str:
        backslashes, short, long = found.groups()
        typed = "\\" * (len(backslashes) // 2)
        return typed + (chr(int(short or long, 16)) if len(backslashes) % 2 else found.group()[len(backslashes) :])

    def drop_circle(found: re.Match[str]) -> str:
        mark = ord(found.group(1))
        hidden = not unicode_data.is_mark(mark) or unicode_data.is_default_ignorable(mark)
        return found.group() if hidden else found.group(1)

    without_circles = re.sub(f"{DOTTED_CIRCLE}(.)", drop_circle, line, flags=re.DOTALL)
    return escape_at.sub(undo, without_circles)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words, 1 + 1 = 2",
        r"a backslash \n and C:\users",
        "Straße, Ελλάς, Привет, ქართული",
        "עברית العربية",  # letters from right to left: isolating them is the page's task
        "漢字かな한국어",
        "e\u0301 a\u0308\u0304",  # marks on a base
        "हिन्दी क्ष தமிழ்",
        "क\u094d\u200dष می\u200cخواهم",  # joiners inside a word
        "👩\u200d💻 👨\u200d👩\u200d👧",
        "❤\ufe0f\u200d🔥 1\ufe0f\u20e3",
        "👍🏽 🇩🇪",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "葛\U000e0100",  # an ideographic variation
        "\u182a\u1820\u180e\u1820",  # a Mongolian vowel separator between Mongolian letters
        "\U00013153\U00013430\U00013135",  # joined hieroglyphs
        "\u0600\u0661 \u06dd",  # Cf, and visible all the same
        "\ue000 \U000f0000",  # private use
        "\u0378",  # unassigned
        "\ufffc\ufffd",
        "a\u034f\u0301",  # a grapheme joiner between visible code points
        "▁word",
    ],
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert not text or stays(text)
    assert text or (visible(text), plain(text)) == ((), "")


@pytest.mark.parametrize(
    "text",
    [
        "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)])),  # Cc, U+0085 and the escape of terminals among them
        "\u2028\u2029",
        "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",  # bidi controls
        "\ufeff\u200b\u00ad\u2060\u2061\u2062\u2063\u2064\u206a\u206f",
        "".join(space for space in unicode_data.WHITESPACE if space != " "),
        "\u115f\u1160\u3164\uffa0",  # fillers of Hangul
        "\u17b4\u17b5",  # Khmer, invisible by definition
        "\u200d\u200c\u034f\u180e",  # joiners with nothing to join
        "\ufe0f\ufe0e\u180b\U000e0100",  # variation selectors without a base
        "\U000e0001\U000e0020\U000e0067\U000e007f",  # tags outside of a flag
        "\ufff9\ufffa\ufffb",
        "\U0001bca0\U0001d173",  # format controls of shorthand and music
        "\U00013430\U0001343f",
        "\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff",  # noncharacters
        "\ud800\udfff",  # cannot occur, must not crash
        "\u2800\U0001d159",  # blanks that are called symbols
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str) -> None:
    assert is_written_out(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("👩\u200d", "👩⟨200d⟩"),  # half an emoji
        ("\u200d💻", "⟨200d⟩💻"),
        ("a\u200c\u200db", "a⟨200c⟩⟨200d⟩b"),  # neither stands between two visible code points
        ("a \u200db", "a ⟨200d⟩b"),
        ("▁\u200cb", "▁⟨200c⟩b"),  # a word's start, whatever its marker
        ("a\u180eb", "a⟨180e⟩b"),
        ("a\ufe0f\ufe0f", "a\ufe0f⟨fe0f⟩"),
        ("e\u0301\ufe0f", "e\u0301⟨fe0f⟩"),
        (" \ufe0f", " ⟨fe0f⟩"),
        ("Ent\u00adscheidung", "Ent⟨00ad⟩scheidung"),
        ("a\u200bb", "a⟨200b⟩b"),
        ("a\u202eb", "a⟨202e⟩b"),
        ("\x1b[31mred", "⟨001b⟩[31mred"),
        ("🏴\U000e0067\U000e007f", "🏴⟨e0067⟩⟨e007f⟩"),  # too short for a flag
        ("🏴\U000e0067\U000e0062\U000e0073", "🏴⟨e0067⟩⟨e0062⟩⟨e0073⟩"),  # not finished
        ("👍\U000e0067\U000e0062\U000e0073\U000e007f", "👍⟨e0067⟩⟨e0062⟩⟨e0073⟩⟨e007f⟩"),  # no flag
        ("\u0301", "(\u0301)"),
        ("\u0301a", "(\u0301)a"),
        ("\u0301\u0308a", "(\u0301\u0308)a"),
        ("\u093f", "(\u093f)"),  # a spacing mark
        ("\u20dd", "(\u20dd)"),  # an enclosing one
        ("▁\u0301", "▁(\u0301)"),
        ("a \u0301", "a (\u0301)"),
        ("\x00\u0301", "⟨0000⟩(\u0301)"),  # else it would stand on the escape's last digit
        ("\u0301\u200d", "(\u0301)⟨200d⟩"),
        (f"{DOTTED_CIRCLE}\u0301", f"{DOTTED_CIRCLE}\u0301"),  # typed by hand: the text itself
    ],
)
def test_what_stands_alone_is_told_from_what_is_part_of_a_cluster(text: str, expected: str) -> None:
    def written(span: Span) -> str:
        match span.kind:
            case "text":
                return span.text
            case "mark":
                return f"({span.text.removeprefix(DOTTED_CIRCLE)})"
            case "escape":
                return f"⟨{span.text.strip('{}u' + chr(92))}⟩"

    assert "".join(map(written, visible(text))) == expected


def test_escapes_have_four_digits_or_braces() -> None:
    assert [escape(code_point) for code_point in (0, 0xAD, 0xFFFF, 0x10000, 0xE0001, 0x10FFFF)] == [
        r"\u0000",
        r"\u00ad",
        r"\uffff",
        r"\u{10000}",
        r"\u{e0001}",
        r"\u{10ffff}",
    ]


def test_an_escape_differs_from_the_same_characters_typed_by_hand() -> None:
    assert shown("\0") == [("escape", r"\u0000")]
    assert shown(r"\u0000") == [("text", r"\u0000")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\0", r"\u0000"),
        (r"\u0000", r"\\u0000"),
        (r"\u{e0001}", r"\\u{e0001}"),
        (r"\\u0000", r"\\\\u0000"),
        ("\\\0", r"\\\u0000"),
        ("\0" + r"\u0000", r"\u0000\\u0000"),
        ("\0" + "12", r"\u000012"),
        (r"\usepackage \n \u12", r"\usepackage \n \u12"),
        ("\u0301", "◌\u0301"),
        ("◌\u0301", r"\u25cc" + "◌\u0301"),
        ("\\◌\u0301", r"\\\u25cc" + "◌\u0301"),
        ("◌ ◌", "◌ ◌"),
    ],
)
def test_plain_text_could_be_read_back(text: str, expected: str) -> None:
    assert plain(text) == expected
    assert read_back(expected) == text


# Code points with a role, mixed with any others.
TRICKY = (
    "aé \\u0{}12f▁◌\n\t\x00\x1b\x85\xa0\xad\u0301\u0308\u034f\u061c\u093f\u115f\u180b\u180e\u1820\u1828\u200b\u200c"
    "\u200d\u202e\u2066\u2069\u20dd\u20e3\u2800\u3164\ufe0f\ufeff\ufff9\uffff👩💻🏴🇩🏽א"
    "\U000e0001\U000e0031\U000e0062\U000e0067\U000e0073\U000e007f\U000e0100\U00013153\U00013430\U0010ffff"
)
texts = st.text(st.one_of(st.sampled_from(TRICKY), st.characters()), max_size=30)
# Neither mark nor invisible: what nobody would expect to change.
ordinary = st.text(
    st.characters(categories=["L", "Nd", "P", "S"]).filter(
        lambda character: (
            not unicode_data.is_default_ignorable(ord(character))
            and not unicode_data.is_mark(ord(character))
            and character not in "\\\u2800\U0001d159"
        )
    )
)


@pytest.mark.parametrize("base", ["a", "ก", "", "▁", "\u25cc", "👩"])
@pytest.mark.parametrize("marks", ["\u0301", "\u0301\u0323", "\u0489", "\u0301\u034f", "\u0e49"])
def test_a_stack_of_marks_has_a_height(base: str, marks: str) -> None:
    """More than any script needs is written out, so that stacks of different heights look different."""
    looks = set()
    for count in range(1, 60):
        text = base + marks * count
        spans = visible(text)
        looks.add(tuple(spans))
        assert "".join(span.source for span in spans) == text
        standing = "".join(span.text for span in spans if span.kind != "escape")
        assert sum(map(unicode_data.is_mark, map(ord, standing.replace("\u034f", "")))) <= MAX_MARKS
        # On one base, and never a second circle for the rest of the same stack.
        assert standing.count(DOTTED_CIRCLE) <= 1
        assert read_back(plain(text)) == text
    assert len(looks) == 59


def test_what_follows_a_stack_begins_anew() -> None:
    stack = "\u0301" * (MAX_MARKS + 2)
    kept, rest = stack[:MAX_MARKS], [("escape", "\\u0301")] * 2
    assert shown(f"a{stack}e\u0301") == [("text", "a" + kept), *rest, ("text", "e\u0301")]
    assert shown(f"{stack}b") == [("mark", DOTTED_CIRCLE + kept), *rest, ("text", "b")]
    assert shown(f"a{stack} \u0301") == [("text", "a" + kept), *rest, ("text", " "), ("mark", DOTTED_CIRCLE + "\u0301")]
    assert stays("a" + kept)
    assert stays("རྒྱུད ཧཱུྃ שָׁ֣לוֹם ậ̃")


@given(texts)
def test_the_sources_of_the_spans_are_the_text(text: str) -> None:
    spans = visible(text)
    assert "".join(span.source for span in spans) == text
    assert all(span.source for span in spans)
    for span in spans:
        match span.kind:
            case "text":
                assert span.text == span.source
            case "mark":
                assert span.text == DOTTED_CIRCLE + span.source
            case "escape":
                assert span.text == escape(ord(span.source))


@given(texts)
def test_texts_are_whole_and_escapes_are_single(text: str) -> None:
    kinds = [span.kind for span in visible(text)]
    assert ("text", "text") not in list(pairwise(kinds))


@given(texts)
def test_nothing_that_disturbs_gets_through(text: str) -> None:
    for output in (plain(text), "".join(span.text for span in visible(text))):
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", output)
        for code_point in map(ord, output):
            assert not unicode_data.is_bidi_control(code_point)
            assert not unicode_data.is_noncharacter(code_point)
            assert code_point == 0x20 or not unicode_data.is_whitespace(code_point)


@given(texts)
def test_invisible_code_points_only_stand_after_visible_ones(text: str) -> None:
    for span in visible(text):
        first = ord(span.text[0])
        assert not unicode_data.is_default_ignorable(first)
        assert not (span.kind == "text" and unicode_data.is_mark(first))


@given(ordinary)
def test_a_text_without_specials_stays_as_it_is(text: str) -> None:
    assert not text or stays(text)


@given(texts)
def test_plain_loses_nothing(text: str) -> None:
    assert read_back(plain(text)) == text


def test_long_runs_are_shown_in_linear_time_and_memory() -> None:
    for run in ("é", "\u0301", "e\u0301", "a\u200d", "\U00013430", "\0", "🏴\U000e0067", "\\"):
        text = run * 20_000
        assert "".join(span.source for span in visible(text)) == text
        assert read_back(plain(text)) == text
