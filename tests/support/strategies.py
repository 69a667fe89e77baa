"""Inputs for the laws: texts, corpora, tables of word counts, merge lists.

Random text over all of Unicode hardly ever repeats a pair, so most of what is drawn here comes from small pools of
code points that are chosen to meet: each pool is a place where some tool was wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.unicode_data import MARKER, WHITESPACE

POOLS = (
    "ab",
    "abc",
    "aA.",
    "\uffff\U00010000a",  # UTF-16 would order these two the other way round
    "😀😁a",
    "e\u0301\u0308é",  # composed and decomposed
    "Σσςa\ufeff'ʰ.",  # final sigma: cased, ignorable, both, neither
    "İiIı\u0307",  # the one mapping that grows
    "क्षि\u200d।",
    "می\u200cخ،",
    "❤\ufe0f!👩\u200d",
    "a\x00\x1c\x85\u180e\u200b",  # not whitespace
    "a_1-\u0301",
    "\U00010400\U00010428ꟋA",  # astral case, and a mapping that CPython 3.11 lacks
    "河边有一座",
)

# What separates words, the common one most often.
SPACE = st.one_of(st.just(" "), st.sampled_from(WHITESPACE), st.text(WHITESPACE, min_size=2, max_size=3))

# Any code point that a text may hold.
ANY_CODE_POINT = st.characters(exclude_categories=["Cs"], exclude_characters=MARKER)


@st.composite
def _words_of(draw: st.DrawFn, pool: str, max_words: int = 12) -> list[str]:
    """A few distinct words over one pool, drawn with repetition, so that there is something to learn."""
    one = st.text(st.sampled_from(pool), min_size=1, max_size=8)
    run = st.builds(lambda unit, times: unit * times, st.text(st.sampled_from(pool), min_size=1, max_size=3), _TIMES)
    distinct = draw(st.lists(st.one_of(one, run), min_size=1, max_size=5))
    return draw(st.lists(st.sampled_from(distinct), min_size=1, max_size=max_words))


_TIMES = st.integers(2, 12)


@st.composite
def _spaced(draw: st.DrawFn, words: list[str]) -> str:
    """The words with whitespace between them, and perhaps around."""
    edge = st.text(WHITESPACE, max_size=2)
    pieces = [draw(edge)]
    for word in words:
        pieces += [word, draw(SPACE)]
    return "".join(pieces) + draw(edge)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A text that may be normalized; it may be empty."""
    kind = draw(st.sampled_from(["pool", "pool", "pool", "mixed", "any"]))
    if kind == "pool":
        return draw(_spaced(draw(_words_of(draw(st.sampled_from(POOLS))))))
    if kind == "mixed":
        return draw(st.text(st.sampled_from("".join(POOLS) + WHITESPACE), max_size=40))
    return draw(st.text(ANY_CODE_POINT, max_size=40))


@st.composite
def forbidden_texts(draw: st.DrawFn) -> str:
    """A text that must be refused: a marker or a surrogate at least once, anywhere; a surrogate pair is none either."""
    pieces = draw(st.lists(texts(), min_size=2, max_size=4))
    offence = st.sampled_from([MARKER, "\ud800", "\udfff", "\ud83d\ude00"])
    return pieces[0] + "".join(draw(offence) + piece for piece in pieces[1:])


@dataclass(frozen=True, slots=True)
class Training:
    """Everything that one training is given."""

    corpus: list[str]
    merge_limit: int
    min_frequency: int
    lowercase: bool
    pre_tokenizer: str

    @property
    def splitting(self) -> dict[str, object]:
        """The settings that concern the text."""
        return {"lowercase": self.lowercase, "pre_tokenizer": self.pre_tokenizer}


@st.composite
def corpora(draw: st.DrawFn) -> list[str]:
    """One to three texts with at least one word among them."""
    corpus = draw(st.lists(texts(), min_size=1, max_size=3))
    if not "".join(corpus).strip(WHITESPACE):
        corpus.append(draw(st.sampled_from(["a", "aaaa", "low lower"])))
    return corpus


def trainings() -> st.SearchStrategy[Training]:
    """A corpus with settings; mostly unlimited, so that the end of training is seen."""
    return st.builds(
        Training,
        corpus=corpora(),
        merge_limit=st.one_of(st.just(1000), st.integers(0, 12)),
        min_frequency=st.one_of(st.just(2), st.integers(1, 4)),
        lowercase=st.booleans(),
        pre_tokenizer=st.sampled_from(PRE_TOKENIZERS),
    )


