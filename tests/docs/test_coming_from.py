"""docs/coming-from.md says nothing of another tool that no block of its section shows; the blocks are run."""

from __future__ import annotations

import re

import pytest

from tests.docs.markdown import ROOT, blocks

PAGE = (ROOT / "docs" / "coming-from.md").read_text("utf-8")
_PARTS = re.split(r"^## From (.+)$", PAGE, flags=re.MULTILINE)
SECTIONS = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))

# Each row of a table, by its beginning, and what in the blocks behind it shows that it is so.
SHOWN = {
    "ties: the smaller pair of IDs": '"smallest_ids"',
    "an unknown character without `unk_token`": 'bare.encode("aéb")',
    "a literal `▁` is taken for a space": 'bare.encode("a▁b")',
    "NFKC unless told otherwise": 'processor.normalize("①")',
    "IDs: special tokens, merges, then characters": "processor.id_to_piece(number)",
    "ties: the shorter piece": "--rules ours sentencepiece",
    "a piece may be unknown": 'processor.encode("é")',
    "the end of a word is marked": "newest␃",
    "ties: the largest pair": "--rules ours subword-nmt",
    "all places of the lowest rank": 'segment_tokens(["abcabc"])',
    "256 bytes, then merges": '"é".encode()',
    "no word is kept apart": '" " in token',
    "every text can be encoded": 'encode("é").ids',
}


def rows(section: str) -> list[str]:
    found = re.findall(r"^\| (.+?) \|", SECTIONS[section], re.MULTILINE)
    return [row for row in found if row not in {"there", "---"}]


def test_the_tools() -> None:
    assert list(SECTIONS) == ["Hugging Face tokenizers", "SentencePiece", "subword-nmt", "minbpe"]


@pytest.mark.parametrize("section", SECTIONS)
def test_each_row_is_shown_by_a_block_that_runs(section: str) -> None:
    code = "\n".join(block.text for block in blocks(SECTIONS[section]) if block.language in {"python", "console"})
    assert len(rows(section)) >= 3
    for row in rows(section):
        (shown,) = (text for beginning, text in SHOWN.items() if row.startswith(beginning))
        assert shown in code, row


def test_every_row_that_is_to_be_shown_is_there() -> None:
    assert len(SHOWN) == sum(len(rows(section)) for section in SECTIONS)


def test_every_block_is_of_a_kind_that_runs() -> None:
    assert {block.language for block in blocks(PAGE)} == {"python", "console"}
