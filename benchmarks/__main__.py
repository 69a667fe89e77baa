"""Measure Pairloom: `python -m benchmarks`. Fresh processes, interleaved round by round; medians decide."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import encoding, machine, report, scale
from benchmarks import jobs as catalogue
from benchmarks.corpora import full
from benchmarks.corpora.__main__ import DEFAULT_CACHE
from benchmarks.corpora.debian import DownloadError
from benchmarks.corpora.samples import LANGUAGES, ensure_sample, is_as_recorded
from benchmarks.processes import ROOT, ProgramError, run_python

RESULTS = ROOT / "bench-results"


def main() -> int:
    options = _options()
    every = (*catalogue.all_jobs(), *scale.all_jobs(), *encoding.all_jobs())
    jobs = [job for job in every if _is_wanted(job, patterns=options.jobs)]
    if options.list:
        print("\n".join(f"{job.name:26} {job.what}" for job in jobs))
        return 0
    if not jobs:
        print("No job has such a name; --list prints them all.", file=sys.stderr)
        return 2
    remarks: list[str] = []
    texts = _texts(jobs, cache=options.cache, remarks=remarks)
    measured = _measure(jobs, texts=texts, rounds=options.rounds, remarks=remarks)
    budgets = catalogue.all_budgets()
    _write(measured, budgets, summary=options.summary)
    broken = [budget.what for budget in budgets if report.verdict(budget, measured) == "not met"]
    if broken:
        print(f"\nNot met: {'; '.join(broken)}", file=sys.stderr)
    return 1 if broken and options.check else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help="names or beginnings of names (default: all)")
    parser.add_argument("--list", action="store_true", help="print the jobs and stop")
    parser.add_argument("--rounds", type=int, default=5, help="processes a job (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a budget is not met")
    parser.add_argument("--summary", type=Path, help="also replace the figures in this page of the documentation")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="folder of packages and texts")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: give at least 1")
    return options


def _is_wanted(job: catalogue.Job, *, patterns: Sequence[str]) -> bool:
    return not patterns or any(job.name.startswith(pattern) for pattern in patterns)


def _texts(jobs: Sequence[catalogue.Job], *, cache: Path, remarks: list[str]) -> dict[str, Path]:
    """Return the texts that the jobs need by language; one that cannot be had is left out, with a remark."""
    texts: dict[str, Path] = {}
    for language in dict.fromkeys(language for job in jobs for language in job.texts):
        try:
            path = ensure_sample(language, cache=cache) if language in LANGUAGES else full.ensure(language, cache=cache)
        except DownloadError as error:
            print(error, file=sys.stderr)
            remarks.append(f"The text {language} could not be had: its jobs were not measured.")
            continue
        texts[language] = path
        if not is_as_recorded(path):
            remarks.append(f"The text {language} differs from the recorded checksum: compare with care.")
    return texts


def _measure(
    jobs: Sequence[catalogue.Job], *, texts: dict[str, Path], rounds: int, remarks: list[str]
) -> report.Measured:
    possible = [job for job in jobs if job.is_possible() and texts.keys() >= set(job.texts)]
    runs: dict[str, list[dict[str, float]]] = {job.name: [] for job in possible}
    peers = sorted({job.needs for job in possible if job.needs is not None})
    description = machine.describe(peers) | {"load at the start": machine.load()}
    run_python(("-c", "import pairloom"))  # so that no measured process has to write byte code
    for number in range(rounds):
        for job in possible:
            if number < job.max_rounds:
                _progress(f"round {number + 1} of {rounds}: {job.name}")
                run = run_python([*job.arguments, *(str(texts[text]) for text in job.texts)])
                scale.check_result(job, run)
                runs[job.name].append(run)
    _progress("")
    description |= {"load at the end": machine.load(), "rounds": str(rounds)}
    return report.Measured(machine=description, jobs=jobs, runs=runs, remarks=remarks)


def _progress(message: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{message}", end="", file=sys.stderr, flush=True)


def _write(measured: report.Measured, budgets: Sequence[catalogue.Budget], *, summary: Path | None) -> None:
    text = report.markdown(measured, budgets)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "latest.json").write_text(json.dumps(measured.as_json(), indent=1) + "\n", encoding="utf-8")
    (RESULTS / "latest.md").write_text(text, encoding="utf-8")
    if summary is not None:
        page = summary.read_text(encoding="utf-8")
        summary.write_text(report.renewed(page, measured, budgets), encoding="utf-8")
    print(text)
    print(f"Written to {RESULTS.relative_to(ROOT)}/latest.json and latest.md.")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ProgramError as error:
        print(error, file=sys.stderr)
        sys.exit(3)
