"""Make the corpora: `python -m benchmarks.corpora samples | full [LANGUAGE…]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.corpora import full, samples
from benchmarks.corpora.debian import DownloadError

DEFAULT_CACHE = Path(__file__).resolve().parents[2] / ".cache" / "benchmarks"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpora", description=__doc__)
    parser.add_argument("which", choices=("samples", "full"))
    parser.add_argument("languages", nargs="*", help="en de ja zh; for full also code, many (default: not many)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="folder for packages and texts")
    options = parser.parse_args()
    usual = (*samples.LANGUAGES, "code") if options.which == "full" else tuple(samples.LANGUAGES)
    known = (*usual, "many") if options.which == "full" else usual
    languages = options.languages or usual
    if unknown := set(languages) - set(known):
        parser.error(f"no such corpus: {', '.join(sorted(unknown))} (known: {', '.join(known)})")
    try:
        for language in languages:
            for path in _made(options.which, language=language, cache=options.cache):
                print(f"{samples.checksum(path)}  {path.name}  {path.stat().st_size:,} bytes, {_verdict(path)}")
    except DownloadError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _verdict(path: Path) -> str:
    if path.name not in samples.recorded_checksums():
        return "depends on the Python that runs"
    return "as recorded" if samples.is_as_recorded(path) else "differs from the recorded checksum"


def _made(which: str, *, language: str, cache: Path) -> list[Path]:
    if which == "samples":
        return [samples.ensure_sample(language, cache=cache)]
    return full.build(language, cache=cache)


if __name__ == "__main__":
    sys.exit(main())
