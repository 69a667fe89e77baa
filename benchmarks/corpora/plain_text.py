"""Lines of plain text out of documentation: HTML, manual pages, dictionaries and text files."""

from __future__ import annotations

import gzip
import html
import re
import zlib
from collections.abc import Callable
from pathlib import Path

_UNSEEN = re.compile(r"<(script|style|head|nav)\b.*?</\1>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(
    r"</?(p|div|li|h\d|tr|td|th|table|ul|ol|pre|dt|dd|br|section|title|blockquote)\b[^>]*>", re.IGNORECASE
)
_TAG = re.compile(r"<[^>]+>")
_PARAGRAPH = re.compile(r"<p\b[^>]*>(.*?)</p>", re.DOTALL | re.IGNORECASE)

_ROFF_REQUEST = re.compile(r"^\.[A-Za-z]+ ?")
_ROFF_FONT = re.compile(r"\\f(\[[^]]*\]|.)|\\[&/|^,]")
_ROFF_GLYPH = re.compile(r"\\\[[^]]*\]|\\\(..")

_HTML_ENDINGS = (".html", ".htm", ".xhtml", ".page", ".xml")
_TEXT_ENDINGS = (".txt", ".rst", ".md", ".dict", ".pod", ".text")
_MANUAL_PAGE = re.compile(r"\.[1-9][a-z]*$")


def read(path: Path) -> str | None:
    """Return the plain text of a file, or None where it is no document in UTF-8."""
    if path.is_symlink() or "changelog" in path.name.lower() or path.name == "copyright":
        return None
    data, name = _decompressed(path)
    if data is None or b"\0" in data[:4096]:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    convert = _converter(name.lower())
    return None if convert is None else convert(text)


def paragraphs(markup: str) -> list[str]:
    """Return the text of every `<p>` of a page in order, its whitespace collapsed, empty ones left out."""
    texts = (" ".join(html.unescape(_TAG.sub("", inner)).split()) for inner in _PARAGRAPH.findall(markup))
    return [text for text in texts if text]


def _decompressed(path: Path) -> tuple[bytes | None, str]:
    """Return a file's bytes and its name without the ending of the compression."""
    if path.name.endswith((".dict.dz", ".gz")):
        try:
            with gzip.open(path) as file:
                return file.read(), path.name.rsplit(".", 1)[0]
        except (OSError, EOFError, zlib.error):
            return None, path.name
    return path.read_bytes(), path.name


def _converter(name: str) -> Callable[[str], str] | None:
    if name.endswith(_HTML_ENDINGS) or ".html." in name:
        return _from_html
    if _MANUAL_PAGE.search(name):
        return _from_roff
    if name.endswith(_TEXT_ENDINGS) or "." not in name:
        return str
    return None


def _from_html(markup: str) -> str:
    text = re.sub(r"\s+", " ", _UNSEEN.sub("\n", markup))
    return html.unescape(_TAG.sub("", _BLOCK.sub("\n", text)))


def _from_roff(source: str) -> str:
    lines = (line for line in source.split("\n") if not line.startswith(('.\\"', "'\\\"")))
    return "\n".join(map(_roff_line, lines))


def _roff_line(line: str) -> str:
    line = _ROFF_FONT.sub("", _ROFF_REQUEST.sub("", line))
    line = line.replace("\\-", "-").replace("\\(aq", "'").replace("\\ ", " ")
    return _ROFF_GLYPH.sub("", line)
