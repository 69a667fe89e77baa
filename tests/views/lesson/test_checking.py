"""Right answers are right however they are written; wrong ones are told why, and what is told is true."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairloom import educational
from pairloom.history import History
from pairloom.model import Model
from pairloom.trainer import train, train_from_word_counts
from pairloom.unicode_data import MARKER
from pairloom.views.lesson.checking import Verdict, check, why_smaller
from pairloom.views.lesson.fixed import fixed_problem
from pairloom.views.lesson.messages import MESSAGES, message_of
from pairloom.views.lesson.problems import (
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    SplitAnswer,
    next_merges,
    replacements,
    split,
    tie,
    until_whole,
    words_to_ask,
)
from pairloom.views.lesson.sentences import CodePoint, Joined, Row, Symbol, Typed
from pairloom.views.lesson.wording import solution
from pairloom.word_counts import WordCounts, count_words
from tests.support.repository import ROOT
from tests.support.strategies import tables
from tests.views.lesson.oracle import corpus_at


def hugs() -> History:
    return fixed_problem("hug_merges").problem.history


def table_history(counts: dict[str, int]) -> History:
    table = WordCounts(counts, marker=False)
    return History.of(table, train_from_word_counts(table, 10**6))


def reason_of(problem: Problem, text: str) -> str:
    verdict = check(problem, text)
    assert not verdict.is_right
    return verdict.reasons[-1].code if len(verdict.reasons) < 3 else verdict.reasons[2].code


def asked(history: History, prefix: int) -> Problem:
    problem = next_merges(history, prefix)
    assert problem is not None
    return problem


# -- the next merge


def test_a_less_frequent_pair_is_told_with_both_numbers() -> None:
    verdict = check(asked(hugs(), 0), "p + u")
    (reason,) = verdict.reasons
    assert reason.code == "pair.less_frequent"
    assert reason.values == {
        "pair": Joined("p", "u"),
        "best": Joined("u", "g"),
        "frequency": 17,
        "highest": 20,
    }
    assert verdict.understood == (Joined("p", "u"),)


@pytest.mark.parametrize(
    ("prefix", "text", "code"),
    [
        (0, "ug + s", "pair.no_symbol"),
        (0, "gh + s", "pair.never_symbol"),
        (0, "g + u", "pair.turned"),
        (0, "s + h", "pair.absent"),
        (0, "?", "read.no_pair"),
        (0, "u + g, u + n", "read.one_pair"),
        (0, " ", "read.empty"),
        (0, "u" * 1001, "read.too_long"),
        (1, "u + g", "pair.absent"),
    ],
)
def test_why_a_pair_is_wrong(prefix: int, text: str, code: str) -> None:
    assert reason_of(asked(hugs(), prefix), text) == code


def test_the_first_wrong_round_is_told() -> None:
    problem = fixed_problem("hug_merges").problem
    verdict = check(problem, "u+g, h+ug, u+n")
    assert [reason.code for reason in verdict.reasons] == ["pair.rounds_right", "pair.in_round", "pair.less_frequent"]
    assert verdict.reasons[1].values == {"number": 2}
    assert check(problem, "u+n, u+n, h+ug").reasons[0].code == "pair.in_round"
    (count,) = check(problem, "u+g, u+n").reasons
    assert (count.code, count.values) == ("read.rounds", {"given": 2, "wanted": 3})


def test_a_tie_is_told_by_the_symbol_that_decides() -> None:
    history = table_history({"ab": 3, "ac": 3, "ba": 3})
    problem = tie(history, 0)
    assert problem is not None
    left, code_points = check(problem, "b+a").reasons
    assert (left.code, left.values["smaller"], left.values["larger"]) == ("pair.tied_left", Symbol("a"), Symbol("b"))
    assert code_points.values["larger_number"] == CodePoint(0x62)
    right, _ = check(problem, "a+c").reasons
    assert (right.code, right.values["smaller"], right.values["larger"]) == (
        "pair.tied_right",
        Symbol("b"),
        Symbol("c"),
    )


@pytest.mark.parametrize(
    ("smaller", "larger", "code"),
    [("lo", "low", "pair.beginning"), ("la", "lo", "pair.code_points"), ("\uffff", "\U00010000", "pair.code_points")],
)
def test_why_smaller(smaller: str, larger: str, code: str) -> None:
    assert why_smaller(smaller, larger).code == code


@given(counts=tables(max_count=3), data=st.data())
def test_what_is_told_of_any_pair_is_true(counts: dict[str, int], data: st.DataObject) -> None:
    history = table_history(counts)
    model = history.model
    if not model.merges:
        return
    prefix = data.draw(st.integers(0, len(model.merges) - 1))
    problem = asked(history, prefix)
    left, right = data.draw(st.sampled_from(model.vocabulary)), data.draw(st.sampled_from(model.vocabulary))
    merges = [(merge.left, merge.right) for merge in model.merges]
    frequencies = educational.count_pairs(corpus_at(counts, merges[:prefix]))
    verdict = check(problem, f"{left} + {right}")
    best = max(frequencies.values())
    if verdict.is_right:
        assert Joined(*merges[prefix]) in verdict.understood
        return
    (understood,) = verdict.understood
    assert isinstance(understood, Joined)
    frequency = frequencies[understood.left, understood.right]
    first = verdict.reasons[0]
    if frequency == 0:
        assert first.code in {"pair.absent", "pair.turned", "pair.no_symbol", "pair.never_symbol"}
    elif frequency < best:
        assert (first.code, first.values["frequency"], first.values["highest"]) == (
            "pair.less_frequent",
            frequency,
            best,
        )
    else:
        assert first.code in {"pair.tied_left", "pair.tied_right"}
        smaller, larger = first.values["smaller"], first.values["larger"]
        assert isinstance(smaller, Symbol)
        assert isinstance(larger, Symbol)
        assert smaller.text < larger.text


# -- splits


def abc() -> History:
    """a+b first, then b+c: in abc only one of them can be."""
    return table_history({"ab": 9, "bc": 5, "abc": 1})


@pytest.mark.parametrize(
    ("prefix", "word", "text", "code"),
    [
        (3, "bug", "bu g", "split.never_made"),
        (3, "bug", "b u g", "split.still_fits"),
        (1, "hugs", "hug s", "split.not_active"),
        (0, "hugs", "h ug s", "split.no_merge_active"),
        (3, "bug", "b o g", "read.spells"),
        (3, "thugs", "th ug s", "split.unknown_alone"),
        (3, "thugs", "t h ug s", "split.still_fits"),
        (3, "bug", "|", "read.spells"),
    ],
)
def test_why_a_split_is_wrong(prefix: int, word: str, text: str, code: str) -> None:
    assert reason_of(split(hugs(), prefix, word), text) == code


def test_the_merge_learned_first_comes_first() -> None:
    verdict = check(split(abc(), 2, "abc"), "a bc")
    (reason,) = verdict.reasons
    assert reason.code == "split.earlier"
    assert reason.values == {"pair": Joined("a", "b"), "number": 1, "tokens": Row(("ab", "c"))}


def test_unk_stands_for_the_unknown_character() -> None:
    problem = split(hugs(), 3, "thugs")
    for text in ("t hug s", "UNK hug s", "UNK|hug|s"):
        assert check(problem, text).is_right, text
    assert check(split(hugs(), 3, "thugt"), "UNK hug UNK").is_right


def test_a_list_that_makes_a_string_elsewhere_only() -> None:
    # aab is made of a+ab alone; the word aab has aa first and never comes to it.
    model = Model.from_merges("ab", [("a", "a"), ("a", "b"), ("a", "ab")], marker=False)
    history = History.of(WordCounts({"aab": 1}, marker=False), model)
    assert reason_of(split(history, 3, "aab"), "aab") in {"split.not_reached", "split.earlier"}
    assert next_merges(history, 0) is None


@settings(max_examples=60)
@given(counts=tables(max_count=3), data=st.data())
def test_every_other_split_is_wrong_for_a_reason_that_holds(counts: dict[str, int], data: st.DataObject) -> None:
    history = table_history(counts)
    model = history.model
    prefix = data.draw(st.integers(0, len(model.merges)))
    word = data.draw(st.sampled_from([word for word in counts if not any(char.isspace() for char in word)] or ["a"]))
    problem = split(history, prefix, word)
    assert isinstance(problem.answer, SplitAnswer)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(word)), max_size=5)) | {0, len(word)})
    pieces = tuple(word[start:end] for start, end in pairwise(cuts))
    verdict = check(problem, " ".join(pieces))
    assert verdict.understood == (Row(pieces),)
    assert verdict.is_right == (pieces == problem.answer.tokens)
    if verdict.is_right:
        return
    (reason,) = verdict.reasons
    assert reason.code != "split.not_reached"  # a trained model makes a string alike wherever it stands (T8)
    number = reason.values.get("number")
    if reason.code == "split.not_active":
        assert isinstance(number, int)
        assert number > prefix
        assert Symbol(model.merges[number - 1].result) == reason.values["piece"]
    if reason.code in {"split.still_fits", "split.earlier"}:
        assert isinstance(number, int)
        assert number <= prefix
        merge = model.merges[number - 1]
        assert reason.values["pair"] == Joined(merge.left, merge.right)
    if reason.code == "split.never_made":
        piece = reason.values["piece"]
        assert isinstance(piece, Symbol)
        assert model.token_id(piece.text) is None


# -- numbers


def test_why_a_number_of_replacements_is_wrong() -> None:
    problem = fixed_problem("run").problem
    assert isinstance(problem.answer, ReplacementsAnswer)
    assert [reason.code for reason in check(problem, "22").reasons] == ["number.overlap", *["number.in_word"] * 3]
    # Each word once: 2 + 2 + 1 replacements.
    assert check(problem, "5").reasons[0].code == "number.unweighted"
    assert check(problem, "8").reasons[0].code == "number.positions_once"
    assert [reason.code for reason in check(problem, "16").reasons] == ["number.in_word"] * 3
    assert check(problem, "many").reasons[0].code == "read.no_number"


def test_of_many_words_it_is_said_how_many_more_there_are() -> None:
    history = table_history({f"aa{chr(98 + place)}": 2 for place in range(9)})
    problem = replacements(history, 0)
    assert problem is not None
    *told, more = check(problem, "0").reasons
    assert [reason.code for reason in told] == ["number.in_word"] * 3
    assert (more.code, more.values) == ("number.further_words", {"more": 6})


def test_why_a_number_of_merges_is_wrong() -> None:
    whole, never = (fixed_problem(name).problem for name in ("until_whole", "never_whole"))
    assert [reason.code for reason in check(whole, "8").reasons] == ["number.off_by_one", "number.still_pieces"]
    assert check(whole, "3").reasons[0].values == {"given": 3, "tokens": Row(("▁", "n", "e", "w", "est"))}
    assert check(whole, "10").reasons[0].values == {"merges": 9}
    assert check(whole, "never").reasons[0].code == "number.becomes_whole"
    assert check(whole, "?").reasons[0].code == "read.no_number"
    assert check(never, "nie").is_right
    assert check(never, "9").reasons[0].code == "number.never_whole"
    assert [reason.code for reason in check(never, "99").reasons] == ["number.too_many", "number.never_whole"]


def test_a_word_of_one_character_is_whole_from_the_start() -> None:
    problem = until_whole(table_history({"a": 2, "ab": 2}), "a")
    assert check(problem, "0").is_right
    assert check(problem, "never").reasons[0].code == "number.from_the_start"


# -- the corpus on the page


def test_any_prefix_of_any_training_can_be_asked_about() -> None:
    text = "low low lower newest newest widest slow lowest"
    history = History.of(count_words(text), train(text))
    merges = history.model.merges
    for prefix in range(len(merges) + 1):
        words = words_to_ask(history, prefix)
        for word in words:
            before, after = history.segment(word, prefix), history.segment(word, prefix + 1)
            assert before != after
            assert check(split(history, prefix + 1, word), " ".join(after)).is_right
        changed = {
            word
            for word in history.word_counts.counts
            if prefix < len(merges) and history.segment(word, prefix) != history.segment(word, prefix + 1)
        }
        assert set(words) == changed
        problem = replacements(history, prefix)
        if prefix == len(merges):
            assert problem is None
            assert next_merges(history, prefix) is None
            assert tie(history, prefix) is None
        else:
            assert problem is not None
            assert check(problem, str(merges[prefix].replacements)).is_right
            following = next_merges(history, prefix)
            assert following is not None
            assert isinstance(following.answer, MergesAnswer)
            assert following.answer.rounds[0].merge == merges[prefix]
    assert replacements(history, 0, ("x", "y")) is None
    assert next_merges(history, 0, rounds=len(merges) + 1) is None


@pytest.mark.parametrize("sign", ["UNK", "<unk>", "?", "t"])
def test_an_unknown_character_may_be_named(sign: str) -> None:
    assert check(fixed_problem("hug_thugs").problem, f"{sign} hug s").is_right
    assert not check(fixed_problem("hug_thugs").problem, f"{sign} h ugs").is_right


def test_a_marker_left_out_is_a_token_that_is_missing() -> None:
    problem = fixed_problem("unknown").problem
    assert isinstance(problem.answer, SplitAnswer)
    assert problem.answer.tokens[0] == MARKER
    verdict = check(problem, " ".join(problem.answer.tokens[1:]))
    assert [reason.code for reason in verdict.reasons] == ["split.missing"]
    assert verdict.reasons[0].values == {"piece": Symbol(problem.answer.tokens[1])}
    assert verdict.understood == (Row(problem.answer.tokens[1:]),)
    # Who types it with the next character has a piece that begins with it.
    assert check(problem, "_" + " ".join(problem.answer.tokens[1:])).reasons[0].code != "split.missing"


def test_a_marker_left_out_of_a_word_that_begins_with_an_underscore() -> None:
    text = "ab ab cd"
    history = History.of(count_words(text), train(text, 1))
    answer = SplitAnswer(("▁", "_", "ab"), (0, None, 1), (), ("_",))
    problem = Problem("split", history, 1, "▁_ab", answer)
    assert check(problem, "_ _ ab").is_right
    verdict = check(problem, "_ ab")
    assert (verdict.understood, verdict.reasons[0].code) == ((Row(("_", "ab")),), "split.missing")
    assert check(problem, "__ ab").reasons[0].code != "split.missing"


def test_a_tie_of_two_has_a_smaller_one_and_no_smallest() -> None:
    problem = tie(table_history({"ab": 2, "cd": 2}), 0)
    assert problem is not None
    assert [each.code for each in solution(problem)] == ["solved.two_left", "pair.code_points"]
    problem = tie(table_history({"ad": 2, "ab": 2}), 0)
    assert problem is not None
    assert [each.code for each in solution(problem)] == ["solved.two_right", "pair.code_points"]


def test_every_message_is_said_somewhere() -> None:
    folder = ROOT / "src" / "pairloom" / "views"
    sources = "".join(path.read_text("utf-8") for path in folder.rglob("*.py") if not path.stem.endswith("messages"))
    built = ("sheet.", "kind.")  # the worksheet puts these together
    assert [code for code in MESSAGES if f'"{code}"' not in sources and not code.startswith(built)] == []


def test_every_reason_has_a_message() -> None:
    verdicts: list[Verdict] = [
        check(fixed_problem("run").problem, text) for text in ("", "22", "5", "16", "x", "9" * 1001)
    ]
    for verdict in verdicts:
        for reason in verdict.reasons:
            message = message_of(reason)
            assert message is MESSAGES[reason.code]
            message.singular.format(**dict.fromkeys(reason.values, ""))
    assert check(fixed_problem("run").problem, "x").reasons[0].values == {"typed": Typed("x")}
