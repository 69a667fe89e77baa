"""A token's colour depends on its ID alone (rule S5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.views.colors import PALETTE_SIZE, TERMINAL_COLORS, TERMINAL_INK, color_index

token_ids = st.integers(min_value=0, max_value=2**63)


@given(token_ids)
def test_the_index_is_one_of_the_palette(token_id: int) -> None:
    assert color_index(token_id) in range(PALETTE_SIZE)


@given(token_ids)
def test_a_whole_palette_of_neighbours_has_different_colours(token_id: int) -> None:
    neighbours = range(token_id, token_id + PALETTE_SIZE)
    assert len({color_index(neighbour) for neighbour in neighbours}) == PALETTE_SIZE


@given(token_ids)
def test_neighbours_are_far_apart_in_hue(token_id: int) -> None:
    difference = (color_index(token_id + 1) - color_index(token_id)) % PALETTE_SIZE
    assert min(difference, PALETTE_SIZE - difference) * 360 // PALETTE_SIZE >= 120


def test_the_colours_never_change() -> None:
    """Same token, same colour. Rules: S5, W12."""
    assert [color_index(token_id) for token_id in range(13)] == [0, 5, 10, 3, 8, 1, 6, 11, 4, 9, 2, 7, 0]


def luminance(color: int) -> float:
    # WCAG 2.2, relative luminance, of a colour of the 6 × 6 × 6 cube.
    levels = (0, 95, 135, 175, 215, 255)
    cube = color - 16
    channels = [levels[cube // 36] / 255, levels[cube // 6 % 6] / 255, levels[cube % 6] / 255]
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("background", TERMINAL_COLORS)
def test_terminal_colours_can_be_read(background: int) -> None:
    assert 16 <= background <= 231
    assert (luminance(background) + 0.05) / (luminance(TERMINAL_INK) + 0.05) >= 7


def test_there_is_one_terminal_colour_for_each_of_the_palette() -> None:
    assert len(set(TERMINAL_COLORS)) == PALETTE_SIZE == len(TERMINAL_COLORS)
