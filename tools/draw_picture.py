"""Draw the picture of the README from a real training: `tools/draw_picture.py > docs/images/prefixes.svg`.

A small corpus at a few prefixes, one box a token, coloured by token ID as on every view. The colours follow the
reader's light or dark theme; the ink is readable on each. A test holds the committed picture equal to what this draws.
"""

from __future__ import annotations

import sys
from html import escape

import pairloom
from pairloom.views.colors import PALETTE_SIZE, color_index

CORPUS = "low low lower newest newest widest"
PREFIXES = (0, 1, 2, 4, 7, 9)

_LABELLED = 'role="img" aria-labelledby="title description"'
_LETTER, _PADDING, _GAP, _WORD_GAP = 9.2, 6, 2, 12
_LEFT, _TOP, _ROW, _BOX = 188, 34, 40, 26


def main() -> None:
    sys.stdout.write(draw())


def draw() -> str:
    """Return the SVG document."""
    model = pairloom.train(CORPUS)
    history = pairloom.History.of(pairloom.count_words(CORPUS), model)
    words = pairloom.pre_tokenize(CORPUS)
    rows: list[str] = []
    width = 0.0
    for number, prefix in enumerate(PREFIXES):
        top = _TOP + number * _ROW
        tokens = history.token_counts[prefix]
        rows.append(_text(10, top + 18, f"{prefix} merges" if prefix != 1 else "1 merge", "label"))
        rows.append(_text(_LEFT - 14, top + 18, f"{tokens} tokens", "label end"))
        x = float(_LEFT)
        for word in words:
            for token in history.segment(word, prefix):
                token_id = model.token_id(token)
                assert token_id is not None  # the model was trained on these words
                rows.append(_box(x, top, token, color_index(token_id)))
                x += _width(token) + _GAP
            x += _WORD_GAP - _GAP
        width = max(width, x)
    merges = ", ".join(f"{merge.left}+{merge.right}" for merge in model.merges)
    height = _TOP + len(PREFIXES) * _ROW + 4
    title = f"The words “{CORPUS}” as tokens after {', '.join(map(str, PREFIXES))} merges"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" {_LABELLED}>',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(f"Every merge joins the most frequent pair: {merges}.")}</desc>',
            f"<style>{_style()}</style>",
            _text(10, 20, f"corpus: {CORPUS}", "label strong"),
            *rows,
            "</svg>",
            "",
        )
    )


def _style() -> str:
    light = "".join(f".c{place} rect{{fill:hsl({place * 30} 72% 87%)}}" for place in range(PALETTE_SIZE))
    dark = "".join(f".c{place} rect{{fill:hsl({place * 30} 42% 27%)}}" for place in range(PALETTE_SIZE))
    return (
        "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:15px;"
        "fill:#1b1b1f}.label{font-family:system-ui,sans-serif;font-size:14px;fill:#57606a}.strong{font-weight:600}"
        f".end{{text-anchor:end}}.token text{{text-anchor:middle}}{light}"
        "@media(prefers-color-scheme:dark){text{fill:#f1f1f4}.label{fill:#a4acb5}" + dark + "}"
    )


def _width(token: str) -> float:
    return len(token) * _LETTER + 2 * _PADDING


def _box(x: float, top: int, token: str, color: int) -> str:
    width = _width(token)
    return (
        f'<g class="token c{color}"><rect x="{x:.1f}" y="{top}" width="{width:.1f}" height="{_BOX}" rx="4"/>'
        f'<text x="{x + width / 2:.1f}" y="{top + 18}">{escape(token)}</text></g>'
    )


def _text(x: float, y: float, text: str, classes: str) -> str:
    return f'<text class="{classes}" x="{x}" y="{y}">{escape(text)}</text>'


if __name__ == "__main__":
    main()
