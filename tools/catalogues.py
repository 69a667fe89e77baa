#!/usr/bin/env python3
"""Message catalogues of the pages: gather the messages, renew each language, compile what gettext reads at run time.

    python tools/catalogues.py            write locale/messages.pot, renew each locale/LANGUAGE.po, compile its .mo
    python tools/catalogues.py --check    change nothing; exit status 1 if a file is not current or not complete

Adding a language is adding `LANGUAGE.po`: a copy of messages.pot to begin with. Messages come from the Python sources
(gettext's functions and `mark_message`) and from the templates. The files carry no dates and no line numbers, so that
they change when a message does.
"""

import argparse
import io
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "pairloom"
LOCALE = SOURCES / "web" / "locale"
METHODS = [("**.py", "python"), ("web/templates/**", "jinja2")]
OPTIONS = {"web/templates/**": {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}}
KEYWORDS = {**DEFAULT_KEYWORDS, "mark_message": None, "counted_message": (2, 3)}
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)  # a real one would change with every run
HEADER = "# Messages of Pairloom's pages. Written by `make catalogues`; translate in LANGUAGE.po."


def gather() -> Catalog:
    """Return every message that stands in the sources."""
    found = extract_from_dir(
        SOURCES, METHODS, OPTIONS, KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )
    template = Catalog(header_comment=HEADER, project="Pairloom", version="", creation_date=NO_DATE)
    for name, _, message, comments, context in found:
        # The line number is given away: the file is enough to find a message.
        template.add(message, locations=[(f"src/pairloom/{name}", 0)], auto_comments=comments, context=context)
    return template


def po_text(catalog: Catalog) -> bytes:
    """Return the text of a .po or .pot file."""
    stream = io.BytesIO()
    write_po(stream, catalog, width=116, sort_output=True, include_lineno=False, ignore_obsolete=True)
    return stream.getvalue().rstrip() + b"\n"


def mo_text(catalog: Catalog) -> bytes:
    """Return the compiled form."""
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def renewed(path: Path, template: Catalog) -> Catalog:
    """Return a language's catalogue with the messages of today."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.revision_date = NO_DATE
    return catalog


def places(texts: str | tuple[str, ...] | list[str]) -> set[str]:
    """Return what a message leaves open: `{name}` and `%(name)s`."""
    joined = texts if isinstance(texts, str) else "\0".join(texts)
    return set(re.findall(r"\{\w+\}|%\(\w+\)[a-z]", joined))


def faults(message: Message) -> list[str]:
    """Return what a translation lacks."""
    texts = [message.string] if isinstance(message.string, str) else list(message.string or [""])
    found = []
    if not all(texts):
        found.append("not translated")
    elif extra := places(texts) - places(message.id):
        found.append(f"fills in {', '.join(sorted(extra))}, which the message does not have")
    elif lost := places(message.id) - places(texts):
        found.append(f"leaves out {', '.join(sorted(lost))}")
    if message.fuzzy:
        found.append("marked as fuzzy")
    return found


def main() -> int:
    """Write or check all files."""
    parser = argparse.ArgumentParser(description="Gather, renew and compile the message catalogues.")
    parser.add_argument("--check", action="store_true", help="write nothing, say what is not current")
    check = parser.parse_args().check
    template = gather()
    wanted = {LOCALE / "messages.pot": po_text(template)}
    complaints = []
    for path in sorted(LOCALE.glob("*.po")):
        catalog = renewed(path, template)
        wanted |= {path: po_text(catalog), path.with_suffix(".mo"): mo_text(catalog)}
        for message in catalog:
            if message.id:
                complaints += [f"{path.name}: {fault}: {message.id!r}" for fault in faults(message)]
    for path, text in wanted.items():
        if path.exists() and path.read_bytes() == text:
            continue
        if check:
            complaints.append(f"{path.relative_to(ROOT)} is not current: make catalogues")
        else:
            path.write_bytes(text)
            print(f"wrote {path.relative_to(ROOT)}")
    print(*complaints, sep="\n", end="\n" if complaints else "", file=sys.stderr)
    return 1 if check and complaints else 0


if __name__ == "__main__":
    sys.exit(main())
