"""The texts of 40,000 code points: prose of one book, the Debian Reference, in four languages.

The whole of what the pages take (rule L1). Paragraphs in the book's order, without repeats; English and German ones
of at least 80 code points, so that lists of commands stay out; Japanese and Chinese ones that are at least six tenths
kana, Han and their punctuation, so that a word is a run of Han some fifteen code points long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from benchmarks.corpora.debian import unpacked
from benchmarks.corpora.full import cjk_share
from benchmarks.corpora.plain_text import paragraphs

CODE_POINTS = 40_000
LANGUAGES = ("en", "de", "ja", "zh")
CHECKSUMS = Path(__file__).with_name("SHA256SUMS")

_EDITIONS = {"en": "en", "de": "de", "ja": "ja", "zh": "zh-cn"}
_MIN_CODE_POINTS = 80
_MIN_CJK_SHARE = 0.6


def sample_path(language: str, *, cache: Path) -> Path:
    """Return where the text of a language stands, made or not."""
    return cache / "samples" / f"{language}_40k.txt"


def ensure_sample(language: str, *, cache: Path) -> Path:
    """Return the file of a language's text, making it first where it is missing."""
    path = sample_path(language, cache=cache)
    if not path.exists():
        text = _text(language, cache=cache)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return path


def recorded_checksums() -> dict[str, str]:
    """Return the SHA-256 by file name, as recorded with the packages of Debian 12."""
    lines = (line.split() for line in CHECKSUMS.read_text(encoding="ascii").splitlines() if line)
    return {name: checksum for checksum, name in lines}


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_as_recorded(path: Path) -> bool:
    """Say whether a text is the one that the published figures were measured on."""
    return recorded_checksums().get(path.name) == checksum(path)


def _text(language: str, *, cache: Path) -> str:
    edition = _EDITIONS[language]
    package = f"debian-reference-{edition}"
    root = unpacked(package, cache=cache, place=sample_path(language, cache=cache))
    pages = sorted((root / "usr/share/debian-reference").glob(f"ch*.{edition}.html"))
    found = (text for page in pages for text in paragraphs(page.read_text(encoding="utf-8")))
    text = "\n".join(_chosen(found, language=language))[:CODE_POINTS]
    if len(text) < CODE_POINTS:
        raise ValueError(f"{package} has only {len(text)} code points of prose, {CODE_POINTS} are needed")
    return text


def _chosen(texts: Iterable[str], *, language: str) -> list[str]:
    if language in {"ja", "zh"}:
        keep = [text for text in texts if cjk_share(text) >= _MIN_CJK_SHARE]
    else:
        keep = [text for text in texts if len(text) >= _MIN_CODE_POINTS]
    return list(dict.fromkeys(keep))