def tables(max_count: int = 20) -> st.SearchStrategy[dict[str, int]]:
    """Word counts without markers."""
    word = st.sampled_from(POOLS).flatmap(
        lambda pool: st.text(st.sampled_from(pool.replace("\ufeff", "")), min_size=1, max_size=10)
    )
    return st.dictionaries(word, st.integers(1, max_count), min_size=1, max_size=6)


# Where 32-bit, floating-point and 64-bit counters break.
EDGES = (2**31, 2**32, 2**53, 2**62, 2**63)


def tables_near_the_edges() -> st.SearchStrategy[dict[str, int]]:
    """Word counts about which narrow counters are wrong; many of them are more than 2**63 - 1 tokens in all."""
    near = st.builds(lambda edge, off: edge + off, st.sampled_from(EDGES), st.integers(-3, 3))
    part = st.builds(
        lambda edge, parts, off: edge // parts + off, st.sampled_from(EDGES), st.integers(1, 12), st.integers(-2, 2)
    )
    word = st.text(st.sampled_from("ab"), min_size=1, max_size=6)
    return st.dictionaries(word, st.one_of(near, part, st.integers(1, 9)), min_size=1, max_size=5)


@dataclass(frozen=True, slots=True)
class Imported:
    """A merge list written by hand: pairs and results may repeat."""

    alphabet: tuple[str, ...]
    merges: tuple[tuple[str, str], ...]


@st.composite
def _any_list(draw: st.DrawFn, letters: str, longest: int = 9) -> Imported:
    """Merges whose parts all exist when they are used; symbols made lately are likelier, so that lists get deep."""
    made = list(letters)
    merges: list[tuple[str, str]] = []
    for _ in range(draw(st.integers(1, 10))):
        part = st.one_of(st.sampled_from(made), st.sampled_from(made[-3:]))
        pair = draw(part), draw(part)
        if len("".join(pair)) <= longest:
            merges.append(pair)
            made.append("".join(pair))
    return Imported(tuple(letters), tuple(merges))


@st.composite
def _waking_list(draw: st.DrawFn, letters: str) -> Imported:
    """Merges that make a string twice, so that one of a high rank wakes one of a lower rank.

    That is where replaying a list in order goes wrong, and it is rare in lists drawn at random. Over a unit u, with uu
    at rank 0 and u+uu at rank 1: on uuuuu stand uu uu u, and u+uu finds nothing. Only uu+u, at the end, makes uuu, and
    then uu+uuu has the lower rank.
    """
    unit = draw(st.sampled_from(letters))
    sizes = [(left, right) for left in range(1, 6) for right in range(1, 6) if (left, right) != (2, 2)]
    between = draw(st.lists(st.sampled_from(sizes), max_size=6, unique=True))
    between.insert(draw(st.integers(0, len(between))), (2, 3))
    made = {1}
    merges = []
    for left, right in [(1, 1), (1, 2), *between, (2, 1), *draw(st.lists(st.sampled_from(sizes), max_size=4))]:
        if left in made and right in made:
            merges.append((unit * left, unit * right))
            made.add(left + right)
    return Imported(tuple(letters), tuple(merges))


def imported_lists(letters: str | None = None) -> st.SearchStrategy[Imported]:
    """A merge list written by hand; over one letter nearly all merges meet."""
    alphabets = st.sampled_from(["a", "a", "ab", "abc", "a😀"]) if letters is None else st.just(letters)
    return alphabets.flatmap(lambda drawn: st.one_of(_any_list(drawn), _waking_list(drawn)))


def words_over(alphabet: tuple[str, ...], max_size: int = 24) -> st.SearchStrategy[str]:
    """A bare word that a merge list over this alphabet has to do with; sometimes with an unknown code point."""
    letters = st.sampled_from(alphabet)
    run = st.builds(lambda letter, times: letter * times, letters, st.integers(2, 15))
    return st.one_of(
        st.text(letters, min_size=1, max_size=max_size),
        st.text(st.one_of(letters, st.just("z")), min_size=1, max_size=max_size),
        run,
        st.lists(run, min_size=1, max_size=3).map(lambda runs: "".join(runs)[:max_size]),
    )
