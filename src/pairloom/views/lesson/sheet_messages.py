"""The English wording of worksheets, with the rules that a class needs, and of pictures for slides."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from pairloom.errors import mark_message
from pairloom.views.lesson.sentences import Message, counted_message

SHEET_MESSAGES: Final = MappingProxyType(
    {
        "sheet.title": Message(mark_message("Worksheet: byte pair encoding")),
        "sheet.key_title": Message(mark_message("Answer key: byte pair encoding")),
        "sheet.name": Message(mark_message("Name:")),
        "sheet.date": Message(mark_message("Date:")),
        "sheet.rules": Message(mark_message("The rules")),
        "sheet.rule_choice": Message(
            mark_message(
                "Training: in every round the most frequent pair of neighbours is merged. Every place counts, and a "
                "word that occurs several times counts each time. A pair that occurs only once is never merged."
            )
        ),
        "sheet.rule_tie": Message(
            mark_message(
                "Tie: among equally frequent pairs the smaller left token wins, then the smaller right one. Tokens "
                "are compared code point by code point: digits, capitals, small letters, letters with accents; the "
                "marker ▁ comes behind all of these. The beginning of a token is smaller than the whole."
            )
        ),
        "sheet.rule_replace": Message(
            mark_message(
                "Replacing: from left to right, in every word. What has just been merged is not used a second time in "
                "the same round."
            )
        ),
        "sheet.rule_split": Message(
            mark_message(
                "Splitting a word: begin with single characters. Of the merges that fit, make the one that was learned "
                "first, and look again, until none fits."
            )
        ),
        "sheet.rule_marker": Message(
            mark_message("The marker ▁ stands in front of every word and is a token of its own.")
        ),
        "sheet.problem": Message(mark_message("Problem {number}")),
        "sheet.corpus": Message(mark_message("Corpus")),
        "sheet.merges": Message(mark_message("Merges, in this order")),
        "sheet.word": Message(mark_message("Word")),
        "sheet.count": Message(mark_message("Count")),
        "sheet.number": Message(mark_message("No.")),
        "sheet.pair": Message(mark_message("Pair")),
        "sheet.result": Message(mark_message("Result")),
        "sheet.frequency": Message(mark_message("Frequency")),
        "sheet.answer": Message(mark_message("Answer:")),
        "sheet.right": Message(mark_message("Answer: {answer}")),
        "sheet.never": Message(mark_message("Answer: never")),
        "sheet.pairs_before": Message(mark_message("Pair counts before merge #{number}")),
        "sheet.further_pairs": counted_message(
            "more", "and {more} more pair, less frequent or larger", "and {more} more pairs, less frequent or larger"
        ),
        "sheet.made_with": Message(
            mark_message(
                "Made with Pairloom, seed {seed}, level {level}. Pairloom computed every answer; the same seed gives "
                "the same problems again."
            )
        ),
        "sheet.own_corpus": Message(
            mark_message("The words come from a corpus of the teacher’s; how often they occur here was drawn by lot.")
        ),
        "kind.next_merges": Message(mark_message("The next merges")),
        "kind.tie": Message(mark_message("A tie")),
        "kind.split": Message(mark_message("How a word splits")),
        "kind.unknown": Message(mark_message("An unknown character")),
        "kind.replacements": Message(mark_message("How many replacements")),
        "kind.until_whole": Message(mark_message("Until a word is whole")),
    }
)
"""Every message of a worksheet by its code."""

PICTURE_MESSAGES: Final = MappingProxyType(
    {
        "picture.title": Message(mark_message("Step {prefix} of {maximum}")),
        "picture.vocabulary": Message(mark_message("Vocabulary: {total} = {base} base + {merged} merged")),
        "picture.tokens": Message(
            mark_message("Corpus tokens: {tokens} (at the start {initial}); characters per token: {ratio}")
        ),
        "picture.none_yet": Message(mark_message("No merge yet: every character is a token.")),
        "picture.last": counted_message(
            "replacements",
            "Last merge #{number}: {pair} → {result}, {replacements} replacement",
            "Last merge #{number}: {pair} → {result}, {replacements} replacements",
        ),
        "picture.next": counted_message(
            "frequency",
            "Next merge #{number}: {pair} → {result}, frequency {frequency}",
            "Next merge #{number}: {pair} → {result}, frequency {frequency}",
        ),
        "picture.end": Message(mark_message("All merges have been made.")),
        "picture.framed": Message(mark_message("Solid frame: made by the last merge. Dashed frame: merged next.")),
        "picture.part": Message(
            mark_message(
                "Shown is part {index} of {count}, pre-tokens {first} to {last} of {total}; the numbers above are "
                "those of the whole corpus."
            )
        ),
    }
)
"""Every message of a picture of a step by its code."""
