"""Questions, reasons and solutions of the lesson → markup, in one language. Rule: S7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

from pairloom.model import Model
from pairloom.views.colors import color_index
from pairloom.views.lesson import wording
from pairloom.views.lesson.generator import LEVELS
from pairloom.views.lesson.messages import KIND_NAMES, message_of
from pairloom.views.lesson.problems import KINDS, Problem
from pairloom.views.lesson.sentences import CodePoint, Joined, Listed, Row, Sentence, Symbol, Typed, Value, say
from pairloom.web.catalogue import Catalogue
from pairloom.web.markup import TokenMarkup

# Code points of a symbol that are shown in the middle of a sentence.
_IN_A_SENTENCE: Final = 24
# Tokens of a row; a longer one says how many it has.
_ROW_TOKENS: Final = 40


class LessonMarkup:
    """What templates of the lesson call; one a language."""

    kinds = KINDS
    levels = LEVELS
    kind_names = KIND_NAMES
    given = staticmethod(wording.given)

    def __init__(self, catalogue: Catalogue, tokens: TokenMarkup) -> None:
        self.catalogue = catalogue
        self.tokens = tokens

    def say(self, sentences: Sentence | Sequence[Sentence]) -> Markup:
        """Return one sentence or several, in words."""
        each = (sentences,) if isinstance(sentences, Sentence) else sentences
        said = [say(one, message_of(one), self.catalogue, self.value, wording=Markup) for one in each]
        return Markup(" ").join(said)

    def question(self, problem: Problem) -> Markup:
        """Return what is asked."""
        return self.say(wording.question(problem))

    def how_to_write(self, problem: Problem) -> Markup:
        """Return how an answer is to be written."""
        return self.say(wording.how_to_write(problem))

    def solution(self, problem: Problem, most: int | None = None) -> list[Markup]:
        """Return the steps that lead to the answer; of more than `most` the first and the last, and how many are left.

        A large corpus has a step for every word that holds the pair.
        """
        steps = wording.solution(problem)
        if most is None or len(steps) <= most:
            return [self.say(each) for each in steps]
        left = len(steps) - most
        more = self.catalogue.ngettext("… and {count} more step", "… and {count} more steps", left)
        shown = [self.say(each) for each in (*steps[: most - 1], steps[-1])]
        return [*shown[:-1], escape(more.format(count=self.catalogue.number(left))), shown[-1]]

    def right_answer(self, problem: Problem) -> Markup:
        """Return the bare answer."""
        return Markup(", ").join([self.value(each) for each in wording.right_answer(problem)])

    def value(self, value: Value | None) -> Markup:  # noqa: PLR0911  # one for each kind of value
        """Return a number, a symbol, tokens side by side, a pair or several; None is the word “never”."""
        match value:
            case None:
                return escape(self.catalogue.gettext("never"))
            case int():
                return escape(self.catalogue.number(value))
            case Symbol():
                return self.tokens.token(value.text, _IN_A_SENTENCE)
            case Row():
                return self.row(value.tokens)
            case Joined():
                return Markup('<span class="pair">{} + {}</span>').format(
                    self.tokens.token(value.left, _IN_A_SENTENCE), self.tokens.token(value.right, _IN_A_SENTENCE)
                )
            case Listed():
                return Markup(", ").join([self.value(each) for each in value.items])
            case CodePoint():
                return Markup("<code>U+{:04X}</code>").format(value.number)
            case Typed():
                return Markup('<bdi class="typed">{}</bdi>').format(self.tokens.shown(value.text))

    def row(self, texts: Sequence[str], model: Model | None = None) -> Markup:
        """Return tokens side by side; with a model, each in the colour of its ID."""
        boxes = []
        for text in texts[:_ROW_TOKENS]:
            token_id = model.token_id(text) if model else None
            color = "plain" if token_id is None else f"c{color_index(token_id)}"
            boxes.append(Markup('<i class="{}">{}</i>').format(color, self.tokens.shown(text, _IN_A_SENTENCE)))
        row = Markup('<bdi class="row">{}</bdi>').format(Markup("").join(boxes))
        if len(texts) <= _ROW_TOKENS:
            return row
        more = self.catalogue.gettext("… {count} tokens in all").format(count=self.catalogue.number(len(texts)))
        return Markup("{} <small>{}</small>").format(row, more)
