"""Fuzz: `python -m fuzz [TARGET …] [--seconds N]`, each target for so long, in a process of its own.

Seeds come from `fuzz/corpus`; what is found to reach new lines is kept in `.cache/fuzz`, and what fails in
`.cache/fuzz/findings`. Exits with 1 where something failed; `python -m fuzz --replay FILE TARGET` runs one input again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module, util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "fuzz" / "corpus"
FOUND = ROOT / ".cache" / "fuzz"
TARGETS = sorted(folder.name for folder in CORPUS.iterdir() if folder.is_dir())


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--seconds", type=int, default=120, help="for each target (default: %(default)s)")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run the targets on this input alone")
    options = parser.parse_args()
    targets = options.targets or TARGETS
    unknown = [target for target in targets if target not in TARGETS]
    if unknown or options.seconds < 1:
        parser.error(f"no such target: {', '.join(unknown)}" if unknown else "--seconds: give at least 1")
    if options.replay is not None:
        data = options.replay.read_bytes()
        for target in targets:
            import_module("fuzz.targets").TARGETS[target](data)
        return 0
    if util.find_spec("atheris") is None:
        print("atheris is not installed: make fuzz does it, where it has wheels (Linux).", file=sys.stderr)
        return 2
    return max(run(target, seconds=options.seconds) for target in targets)


def run(target: str, *, seconds: int) -> int:
    """Fuzz one target; print how much it came to."""
    found, findings = FOUND / target, FOUND / "findings"
    found.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "fuzz.one", target),
            # An interpreter counts as slow where it takes so many seconds for an input of some kilobytes.
            *(f"-max_total_time={seconds}", "-timeout=30", "-rss_limit_mb=4096", "-print_final_stats=1"),
            *(f"-artifact_prefix={findings}/{target}-", str(found), str(CORPUS / target)),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        print(done.stdout[-6000:])
        print(f"{target}: FAILED; the input is in {findings.relative_to(ROOT)}", flush=True)
        return 1
    stats = dict(line[6:].split(":", 1) for line in done.stdout.splitlines() if line.startswith("stat::"))
    runs = int(stats["number_of_executed_units"])
    print(f"{target}: {runs:,} inputs in {seconds} s, {len(list(found.iterdir()))} kept, no finding", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
