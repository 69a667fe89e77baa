"""`pairloom check`: somebody's own program against the conventions."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain

import click

from pairloom.checking.cases import random_cases, vectors
from pairloom.checking.checking import CounterExample, Tally, check
from pairloom.checking.program import Program
from pairloom.checking.protocol import PROTOCOL, Request
from pairloom.checks import MAX_COUNT
from pairloom.cli import options
from pairloom.cli.messages import InputError
from pairloom.cli.outputs import Output, json_line, output_to
from pairloom.cli.progress import progress
from pairloom.views.display import plain


@options.command(
    "check",
    examples=[
        "pairloom check -- node bpe.mjs",
        "pairloom check --cases 2000 --seed 7 -- node bpe.mjs",
    ],
)
@click.argument("program", nargs=-1, required=True, metavar="COMMAND...")
@click.option(
    "--cases",
    type=options.WholeNumber(0, MAX_COUNT),
    default=2000,
    metavar="N",
    help="After the golden vectors, so many random cases. Default: 2000.",
)
@click.option(
    "--seed",
    type=options.WholeNumber(0, MAX_COUNT),
    default=1,
    metavar="N",
    help="Another seed draws other random cases. Default: 1.",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=options.WholeNumber(1, 3600),
    default=10,
    metavar="SECONDS",
    help="How long one answer may take. Default: 10.",
)
@options.json("one object: whether all is right, the counts, the counter-example")
@options.output
def command(
    *, program: tuple[str, ...], cases: int, seed: int, timeout_s: int, as_json: bool, output: str | None
) -> None:
    """Check another program against the conventions.

    COMMAND is any program, in any language, that trains and encodes: it reads one JSON object a line from its standard
    input and writes one a line in answer; docs/check.md describes them. It is asked the golden vectors and then random
    cases. The first wrong answer is shrunk to a smallest counter-example, and the rule that it breaks is named. Exit
    code 1: there is a counter-example.
    """
    tally = Tally()
    found: CounterExample | None = None
    every = chain(vectors(), random_cases(cases, seed=seed))
    with progress("checking", quiet=False) as line, Program(program, timeout_s=timeout_s) as running:
        try:
            for outcome in check(running, every, tally):
                found = outcome
                line.status = f"checking: {tally.right:,} right answers"
        except OSError as error:
            raise InputError(reason=f"{plain(program[0])} cannot be started: {error.strerror}") from None
    if found is None and not tally.right:
        raise InputError(reason="the program says that it supports nothing: there is nothing to check")
    with output_to(output) as out:
        if as_json:
            out.write(json_line(_fields(found, tally)))
        else:
            _write(out, found, tally, program)
    if found is not None:
        raise click.exceptions.Exit(1)


def _fields(found: CounterExample | None, tally: Tally) -> dict[str, object]:
    example = None
    if found is not None:
        example = {
            "case": found.case,
            "request": found.request,
            "code_points": found.code_points,
            "objection": asdict(found.objection),
            "rules": found.rules,
            "is_repeated": found.is_repeated,
            "mistakes": [{"name": each.name, "rules": each.rules, "message": each.message} for each in found.mistakes],
        }
    unsupported = dict(tally.unsupported or {})
    return {"protocol": PROTOCOL, "right": tally.right, "unsupported": unsupported, "counter_example": example}


def _write(out: Output, found: CounterExample | None, tally: Tally, program: Sequence[str]) -> None:
    left_out = "".join(f"; {count:,} of {name} not supported" for name, count in (tally.unsupported or {}).items())
    if found is None:
        out.write(f"all right: {tally.right:,} answers as the conventions have them{plain(left_out)}\n")
        return
    out.write(f"wrong, after {tally.right:,} right answers{plain(left_out)}: {plain(found.case)}\n")
    out.write(f"the smallest counter-example, {found.code_points} code points:\n")
    out.write(f"  {_line(found.request)}")
    out.write(f"  {found.objection.field}: {_value(found.objection.got)}\n")
    out.write(f"  should be: {_value(found.objection.expected)}\n")
    out.write(f"rule {found.rules}")
    if not found.is_repeated:
        out.write(": asked the same again, the program answers otherwise\n")
    elif not found.mistakes:
        out.write(": no mistake that is known explains the answer\n")
    else:
        out.write(f": {found.mistakes[0].message}\n")
    for other in found.mistakes[1:]:
        out.write(f"  or rule {other.rules}: {other.message}\n")
    # As it was sent: in ASCII, and by `printf`, for some shells' `echo` undoes escapes.
    asked = shlex.quote(json.dumps(found.request))
    out.write(f"ask it again: printf '%s\\n' {asked} | {plain(shlex.join(program))}\n")


def _line(request: Request) -> str:
    return json_line(request)


def _value(value: object) -> str:
    return json_line(value).rstrip("\n")
