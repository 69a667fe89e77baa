"""The English wording of every sentence of the lesson, by code: the keys of the catalogues."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from pairloom.errors import mark_message
from pairloom.views.lesson.problems import KINDS
from pairloom.views.lesson.sentences import Message, Sentence, counted_message
from pairloom.views.lesson.sheet_messages import PICTURE_MESSAGES, SHEET_MESSAGES

_QUESTIONS = {
    "asked.first_merges": counted_message(
        "rounds",
        "Which pair is merged first?",
        "Which pairs do the first {rounds} merges join? Give them in this order.",
    ),
    "asked.next_merges": counted_message(
        "rounds",
        "Which pair is merged next?",
        "Which pairs do the next {rounds} merges join? Give them in this order.",
    ),
    "asked.tie_of_two": Message(
        mark_message("Two pairs are equally frequent now: {pairs}. Which of them is merged next?")
    ),
    "asked.tie": Message(
        mark_message("Several pairs are equally frequent now: {pairs}. Which of them is merged next?")
    ),
    "asked.more_tied": counted_message(
        "more", "One more pair is as frequent as these.", "{more} more pairs are as frequent as these."
    ),
    "asked.split": counted_message(
        "prefix",
        "Into which tokens is {word} split with the first merge?",
        "Into which tokens is {word} split with the first {prefix} merges?",
    ),
    "asked.split_unmerged": Message(mark_message("Into which tokens is {word} split before any merge?")),
    "asked.unknown": Message(
        mark_message("Not every character of it occurs in the corpus. What becomes of the one that does not?")
    ),
    "asked.replacements": Message(
        mark_message("Now {pair} is merged. How many replacements does that make in the whole corpus?")
    ),
    "asked.until_whole": Message(
        mark_message("How many merges does it take until {word} is a single token? Or does that never happen?")
    ),
    "written.pair": Message(mark_message("Write the pair as a + b.")),
    "written.pairs": Message(mark_message("Write each pair as a + b, with commas between them.")),
    "written.marker": Message(mark_message("For the marker ▁ an underscore will do.")),
    "written.tokens": Message(mark_message("Write the tokens with spaces between them.")),
    "written.unknown": Message(mark_message("Write an unknown character as it is, or as UNK.")),
    "written.number": Message(mark_message("Write a whole number.")),
    "written.number_or_never": Message(mark_message("Write a whole number, or “never”.")),
}

_REASONS_OF_FORM = {
    "read.too_long": counted_message(
        "maximum",
        "That is too long for an answer: {maximum} code point at most.",
        "That is too long for an answer: {maximum} code points at most.",
    ),
    "read.empty": Message(mark_message("There is no answer yet.")),
    "read.no_pair": Message(mark_message("{typed} cannot be read as a pair: write it as a + b.")),
    "read.no_number": Message(mark_message("{typed} cannot be read as a whole number.")),
    "read.rounds": counted_message(
        "given", "One pair is given, {wanted} are asked for.", "{given} pairs are given, {wanted} are asked for."
    ),
    "read.one_pair": counted_message(
        "given", "One pair is asked for.", "{given} pairs are given, but only one is asked for."
    ),
    "read.spells": Message(mark_message("These pieces spell {spelled}, but the word is {word}.")),
}

_REASONS_OF_PAIRS = {
    "pair.in_round": Message(mark_message("Merge #{number}:")),
    "pair.rounds_right": counted_message("rounds", "The first one is right.", "The first {rounds} are right."),
    "pair.no_symbol": Message(mark_message("{symbol} is no token at this point: no merge has made it yet.")),
    "pair.never_symbol": Message(
        mark_message("{symbol} does not occur here, neither as a character of the corpus nor as the result of a merge.")
    ),
    "pair.absent": Message(mark_message("{pair} does not occur in the corpus at this point.")),
    "pair.turned": Message(
        mark_message("A pair has an order: {pair} is not the same pair as {best}, and it does not occur at this point.")
    ),
    "pair.less_frequent": counted_message(
        "frequency",
        "{pair} occurs once, the most frequent pair, {best}, {highest} times.",
        "{pair} occurs {frequency} times, the most frequent pair, {best}, {highest} times.",
    ),
    "pair.tied_left": Message(
        mark_message(
            "This is a tie: {pair} and {best} both occur {frequency} times. The pair with the smaller left token "
            "wins, and {smaller} is smaller than {larger}."
        )
    ),
    "pair.tied_right": Message(
        mark_message(
            "This is a tie: {pair} and {best} both occur {frequency} times and have the same left token. Then the "
            "smaller right token wins, and {smaller} is smaller than {larger}."
        )
    ),
    "pair.beginning": Message(
        mark_message("{shorter} is the beginning of {longer}, and what ends first is the smaller one.")
    ),
    "pair.code_points": Message(
        mark_message(
            "Tokens are compared code point by code point: {smaller} is {smaller_number}, {larger} is {larger_number}."
        )
    ),
}

_REASONS_OF_SPLITS = {
    "split.unknown_alone": Message(
        mark_message(
            "{character} does not occur in the corpus, so no merge has it: it stays a token of its own and cannot be "
            "part of {piece}."
        )
    ),
    "split.missing": Message(mark_message("A token is missing before {piece}.")),
    "split.never_made": Message(mark_message("No merge makes {piece}.")),
    "split.not_active": counted_message(
        "prefix",
        "{piece} is made by merge #{number} only, and just the first merge is active.",
        "{piece} is made by merge #{number} only, and just the first {prefix} merges are active.",
    ),
    "split.no_merge_active": Message(
        mark_message("{piece} is made by merge #{number} only, and no merge is active yet.")
    ),
    "split.still_fits": Message(mark_message("{pair} still stand side by side here, and merge #{number} joins them.")),
    "split.earlier": Message(
        mark_message(
            "Of the merges that fit, the one learned first comes first: here that is {pair}, merge #{number}. It gives "
            "{tokens}, and from there your split cannot be reached."
        )
    ),
    "split.not_reached": Message(mark_message("{piece} is in the vocabulary, but the merges do not get there here.")),
}

_REASONS_OF_NUMBERS = {
    "number.overlap": Message(
        mark_message(
            "{frequency} places are counted, but some overlap: what was merged is used up, and only {replacements} "
            "can be replaced."
        )
    ),
    "number.unweighted": counted_message(
        "given",
        "{given} is right if each word is looked at once. But a word that occurs several times is replaced each time.",
        "{given} is right if each word is looked at once. But a word that occurs several times is replaced each time.",
    ),
    "number.positions_once": Message(
        mark_message(
            "{given} is the number of places if each word is looked at once. But some of them overlap, and a word that "
            "occurs several times counts each time."
        )
    ),
    "number.in_word": counted_message(
        "count",
        "{tokens}: places {positions}, replacements {replaced}; this word occurs once.",
        "{tokens}: places {positions}, replacements {replaced}; this word occurs {count} times.",
    ),
    "number.further_words": counted_message("more", "And so on for one more word.", "And so on for {more} more words."),
    "number.off_by_one": Message(mark_message("Nearly: ranks count from 0, so rank {given} is merge #{number}.")),
    "number.still_pieces": counted_message(
        "given",
        "After {given} merge it is still in pieces: {tokens}.",
        "After {given} merges it is still in pieces: {tokens}.",
    ),
    "number.earlier": counted_message(
        "merges",
        "It is a single token earlier than that, after {merges} merge.",
        "It is a single token earlier than that, after {merges} merges.",
    ),
    "number.too_many": counted_message(
        "maximum", "There is only {maximum} merge in all.", "There are only {maximum} merges in all."
    ),
    "number.from_the_start": Message(mark_message("It has a single character, and so it is one token from the start.")),
    "number.becomes_whole": Message(mark_message("It does: merge #{number} joins its last two pieces, {pair}.")),
    "number.never_whole": counted_message(
        "maximum",
        "Even with all merges, {maximum} in number, it is in pieces: {tokens}.",
        "Even with all {maximum} merges it is in pieces: {tokens}.",
    ),
}

_SOLUTIONS = {
    "solved.round": counted_message(
        "frequency",
        "Merge #{number}: {pair} occurs once, more often than any other pair.",
        "Merge #{number}: {pair} occurs {frequency} times, more often than any other pair.",
    ),
    "solved.tie_left": counted_message(
        "frequency",
        "Merge #{number}: {tied} pairs occur once each. Of these {pair} has the smallest left token.",
        "Merge #{number}: {tied} pairs occur {frequency} times each. Of these {pair} has the smallest left token.",
    ),
    "solved.tie_right": counted_message(
        "frequency",
        "Merge #{number}: {tied} pairs occur once each. Of those with the smallest left token, {pair} has the "
        "smallest right one.",
        "Merge #{number}: {tied} pairs occur {frequency} times each. Of those with the smallest left token, {pair} has "
        "the smallest right one.",
    ),
    "solved.two_left": counted_message(
        "frequency",
        "Merge #{number}: two pairs occur once each. Of these {pair} has the smaller left token.",
        "Merge #{number}: two pairs occur {frequency} times each. Of these {pair} has the smaller left token.",
    ),
    "solved.two_right": counted_message(
        "frequency",
        "Merge #{number}: two pairs with the same left token occur once each. Of these {pair} has the smaller right "
        "one.",
        "Merge #{number}: two pairs with the same left token occur {frequency} times each. Of these {pair} has the "
        "smaller right one.",
    ),
    "solved.start": Message(mark_message("At the start every character stands alone: {tokens}.")),
    "solved.step": Message(mark_message("Of those that fit, merge #{number}, {pair}, has the lowest rank: {tokens}.")),
    "solved.no_step": Message(mark_message("None of the merges fits.")),
    "solved.no_further_step": Message(mark_message("No other merge fits.")),
    "solved.unknown": Message(
        mark_message(
            "{character} does not occur in the corpus. It stays a token of its own and has no ID; UNK stands in its "
            "place."
        )
    ),
    "solved.replacements": counted_message(
        "replacements",
        "Over all words that is {replacements} replacement. The frequency of the pair is {frequency}.",
        "Over all words these are {replacements} replacements. The frequency of the pair is {frequency}.",
    ),
    "solved.whole": Message(
        mark_message("Merge #{number} joins the last two pieces, {pair}. From then on it is a single token.")
    ),
    "solved.change": Message(mark_message("Merge #{number}: {tokens}")),
}

_REMARKS = {
    "remark.no_marker": Message(
        mark_message("These word counts carry no marker. That is how the course of Hugging Face gives the example.")
    ),
    "remark.pasted": Message(
        mark_message(
            "Paste the same words as a text, and the answer is another one: there every word begins with the marker ▁. "
            "It is a token and makes pairs of its own."
        )
    ),
    "remark.bytes": Message(
        mark_message(
            "A tokenizer on bytes would have no unknown here: it knows all 256 bytes from the start, and every "
            "character is made of bytes."
        )
    ),
    "remark.two_numbers": Message(
        mark_message("Frequency and replacements are two numbers, and only in runs of equal tokens do they differ.")
    ),
    "remark.other_rules": Message(
        mark_message("Other tools decide ties in another way and learn other merges from the same corpus.")
    ),
}

MESSAGES: Final = MappingProxyType(
    _QUESTIONS
    | _REASONS_OF_FORM
    | _REASONS_OF_PAIRS
    | _REASONS_OF_SPLITS
    | _REASONS_OF_NUMBERS
    | _SOLUTIONS
    | _REMARKS
    | SHEET_MESSAGES
    | PICTURE_MESSAGES
)
"""Every message by its code."""

KIND_NAMES: Final = MappingProxyType({kind: SHEET_MESSAGES[f"kind.{kind}"].singular for kind in KINDS})
"""What each kind of question is called."""


def message_of(sentence: Sentence) -> Message:
    """Return the message of a sentence."""
    return MESSAGES[sentence.code]
