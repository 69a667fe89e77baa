"""The corpora of 10 and 100 MB: `python -m benchmarks.corpora full`. Slow (minutes) and large (about 2 GB of cache).

A corpus is one paragraph a line: exact duplicates of lines over 40 code points dropped, chunks of about 64 KiB
shuffled with a fixed seed, lines of another language left out, cut at a line's end. Same packages, same bytes.
"""

from __future__ import annotations

import os
import random
import re
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora.debian import unpacked
from benchmarks.corpora.plain_text import read

MARKER = "\u2581"
CHUNK_BYTES = 65_536
SHORTEST_CHUNK_BYTES = 200
LONG_LINE = 40  # code points from which a repeated line counts as a duplicate

_GERMAN = re.compile(
    r"\b(der|die|das|und|ist|nicht|ein|eine|einen|den|dem|des|mit|für|auf|von|zu|sie|wird|werden|oder|im|zum|zur"
    r"|ich|es|er|als|auch|bei)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(the|of|and|to|is|for|with|this|that|from)\b", re.IGNORECASE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef\u3000-\u303f]")


def looks_german(line: str) -> bool:
    """Say whether a line has more German than English function words: some packages are translated in part."""
    return len(_GERMAN.findall(line)) > len(_ENGLISH.findall(line))


def cjk_share(line: str) -> float:
    """Return the share of kana, Han and their punctuation among the line's code points; 0 for an empty line."""
    return len(_CJK.findall(line)) / len(line) if line else 0.0


def is_half_cjk(line: str) -> bool:
    """Say whether at least half of a line's code points are kana, Han or their punctuation."""
    return cjk_share(line) >= 0.5


@dataclass(frozen=True, slots=True)
class Language:
    """One language: its packages, the folder names of its files (none: any), lines to keep, cuts."""

    folders: tuple[str, ...]
    packages: tuple[str, ...]
    cuts: dict[str, int]
    keep: Callable[[str], bool] | None = None


LANGUAGES = {
    "en": Language(
        folders=("en", "c", "en-us"),
        packages=(
            "linux-doc-6.1", "libreoffice-help-en-us", "anarchism", "bible-kjv-text", "dict-gcide", "dict-wn",
            "dict-foldoc", "dict-jargon", "manpages", "manpages-dev", "debian-reference-en", "debian-handbook",
            "developers-reference", "python3.11-doc", "postgresql-doc-15", "openjdk-17-doc", "gnome-user-docs",
            "debian-policy", "perl-doc", "aptitude-doc-en", "sqlite3-doc", "fortunes",
        ),
        cuts={"en_10MB.txt": 10_000_000, "en_20MB.txt": 20_000_000, "en_100MB.txt": 100_000_000},
    ),
    "de": Language(
        folders=("de",),
        packages=(
            "libreoffice-help-de", "manpages-de", "manpages-de-dev", "debian-reference-de",
            "developers-reference-de", "debian-faq-de", "fortunes-de", "gimp-help-de", "apache2-doc",
            "installation-guide-amd64",
        ),
        cuts={"de_10MB.txt": 10_000_000},
        keep=looks_german,
    ),
    "ja": Language(
        folders=("ja",),
        packages=(
            "libreoffice-help-ja", "manpages-ja", "debian-reference-ja", "debian-policy-ja", "gimp-help-ja",
            "debian-faq-ja", "developers-reference-ja",
        ),
        cuts={"ja_cjk.txt": 10_000_000},
        keep=is_half_cjk,
    ),
    "zh": Language(
        folders=("zh", "zh-cn"),
        packages=(
            "libreoffice-help-zh-cn", "manpages-zh", "debian-reference-zh-cn", "debian-faq-zh-cn", "fortunes-zh",
        ),
        cuts={"zh_cjk.txt": 10_000_000},
        keep=is_half_cjk,
    ),
}  # fmt: skip  # a list of packages
# Text of many languages and scripts, all that these packages hold: for what has to be shown on more than 250 MB.
LANGUAGES["many"] = Language(
    folders=(),
    packages=(
        *(package for language in LANGUAGES.values() for package in language.packages),
        *(f"libreoffice-help-{code}" for code in ("es", "fr", "it", "ko", "pl", "ru", "tr")),
    ),
    cuts={"many_260MB.txt": 260_000_000},
)

