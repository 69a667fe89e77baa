"""A training as a file, round by round, to be replayed: as JSON, or as CSV for a spreadsheet.

The JSON holds everything that the model file holds, and what each round made beside it: whoever reads the rounds in
order can rebuild every state of the training from the words alone. The CSV has a row for each prefix, from 0.

In the CSV, what cannot be seen is written out (N9), backslashes are doubled, and a cell that a spreadsheet would take
for a formula has an apostrophe in front; reading it back undoes all three.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from io import StringIO
from typing import Any, Final

from pairloom.errors import ModelError
from pairloom.formats.findings import Findings, Imported, ReadingStoppedError, in_order_of_lines
from pairloom.formats.json_findings import JsonReading
from pairloom.formats.merge_list import EncodingSettings, ListedMerge, model_of_list, settled
from pairloom.formats.model_file import model_of_fields
from pairloom.formats.text_lines import lines_of
from pairloom.model import CONVENTIONS, Model
from pairloom.unicode_data import MARKER, UNICODE_VERSION
from pairloom.views.display import visible

JSON: Final = "trace.json"
CSV: Final = "trace.csv"
FORMAT: Final = "pairloom-trace"
VERSION: Final = 1
COLUMNS: Final = (
    *("prefix", "rank", "left", "right", "result"),
    *("frequency", "replacements", "corpus_tokens", "id", "is_new"),
)
_SETTINGS: Final = ("lowercase", "pre_tokenizer", "marker", "min_frequency", "initial_tokens", "stop_reason")
_FORMULA: Final = re.compile(r"['=+\-@\t\r]")
_ESCAPED: Final = re.compile(r"\\(?:(\\)|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\})|\\")


def dumps_json(model: Model) -> bytes:
    """Return a trace as JSON, a round a line; rules T6 and V2 say what a round records."""
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "conventions": CONVENTIONS}
    head |= {"unicode_version": UNICODE_VERSION} | {name: getattr(model, name) for name in _SETTINGS}
    head |= {"alphabet": list(model.alphabet), "fingerprint": model.fingerprint}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rounds = ",\n".join([f"    {json.dumps(asdict(merge))}" for merge in model.merges])
    lines.append(f'  "rounds": [\n{rounds}\n  ]' if rounds else '  "rounds": []')
    return ("{\n" + "\n".join(lines) + "\n}\n").encode("ascii")


def loads_json(data: bytes) -> Imported:
    """Return what a trace says: the model, with the numbers of its training, if they agree with each other."""
    findings = Findings()
    model, found = None, None
    try:
        reading = JsonReading(data, findings)
        try:
            model = _traced(reading, findings)
        finally:
            found = reading.with_lines()
    except ReadingStoppedError:
        pass
    return Imported(JSON, in_order_of_lines(found or findings.found), model)


def _traced(reading: JsonReading, findings: Findings) -> Model:
    document = reading.object_at()
    if document.get("format") != FORMAT:
        raise findings.stop("shape", f'no trace: the file has no "format": "{FORMAT}"')
    expected = {"version": VERSION, "conventions": CONVENTIONS, "unicode_version": UNICODE_VERSION}
    for key, value in expected.items():
        if document.get(key) != value:
            raise findings.stop("version", f"{key} {document.get(key)!a}: {value} is known", where=reading.at(key))
    rounds = document.get("rounds")
    if not isinstance(rounds, list):
        raise findings.stop("shape", "a list of rounds is needed here", where=reading.at("rounds"))
    names = ("left", "right", "frequency", "replacements", "corpus_tokens")
    for rank, each in enumerate(rounds):
        if not isinstance(each, dict) or each.keys() != {*COLUMNS} - {"prefix"}:
            message = f"a round has {', '.join(COLUMNS[1:])}"
            raise findings.stop("shape", message, where=reading.at("rounds", rank))
    try:
        model = model_of_fields(
            {name: document.get(name) for name in (*_SETTINGS, "alphabet")},
            [{name: each[name] for name in names} for each in rounds],
        )
    except ModelError as error:
        where = error.where or ""
        rank_of = re.match(r"merges\[(\d+)\]", where)
        path = ("rounds", int(rank_of[1])) if rank_of else (where.partition("[")[0],) if where else None
        kind = "nothing-makes" if "nothing before it" in error.reason else "numbers"
        raise findings.stop(kind, error.reason, where=reading.at(*path) if path else None) from None
    for rank, (merge, each) in enumerate(zip(model.merges, rounds, strict=True)):
        differing = [name for name, value in asdict(merge).items() if each[name] != value]
        if differing:
            message = f"{differing[0]} is {each[differing[0]]!a}; replayed it is {getattr(merge, differing[0])!a}"
            raise findings.stop("numbers", message, where=reading.at("rounds", rank))
    if document.get("fingerprint") != model.fingerprint:
        raise findings.stop("numbers", "the fingerprint is not that of the rounds", where=reading.at("fingerprint"))
    return model


def dumps_csv(model: Model) -> bytes:
    """Return a trace as CSV: headings, then a row for each prefix; prefix 0 has the tokens at the start alone."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerow([0, *[""] * 6, _number(model.initial_tokens), "", ""])
    for merge in model.merges:
        symbols = [_cell(text) for text in (merge.left, merge.right, merge.result)]
        numbers = [_number(value) for value in (merge.frequency, merge.replacements, merge.corpus_tokens)]
        writer.writerow([merge.rank + 1, merge.rank, *symbols, *numbers, merge.id, "new" if merge.is_new else "reused"])
    return written.getvalue().encode("utf-8")


