"""`pairloom check`: a right program passes; each planted mistake is found, shrunk and named."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pairloom.checking.cases import random_cases, vectors
from pairloom.checking.checking import RULES_OF_FIELDS, Tally, check, size_of
from pairloom.checking.mistakes import MISTAKES, diagnosed
from pairloom.checking.program import NoAnswerError, Program
from pairloom.checking.protocol import Answer, Request, objection_to, right_answer
from pairloom.checking.reference import Reference
from pairloom.checking.shrinking import shrunk
from tests.support.command_line import Ended, run
from tests.support.node import require_node
from tests.support.repository import ROOT

RIGHT = ROOT / "examples" / "check" / "bpe.mjs"

# Name of the mistake, what is planted into the right program, the rules that the report may name.
PLANTED: list[tuple[str, str, str, str]] = [
    (
        "overlaps-once",
        "      const pair = key(symbols[place], symbols[place + 1]);\n",
        """
      const pair = key(symbols[place], symbols[place + 1]);
      if (symbols[place] === symbols[place + 1]) {
        let run = 0;
        while (symbols[place - run - 1] === symbols[place]) run += 1;
        if (run % 2 === 1) continue;
      }
""",
        "T2",
    ),
    ("first-seen", " || compare(left, best.left) || compare(right, best.right);", ";", "T4"),
    (
        "utf16-order",
        "compare(left, best.left) || compare(right, best.right)",
        "(left < best.left ? -1 : left > best.left ? 1 : right < best.right ? -1 : 1)",
        "T4",
    ),
    (
        "replayed",
        "  const symbols = [...word];\n  for (;;) {\n",
        """
  let symbols = [...word];
  for (const pair of ranks.keys()) symbols = replace(symbols, ...JSON.parse(pair));
  if (true) return symbols;
  for (;;) {
""",
        "E2",
    ),
    ("nfkc", 'lowered.replace(/\\s+/g, " ")', 'lowered.normalize("NFKC").replace(/\\s+/g, " ")', "N6"),
    (
        "str-split",
        "lowered.replace(/\\s+/g",
        r"lowered.replace(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g",
        "N4",
    ),
    ("lower-by-character", "text.toLowerCase()", '[...text].map((char) => char.toLowerCase()).join("")', "N1"),
    (
        "dropping-unknown",
        "  return { tokens, ids: tokens.map((token) => ids.get(token) ?? null) };",
        """
  const known = tokens.filter((token) => ids.has(token));
  return { tokens: known, ids: known.map((token) => ids.get(token)) };
""",
        "E3",
    ),
    (
        "bare-first-word",
        "(marker && place === 0 ? MARKER + piece : piece)",
        "(marker && place === 0 && !normalized.startsWith(word) ? MARKER + piece : piece)",
        "P1",
    ),
    (
        "across-words",
        '  return normalized.split(" ").flatMap((word) => {',
        """
  if (true) return [normalized.split(" ").map((word) => (marker ? MARKER : "") + word).join("")];
  return normalized.split(" ").flatMap((word) => {
""",
        "P4",
    ),
]


@pytest.fixture(autouse=True)
def node() -> None:
    require_node()


def checked(program: Path, *options: str) -> Ended:
    return run("check", *options, "--", "node", program)


def test_a_right_program_in_another_language_passes() -> None:
    ended = checked(RIGHT, "--cases", "1500", "--seed", "11")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"all right: {len(vectors()) + 1500:,} answers as the conventions have them\n"


def test_the_plain_module_passes() -> None:
    program = ROOT / "examples" / "check" / "educational_program.py"
    ended = run("check", "--json", "--cases", "300", "--", sys.executable, program)
    assert (ended.code, json.loads(ended.out)["right"]) == (0, len(vectors()) + 300)


@pytest.mark.parametrize(("name", "old", "new", "rules"), PLANTED, ids=[each[0] for each in PLANTED])
def test_a_planted_mistake_is_found_and_named(name: str, old: str, new: str, rules: str, tmp_path: Path) -> None:
    source = RIGHT.read_text("utf-8")
    assert source.count(old) == 1
    wrong = tmp_path / "wrong.mjs"
    wrong.write_text(source.replace(old, new), "utf-8")
    ended = checked(wrong, "--json")
    assert ended.code == 1
    found = json.loads(ended.out)["counter_example"]
    assert found["code_points"] <= 12
    assert found["code_points"] == size_of(found["request"])
    assert found["rules"] in rules.split()
    assert (
        name in [mistake["name"] for mistake in found["mistakes"]] or found["mistakes"][0]["name"] == "alphabet-order"
    )
    # It is a counter-example: asked again, the wrong program gives that answer and the right one does not.
    request = found["request"]
    with Program(["node", str(wrong)], timeout_s=30) as program, Program(["node", str(RIGHT)], timeout_s=30) as right:
        assert objection_to(program.ask(request), right_answer(request)) is not None
        assert objection_to(right.ask(request), right_answer(request)) is None


def test_the_examples_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from pairloom.cli.check import command

    monkeypatch.chdir(RIGHT.parent)
    for example in command.examples:
        ended = run(*example.split()[1:])
        assert (ended.code, ended.err) == (0, "")


def test_the_report_for_people(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.mjs"
    wrong.write_text(RIGHT.read_text("utf-8").replace(PLANTED[1][1], PLANTED[1][2]), "utf-8")
    ended = checked(wrong)
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert lines[0].startswith("wrong, after ")
    assert lines[1].startswith("the smallest counter-example, ")
    assert json.loads(lines[2])["op"] == "train"
    assert lines[4].startswith("  should be: ")
    assert any(line.startswith("rule T4: of tied pairs the one counted first is merged") for line in lines)
    assert lines[-1].startswith("ask it again: printf '%s\\n' '{")


# -- the machinery, without Node.js's help


ECHO = "import sys, json\nfor line in sys.stdin:\n    request = json.loads(line)\n    {body}\n"


def python_program(tmp_path: Path, body: str) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(ECHO.format(body=body))
    return [sys.executable, str(path)]


@pytest.mark.parametrize(
    ("body", "got"),
    [
        ("sys.exit(3)", "the program ended with exit code 3 and no answer"),
        ("print('hello', flush=True)", "no JSON object: hello"),
        ("print('[]', flush=True)", "no JSON object: []"),
        ("print('{}', flush=True)", None),
    ],
)
def test_programs_that_do_not_answer(tmp_path: Path, body: str, got: str | None) -> None:
    ended = run("check", "--json", "--cases", "0", "--", *python_program(tmp_path, body))
    assert ended.code == 1
    found = json.loads(ended.out)["counter_example"]
    assert found["objection"]["got"] == (got or "nothing")
    assert found["rules"] == ("the protocol" if got else "N1–N6")
    assert found["request"]["text"] == ""


def test_a_program_that_writes_without_end(tmp_path: Path) -> None:
    ended = run("check", "--json", "--cases", "0", "--", *python_program(tmp_path, "while True: print('{}')"))
    assert ended.code == 1


def test_nothing_hostile_reaches_a_terminal(tmp_path: Path) -> None:
    from pairloom.views.display import visible
    from tests.support.command_line import run_in_terminal

    for body in (
        "print('\\x1b[31mred\\u202e', flush=True)",
        "print(json.dumps({'normalized': '\\x1b[31m\\u202e\\0'}), flush=True)",
        "print(json.dumps({'unsupported': 1} if request['op'] == 'normalize' else {'tokens': '\\x9b'}), flush=True)",
    ):
        program = python_program(tmp_path, body)
        out = run_in_terminal("check", "--cases", "0", "--", *program).out.replace("\r\n", "\n")
        assert "counter-example" in out
        assert not [span for line in out.split("\n") for span in visible(line) if span.kind == "escape"]


def test_a_program_that_takes_too_long(tmp_path: Path) -> None:
    body = "import time; time.sleep(60)"
    cases = vectors()[:1]
    with Program(python_program(tmp_path, body), timeout_s=0.2) as program:
        (found,) = check(program, cases, Tally())
    assert found is not None
    assert found.objection.got == "no answer within 0.2 s"


def test_what_a_program_does_not_support_is_counted(tmp_path: Path) -> None:
    normalizing = (
        "from pairloom import normalize, PairloomError\n"
        "    try:\n"
        "        answer = {'normalized': normalize(request['text'], request['lowercase'])}\n"
        "    except PairloomError as error:\n"
        "        answer = {'error': {'kind': error.kind, 'position': error.position}}\n"
        "    except KeyError:\n"
        "        answer = {'unsupported': request['op']}\n"
        "    print(json.dumps(answer if request['op'] == 'normalize' else {'unsupported': True}), flush=True)"
    )
    ended = run("check", "--json", "--cases", "60", "--", *python_program(tmp_path, normalizing))
    assert ended.code == 0, ended
    counts = json.loads(ended.out)
    assert counts["right"] + sum(counts["unsupported"].values()) == len(vectors()) + 60
    assert set(counts["unsupported"]) == {"train", "encode"}
    nothing = python_program(tmp_path, "print(json.dumps({'unsupported': True}), flush=True)")
    ended = run("check", "--", *nothing)
    assert (ended.code, ended.out) == (1, "")
    assert "supports nothing" in ended.err


def test_a_program_that_cannot_be_started() -> None:
    ended = run("check", "--", "no-such-program-\x1b")
    assert (ended.code, ended.out) == (1, "")
    assert "no-such-program-\\u001b cannot be started" in ended.err


def test_the_vectors_are_those_of_the_tests() -> None:
    import subprocess

    subprocess.run([sys.executable, ROOT / "tools" / "pack_cases.py", "--check"], check=True)
    for case in vectors():
        right = right_answer(case.request)
        assert objection_to(right, case.answer) is None, case.name


def test_random_cases_are_the_same_for_a_seed_and_meet_every_kind() -> None:
    cases = list(random_cases(300, seed=3))
    assert cases == list(random_cases(300, seed=3))
    assert cases != list(random_cases(300, seed=4))
    assert {case.request["op"] for case in cases} == {"train", "encode", "normalize"}
    assert any("error" in case.answer for case in cases)


def test_the_literal_reference_is_right_and_every_mistake_is_one() -> None:
    """Unbent, the reference gives the library's answers; bent, each mistake is seen in some random case."""
    cases = [*vectors(), *random_cases(4000, seed=5)]
    cases = [case for case in cases if len(str(case.request)) < 1500]
    straight = Reference()
    unseen = {mistake.name: mistake for mistake in MISTAKES}
    for case in cases:
        assert objection_to(straight.answer(case.request), case.answer) is None, case
        for name, mistake in list(unseen.items()):
            if objection_to(mistake.program.answer(case.request), case.answer) is not None:
                del unseen[name]
    assert not unseen


def test_a_mistake_explains_its_own_answers() -> None:
    for mistake in MISTAKES:
        for case in random_cases(400, seed=6):
            got = mistake.program.answer(case.request)
            if objection_to(got, case.answer) is not None:
                assert mistake in diagnosed(case.request, got)
                break


# What is done to `educational` before the example program answers, and which rules the report names. None of these is
# seen in trained lists, golden vectors or plain texts alone.
SUBTLE = {
    "encoding cuts no words": ("enc(lambda *a, **k: [''.join(whole(*a, **k))] if a[0] else [])", "P4"),
    "encoding ignores the pre-tokenizer": ("enc(lambda n, _, **k: whole(n, 'whitespace', **k))", "P2"),
    "the last literal marker": ("refuse(lambda text, _: text.rindex('▁'))", "N8, T10"),
    "positions in UTF-16": ("refuse(lambda text, at: len(text[:at].encode('utf-16-le')) // 2)", "N8, T10"),
    "positions behind white space": ("refuse(lambda text, _: text.lstrip().index('▁'))", "N8, T10"),
    "tables without markers": ("tables()", "T1, P1"),
    "an underscore is no letter": ("letters(lambda cp: cp != 0x5F)", "T2–T5, P2"),
    "encoding composes": ("enc_text(lambda text: unicodedata.normalize('NFC', text))", "N6"),
}
_BENT = """
import unicodedata
from pairloom import educational as bpe
whole, its_normalize, its_encode, is_word = bpe.pre_tokenize, bpe.normalize, bpe.encode, bpe.unicode.is_word
def enc(cut):
    def bent(*arguments):
        bpe.pre_tokenize = cut
        try:
            return its_encode(*arguments)
        finally:
            bpe.pre_tokenize = whole
    bpe.encode = bent
def enc_text(change):
    bpe.encode = lambda text, *more: its_encode(change(text), *more)
def refuse(place):
    def bent(text, **more):
        try:
            return its_normalize(text, **more)
        except ValueError as error:
            raise ValueError(error.args[0], place(text, error.args[1])) from None
    bpe.normalize = bent
def tables():
    bpe.unicode.MARKER_OF_TABLES = ""
def letters(more):
    bpe.unicode.is_word = lambda cp: is_word(cp) and more(cp)
"""


@pytest.mark.parametrize(("bend", "rules"), SUBTLE.values(), ids=SUBTLE)
def test_subtle_mistakes_are_found(bend: str, rules: str, tmp_path: Path) -> None:
    example = (ROOT / "examples" / "check" / "educational_program.py").read_text("utf-8")
    example = example.replace("front = MARKER * ", "front = getattr(bpe.unicode, 'MARKER_OF_TABLES', MARKER) * ")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(example.replace("\n\n\ndef ", f"\n{_BENT}\n{bend}\n\n\ndef ", 1), "utf-8")
    ended = run("check", "--json", "--", sys.executable, wrong)
    assert ended.code == 1
    found = json.loads(ended.out)["counter_example"]
    assert found["code_points"] <= 12
    assert found["rules"] == rules


def test_a_mistake_that_earlier_answers_rule_out_is_not_named() -> None:
    """U+FEFF is white space to this program, so it does not split as Python does, though the answer looks like it."""
    cases = [case for case in vectors() if case.request["op"] == "normalize"]

    class Spaced(Program):
        def ask(self, request: Request) -> Answer:
            text = request["text"].replace("\x85", " ").replace("\x1c", " ")
            return right_answer(request | {"text": text})

    (*_, found) = check(Spaced(["none"], timeout_s=1), cases, Tally())
    assert found is not None
    assert "str-split" in [mistake.name for mistake in diagnosed(found.request, {"normalized": ""})]
    assert (found.mistakes, found.rules) == ((), "N4, N5")


def test_a_failure_that_does_not_come_again_is_shown_as_it_was() -> None:
    class Once(Program):
        def ask(self, request: Request) -> Answer:
            self.asked += 1
            if self.asked == 3:
                raise NoAnswerError("the program ended with exit code 3 and no answer")
            return right_answer(request)

    (*_, found) = check(Once(["none"], timeout_s=1), vectors(), Tally())
    assert found is not None
    assert (found.case, found.request) == (vectors()[2].name, vectors()[2].request)
    assert (found.objection.got, found.rules) == ("the program ended with exit code 3 and no answer", "T9")
    assert not found.is_repeated


def test_what_to_ask_again_is_what_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Controls and what else is written out reach the program as they were sent."""
    monkeypatch.chdir(tmp_path)
    body = (
        "text = request.get('text', '')\n    open('asked', 'a').write(json.dumps(text) + chr(10))\n"
        "    print(json.dumps({'normalized': text.replace(chr(0), '')}), flush=True)"
    )
    program = python_program(tmp_path, body)
    ended = run("check", "--cases", "0", "--", *program)
    lines = [line for line in ended.out.splitlines() if line.startswith("ask it again: ")]
    again = subprocess.run(["sh", "-c", lines[0].removeprefix("ask it again: ")], capture_output=True, check=True)
    request = json.loads(ended.out.splitlines()[2])
    assert json.loads(shlex.split(lines[0])[5]) == request
    asked = json.loads(Path("asked").read_text().splitlines()[-1])
    assert (asked, json.loads(again.stdout)) == (request["text"], {"normalized": request["text"].replace("\0", "")})


def test_a_table_shrinks_too() -> None:
    request = {"op": "train", "word_counts": {"lower": 5, "widest": 3}, "marker": True, "merge_limit": 9}
    smallest = shrunk(request, lambda each: any("ow" in word for word in each["word_counts"]))
    assert smallest["word_counts"] == {"ow": 1}


def test_shrinking_ends_at_a_smallest_request() -> None:
    request = {"op": "normalize", "text": "some Words  with\tan É in them", "lowercase": True}
    assert shrunk(request, lambda each: "É" in each["text"]) == {"op": "normalize", "text": "É", "lowercase": False}
    assert shrunk(request, lambda _: False) == request


def test_every_field_has_its_rules() -> None:
    assert all(RULES_OF_FIELDS.values())