# A folder of one of these names holds a translation; packages carry those of other languages too.
_TRANSLATION = re.compile(
    r"/(ar|bg|ca|cs|da|de|el|en|es|fa|fi|fr|hr|hu|id|it|ja|ko|nb|nl|nn|pl|pt|pt[-_]br|ro|ru|sk|sv|tr|uk|vi|zh"
    r"|zh[-_]cn|zh[-_]tw|C)(-[A-Z]{2}|_[A-Z]{2})?/",
    re.IGNORECASE,
)


def language_of(file: str) -> str:
    """Return the language whose corpora have this name, without ending."""
    return next(name for name, language in LANGUAGES.items() if f"{file}.txt" in language.cuts)


def ensure(file: str, *, cache: Path) -> Path:
    """Return the file of a corpus, and beside it one with the marker written in; made first where missing."""
    path = cache / "full" / f"{file}.txt"
    if not path.exists() and not _cut_from_larger(path):
        build(language_of(file), cache=cache)
    marked = path.with_suffix(".marked.txt")
    if not marked.exists():
        with path.open(encoding="utf-8") as source, marked.open("w", encoding="utf-8", newline="\n") as target:
            for line in source:
                target.write(" ".join(MARKER + word for word in line.split()) + "\n")
    return path


def _cut_from_larger(path: Path) -> bool:
    """Make a corpus from the beginning of a larger one of its language, where that is there."""
    cuts = LANGUAGES[language_of(path.stem)].cuts
    larger = [path.with_name(file) for file, size in cuts.items() if size > cuts[path.name]]
    for source in filter(Path.exists, larger):
        with source.open("rb") as file:
            _write(path, _cut(file.read(cuts[path.name]), at=cuts[path.name]))
        return True
    return False


def build(name: str, *, cache: Path) -> list[Path]:
    """Make the corpora of one language and return their files."""
    folder = cache / "full"
    folder.mkdir(parents=True, exist_ok=True)
    if name == "code":
        return [_write(folder / "code_py.txt", _standard_library().encode())]
    language = LANGUAGES[name]
    data = _corpus(language, cache=cache, place=folder / next(iter(language.cuts)))
    return [_write(folder / file, _cut(data, at=size)) for file, size in language.cuts.items()]


def _corpus(language: Language, *, cache: Path, place: Path) -> bytes:
    chunks: list[str] = []
    seen: set[str] = set()
    for package in language.packages:
        root = unpacked(package, cache=cache, place=place)
        for path in _documents(root, package=package, language=language):
            text = read(path)
            if text:
                chunks.extend(_chunks(text.replace(MARKER, ""), seen=seen))
    random.Random(7).shuffle(chunks)
    text = "\n".join(chunks) + "\n"
    if language.keep is not None:
        text = "\n".join(line for line in text.split("\n") if line and language.keep(line)) + "\n"
    return text.encode()


def _documents(root: Path, *, package: str, language: Language) -> Iterator[Path]:
    """Yield the package's files in a fixed order, without those that stand in another language's folder."""
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            path = Path(folder, name)
            relative = "/" + path.relative_to(root).as_posix()
            found = _TRANSLATION.search(relative)
            foreign = found is not None and found[1].lower().replace("_", "-") not in language.folders
            if language.folders and foreign and "man/" not in relative:
                continue
            if package == "apache2-doc" and not name.endswith(".de") and ".de." not in name:
                continue
            yield path


def _chunks(text: str, *, seen: set[str]) -> Iterator[str]:
    """Yield a document's new lines in chunks; `seen` grows over all documents of a language."""
    lines: list[str] = []
    size = 0
    for raw_line in text.split("\n"):
        line = " ".join(raw_line.split())
        if not line or (len(line) > LONG_LINE and line in seen):
            continue
        if len(line) > LONG_LINE:
            seen.add(line)
        lines.append(line)
        size += len(line.encode()) + 1
        if size > CHUNK_BYTES:
            yield "\n".join(lines)
            lines, size = [], 0
    if size > SHORTEST_CHUNK_BYTES:
        yield "\n".join(lines)


def _cut(data: bytes, *, at: int) -> bytes:
    """Return the whole lines that fit into the first `at` bytes."""
    head = data[:at]
    return head[: head.rfind(b"\n") + 1]


def _standard_library() -> str:
    """Return the source text of the Python that runs: the one corpus that depends on it."""
    sources = []
    for folder, folders, names in os.walk(sysconfig.get_paths()["stdlib"]):
        folders[:] = sorted(name for name in folders if name not in {"site-packages", "__pycache__"})
        for name in sorted(names):
            if name.endswith(".py"):
                try:
                    sources.append(Path(folder, name).read_text(encoding="utf-8").replace(MARKER, ""))
                except UnicodeDecodeError:
                    continue
    return "\n".join(sources)


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