def loads_csv(data: bytes, *, settings: EncodingSettings | None = None, alphabet: Iterable[str] = ()) -> Imported:
    """Return the model of the columns `left` and `right`; the other columns are for people and not read.

    Args:
        data: the file.
        settings: of the model; None takes a marker if a symbol of the file has one.
        alphabet: symbols beside those of the merges.
    """
    findings = Findings()
    model = None
    try:
        merges = _csv_merges(lines_of(data, findings), findings)
        settings = settled(settings, has_marker=not merges or any(MARKER in merge.result for merge in merges))
        symbols = {part for merge in merges for part in (merge.left, merge.right) if len(part) == 1}
        model = model_of_list(merges, alphabet={*symbols, *alphabet}, settings=settings, findings=findings)
    except ReadingStoppedError:
        pass
    return Imported(CSV, in_order_of_lines(findings.found), model)


def _csv_merges(lines: list[str], findings: Findings) -> list[ListedMerge]:
    rows = csv.reader(lines, strict=True)
    try:
        heading = next(rows, [])
        if not {"left", "right"} <= set(heading):
            raise findings.stop("shape", "the first line has no columns left and right", line=1)
        left, right = heading.index("left"), heading.index("right")
        merges: list[ListedMerge] = []
        for row in rows:
            if len(row) != len(heading):
                findings.error("parts", f"{len(row)} cells under {len(heading)} headings", line=rows.line_num)
            elif row[left] or row[right]:
                pair = [_uncell(row[column], rows.line_num, findings) for column in (left, right)]
                merges.append(ListedMerge(pair[0], pair[1], line=rows.line_num))
    except csv.Error as error:
        raise findings.stop("shape", f"no CSV: {error}", line=rows.line_num) from None
    return merges


def _number(value: int | None) -> object:
    return "" if value is None else value


def _cell(text: str) -> str:
    """Return a symbol as a cell that neither a spreadsheet nor a terminal acts on."""
    doubled = text.replace("\\", "\\\\")
    # By the whole cell, for what follows what can matter: of a tower of marks the upper ones are written out.
    shown = "".join([span.text if span.kind == "escape" else span.source for span in visible(doubled)])
    return f"'{shown}" if _FORMULA.match(shown) else shown


def _uncell(cell: str, line: int, findings: Findings) -> str:
    def plain(found: re.Match[str]) -> str:
        backslash, short, long = found.groups()
        code_point = int(short or long or "110000", 16)
        if not backslash and code_point > 0x10FFFF:
            findings.error("parts", f"{found[0]!a} is no escape of this format", line=line)
            return found[0]
        return backslash or chr(code_point)

    return _ESCAPED.sub(plain, cell.removeprefix("'"))
