"""What was measured, written down: JSON with every single value, Markdown with medians, minima and maxima."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks import encoding, scale
from benchmarks.jobs import Budget, Job

# runs[job] = the figures of each process, in the order in which they were started
Runs = Mapping[str, Sequence[Mapping[str, float]]]

BEGIN, END = "<!-- figures: make bench -->", "<!-- end of figures -->"
ENCODE_BEGIN, ENCODE_END = "<!-- figures: make bench BENCH=encode -->", "<!-- end of figures of encoding -->"
SCALE_BEGIN, SCALE_END = "<!-- figures: make bench BENCH=scale -->", "<!-- end of figures at scale -->"


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything of one run of the benchmarks."""

    machine: Mapping[str, str]
    jobs: Sequence[Job]
    runs: Runs
    remarks: Sequence[str]

    def medians(self) -> dict[str, dict[str, float]]:
        """Return the median of every figure by job."""
        return {
            job: {figure: median(run[figure] for run in runs) for figure in runs[0]} for job, runs in self.runs.items()
        }

    def as_json(self) -> dict[str, object]:
        """Return all of it as plain values."""
        return {"machine": self.machine, "medians": self.medians(), "runs": self.runs, "remarks": self.remarks}


def verdict(budget: Budget, measured: Measured) -> str:
    """Return "met", "not met" or "not measured"."""
    value = budget.of(measured.medians())
    if value is None:
        return "not measured"
    return "met" if value <= budget.limit else "not met"


def markdown(measured: Measured, budgets: Sequence[Budget]) -> str:
    """Return the report: machine, budgets, all figures, those of encoding and at scale apart."""
    return "\n".join(part for part in (usual(measured, budgets), of_encoding(measured), at_scale(measured)) if part)


def usual(measured: Measured, budgets: Sequence[Budget]) -> str:
    """Return what is said of the jobs that need no large corpus; empty where none of them was asked for."""
    jobs = [job for job in measured.jobs if not scale.is_one(job) and not encoding.is_one(job)]
    if not jobs:
        return ""
    return _joined(_machine(measured), _budgets(measured, budgets), _figures(jobs, measured), _remarks(measured))


def of_encoding(measured: Measured) -> str:
    """Return what is said of encoding beside the peers; empty where none of its jobs was asked for."""
    jobs = [job for job in measured.jobs if encoding.is_one(job)]
    if not jobs:
        return ""
    rows = [_encoding_row(job, measured.runs.get(job.name, ())) for job in jobs]
    head = ("job", "CPU time", "again", "wall time", "peak memory", "runs", "note")
    targets = scale.markdown(measured.medians(), encoding.all_targets())
    return _joined(_machine(measured), _table(head, rows, align="lrrrrrl"), targets, _remarks(measured))


def at_scale(measured: Measured) -> str:
    """Return what is said of the jobs at scale; empty where none of them was asked for."""
    jobs = [job for job in measured.jobs if scale.is_one(job)]
    if not jobs:
        return ""
    rows = [_scale_row(job, measured.runs.get(job.name, ())) for job in jobs]
    head = ("job", "CPU time", "wall time", "peak memory", "runs", "note")
    table = _table(head, rows, align="lrrrrl")
    return _joined(
        _machine(measured), table, scale.markdown(measured.medians(), scale.all_targets()), _remarks(measured)
    )


def replace_figures(page: str, figures: str, *, begin: str = BEGIN, end: str = END) -> str:
    """Return the page with new figures between its two marks."""
    head, rest = page.split(begin, 1)
    return f"{head}{begin}\n\n{figures.strip()}\n\n{end}{rest.split(end, 1)[1]}"


def renewed(page: str, measured: Measured, budgets: Sequence[Budget]) -> str:
    """Return the page with the figures of what was measured; the others stay as they are."""
    for figures, begin, end in (
        (usual(measured, budgets), BEGIN, END),
        (of_encoding(measured), ENCODE_BEGIN, ENCODE_END),
        (at_scale(measured), SCALE_BEGIN, SCALE_END),
    ):
        if figures:
            page = replace_figures(page, figures, begin=begin, end=end)
    return page


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def _remarks(measured: Measured) -> str:
    return "\n".join(f"- {remark}" for remark in measured.remarks)


def _scale_row(job: Job, runs: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    """Medians, with minimum and maximum where there are several, and of how many runs."""
    if not runs:
        return (job.what, "not measured", "", "", "0", job.note)
    shown = [_in_brackets(figure, runs) for figure in ("process_ms", "wall_ms")]
    return (job.what, *shown, f"{median(run['peak_mb'] for run in runs):.0f} MB", str(len(runs)), job.note)


def _encoding_row(job: Job, runs: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    """Like a row at scale, of the encoding alone: the first time, and where it was asked for the second."""
    if not runs:
        return (job.what, "not measured", "", "", "", "0", job.note)
    shown = [
        _in_brackets(figure, runs) if figure in runs[0] else "–" for figure in ("encode_ms", "again_ms", "wall_ms")
    ]
    return (job.what, *shown, f"{median(run['peak_mb'] for run in runs):.0f} MB", str(len(runs)), job.note)


def _in_brackets(figure: str, runs: Sequence[Mapping[str, float]]) -> str:
    """A median, and behind it minimum and maximum."""
    middle, around = _spread(figure, [run[figure] for run in runs])
    return middle if middle == around else f"{middle} ({around})"


def _machine(measured: Measured) -> str:
    return "Measured with " + "; ".join(f"{name}: {value}" for name, value in measured.machine.items()) + "."


def _budgets(measured: Measured, budgets: Sequence[Budget]) -> str:
    medians = measured.medians()
    rows = []
    for budget in budgets:
        value = budget.of(medians)
        shown = "–" if value is None else _number(value, unit=budget.unit)
        rows.append(
            (budget.what, _number(budget.limit, unit=budget.unit), shown, verdict(budget, measured)),
        )
    return _table(("budget", "at most", "median", "verdict"), rows, align="lrrl")


def _figures(jobs: Sequence[Job], measured: Measured) -> str:
    rows: list[tuple[str, ...]] = []
    for job in jobs:
        runs = measured.runs.get(job.name)
        if not runs:
            rows.append((job.what, "not measured", "", "", "", job.note or (f"needs {job.needs}" if job.needs else "")))
            continue
        peak = f"{median(run['peak_mb'] for run in runs):.0f} MB"
        for place, figure in enumerate(("process_ms", *job.figures)):
            values = [run[figure] for run in runs]
            what, memory, note = (job.what, peak, job.note) if place == 0 else ("", "", "")
            rows.append((what, _label(figure), *_spread(figure, values), memory, note))
    head = ("job", "figure", "median", "min – max", "peak memory", "note")
    return _table(head, rows, align="llrrrl")


def _label(figure: str) -> str:
    name, _, unit = figure.rpartition("_")
    return name.replace("_", " ") if unit == "ms" else figure.replace("_", " ")


def _spread(figure: str, values: Sequence[float]) -> tuple[str, str]:
    unit = "ms" if figure.endswith("_ms") else ""
    shown = [_number(value, unit=unit) for value in (median(values), min(values), max(values))]
    return shown[0], shown[1] if shown[1] == shown[2] else f"{shown[1]} – {shown[2]}"


def _number(value: float, *, unit: str) -> str:
    if unit == "times":
        return f"× {value:.2f}"
    if unit == "ms":
        return f"{value / 1e3:.2f} s" if value >= 1_000 else f"{value:.3g} ms"
    return f"{value:,.0f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, align: str) -> str:
    rule = ["--:" if side == "r" else "---" for side in align]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
