"""The benchmarks' own parts: budgets fit the jobs, reports say what was measured, texts come out of their sources."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from benchmarks import encoding, jobs, machine, report, scale
from benchmarks.corpora import full, plain_text, samples
from benchmarks.corpora.debian import DownloadError, unpacked
from benchmarks.processes import ProgramError, run_python

_JOBS = {job.name: job for job in jobs.all_jobs()}
_BUDGETS = jobs.all_budgets()


def _measured(**figures: float) -> report.Measured:
    run = {"process_ms": 1.0, "wall_ms": 1.0, "peak_mb": 8.0}
    runs = {name: [run | dict.fromkeys(job.figures, 1.0) | figures] * 3 for name, job in _JOBS.items()}
    return report.Measured(machine={"cores": "2"}, jobs=list(_JOBS.values()), runs=runs, remarks=["A remark."])


def test_every_job_has_a_name_of_its_own() -> None:
    assert len(_JOBS) == len(jobs.all_jobs())


def test_budgets_are_held_against_figures_that_are_measured() -> None:
    assert {name for budget in _BUDGETS for name in budget.jobs} <= set(_JOBS)
    assert {report.verdict(budget, _measured()) for budget in _BUDGETS} == {"met"}


def test_a_budget_that_is_not_met_is_named() -> None:
    slow = _measured(train_ms=61.0)
    verdicts = {budget.what: report.verdict(budget, slow) for budget in _BUDGETS}
    assert verdicts["all merges of 40,000 code points of English"] == "not met"
    assert verdicts["all merges of 40,000 code points of Chinese"] == "met"
    assert "| 60 ms | 61 ms | not met |" in report.markdown(slow, _BUDGETS)


def test_the_versions_of_the_peers_are_told() -> None:
    told = machine.describe(["tokenizers", "no-such-peer"])
    assert re.match(r"\d+\.\d+", told["tokenizers"])
    assert told["no-such-peer"] == "not installed"


def test_a_budget_without_its_job_is_not_measured() -> None:
    nothing = report.Measured(machine={}, jobs=list(_JOBS.values()), runs={}, remarks=[])
    assert {report.verdict(budget, nothing) for budget in _BUDGETS} == {"not measured"}
    assert "not measured" in report.markdown(nothing, _BUDGETS)


def test_a_report_is_put_between_the_marks_of_a_page() -> None:
    page = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    assert report.replace_figures(page, "new\n") == f"before\n{report.BEGIN}\n\nnew\n\n{report.END}\nafter\n"


def _at_scale(**runs: int) -> report.Measured:
    """Only jobs at scale, each with so many runs."""
    chosen = [job for job in scale.all_jobs() if job.name in runs]
    figures = {"process_ms": 1500.0, "wall_ms": 2000.0, "peak_mb": 100.0}
    measured = {
        job.name: [figures | dict.fromkeys(job.figures, 2000.0 + 10 * run) for run in range(runs[job.name])]
        for job in chosen
        if runs[job.name]
    }
    return report.Measured(machine={"cores": "2"}, jobs=chosen, runs=measured, remarks=[])


def test_figures_at_scale_say_how_many_runs_they_are_of() -> None:
    text = report.markdown(
        _at_scale(**{"scale-en_100MB": 3, "scale-en_100MB-gigabpe-bytes": 1, "scale-de_10MB": 0}), _BUDGETS
    )
    assert "| 32,000 merges of 100 MB of English | 1.50 s | 2.01 s (2.00 s – 2.02 s) | 100 MB | 3 |  |" in text
    assert "| the same with gigabpe, byte-level | 1.50 s | 2.00 s | 100 MB | 1 | easier: bytes |" in text
    assert "| 32,000 merges of 10 MB of German | not measured |  |  | 0 |  |" in text
    assert "as fast as gigabpe, byte-level" in text
    assert "budget" not in text


def test_every_text_that_a_job_needs_can_be_made() -> None:
    every = [*jobs.all_jobs(), *scale.all_jobs(), *encoding.all_jobs()]
    texts = {text for job in every for text in job.texts}
    assert {"en", "en_20MB", "en_100MB"} <= texts
    for text in texts.difference(samples.LANGUAGES):
        assert f"{text}.txt" in full.LANGUAGES[full.language_of(text)].cuts


def test_a_smaller_corpus_is_the_beginning_of_a_larger_one(tmp_path: Path) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "en_100MB.txt").write_bytes(b"one line\n" * 3_000_000)
    made = full.ensure("en_20MB", cache=tmp_path).read_bytes()
    assert made == b"one line\n" * (20_000_000 // 9)
    assert (folder / "en_20MB.marked.txt").read_text(encoding="utf-8").startswith("\u2581one \u2581line\n")


def test_figures_of_encoding_stand_apart() -> None:
    wanted = {"encode-array", "encode-array-gigatoken-bytes"}
    chosen = [job for job in encoding.all_jobs() if job.name in wanted]
    figures = {"process_ms": 900.0, "wall_ms": 400.0, "encode_ms": 300.0, "again_ms": 60.0, "peak_mb": 100.0}
    runs = {chosen[0].name: [figures], chosen[1].name: [figures | {"encode_ms": 240.0}]}
    measured = report.Measured(machine={}, jobs=chosen, runs=runs, remarks=[])
    page = f"{report.BEGIN}\nold\n{report.END}\n{report.ENCODE_BEGIN}\nolder\n{report.ENCODE_END}\n"
    renewed = report.renewed(page, measured, _BUDGETS)
    assert renewed.startswith(f"{report.BEGIN}\nold\n{report.END}\n")
    assert "| 20 MB of English in UTF-8 → IDs in an array | 300 ms | 60 ms | 400 ms | 100 MB | 1 |  |" in renewed
    assert "| × 1.00 | × 1.20 | × 0.80 | not reached |" in renewed


def test_only_what_was_measured_is_renewed() -> None:
    page = f"a\n{report.BEGIN}\nold\n{report.END}\nb\n{report.SCALE_BEGIN}\nold\n{report.SCALE_END}\nc\n"
    large = report.renewed(page, _at_scale(**{"scale-en_10MB": 2}), _BUDGETS)
    assert f"{report.BEGIN}\nold\n{report.END}" in large
    assert "32,000 merges of 10 MB of English" in large.split(report.SCALE_BEGIN)[1].split(report.SCALE_END)[0]
    usual = report.renewed(page, _measured(), _BUDGETS)
    assert f"{report.SCALE_BEGIN}\nold\n{report.SCALE_END}" in usual
    assert "| budget |" in usual.split(report.BEGIN)[1].split(report.END)[0]
    both = report.Measured(
        machine={},
        jobs=[*_measured().jobs, *_at_scale(**{"scale-en_10MB": 1}).jobs],
        runs={**_measured().runs, **_at_scale(**{"scale-en_10MB": 1}).runs},
        remarks=[],
    )
    assert "old" not in report.renewed(page, both, _BUDGETS)


def test_the_page_has_a_place_for_figures_at_scale() -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    large = page.split(report.SCALE_BEGIN)[1].split(report.SCALE_END)[0]
    ours = [job.what for job in scale.all_jobs() if job.needs is None]
    assert {what for what in ours if f"| {what} |" not in large} <= {"32,000 merges of 10 MB of German"}


def test_the_page_has_a_place_for_figures_of_encoding() -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    figures = page.split(report.ENCODE_BEGIN)[1].split(report.ENCODE_END)[0]
    assert {job.what for job in encoding.all_jobs() if f"| {job.what} |" not in figures} == set()
    assert {target.what for target in encoding.all_targets() if f"| {target.what} |" not in figures} == set()


def test_the_published_figures_come_from_such_a_report() -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    figures = page.split(report.BEGIN)[1].split(report.END)[0]
    assert {budget.what for budget in _BUDGETS if f"| {budget.what} |" not in figures} == set()
    assert "not met" not in figures


def test_a_process_is_charged_for_what_it_does() -> None:
    cost = run_python(("-c", "import json; sum(range(10**6)); print(json.dumps({'answer': 42}))"))
    assert cost["answer"] == 42
    assert cost["process_ms"] > 0
    assert cost["peak_mb"] > 0


def test_a_process_that_fails_is_no_measurement() -> None:
    with pytest.raises(ProgramError, match="ZeroDivisionError"):
        run_python(("-c", "1 / 0"))


@pytest.mark.parametrize("program", ["train_all", "history"])
def test_the_programs_print_the_figures_of_their_jobs(program: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("low low lower newest newest widest " * 5, encoding="utf-8")
    figures = run_python(("-m", f"benchmarks.programs.{program}", str(text)))
    job = _JOBS[{"train_all": "train-en", "history": "history-en"}[program]]
    assert set(job.figures) <= set(figures)


def test_one_word_prints_its_figures() -> None:
    figures = run_python(("-m", "benchmarks.programs.one_word", "1000"))
    assert set(_JOBS["one-word-500000"].figures) <= set(figures)


def test_paragraphs_come_out_of_markup() -> None:
    markup = '<h1>No</h1><p class="x">One &amp;\n <em>two</em>.</p><p> </p><pre>no</pre><p>三</p>'
    assert plain_text.paragraphs(markup) == ["One & two.", "三"]


@pytest.mark.parametrize(
    ("file", "content", "text"),
    [
        ("a.html", "<head>x</head><p>a <b>b</b></p>c", ["a b", "c"]),
        ("a.1", '.\\" comment\n.B bold\n\\fIitalic\\fR \\-x', ["bold", "italic -x"]),
        ("a.txt", "plain <p>", ["plain <p>"]),
        ("README", "no ending", ["no ending"]),
        ("a.png", "picture", None),
        ("changelog.txt", "history", None),
        ("a.txt", "nul\0", None),
    ],
)
def test_documents_are_read_by_their_kind(file: str, content: str, text: list[str] | None, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(content, encoding="utf-8")
    found = plain_text.read(path)
    assert (None if found is None else [" ".join(line.split()) for line in found.split("\n") if line.strip()]) == text


def test_without_debian_the_way_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(DownloadError, match=re.escape(str(samples.sample_path("en", cache=tmp_path)))):
        samples.ensure_sample("en", cache=tmp_path)


def test_a_package_is_not_fetched_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    (tmp_path / "unpacked" / "some-package").mkdir(parents=True)
    assert unpacked("some-package", cache=tmp_path, place=tmp_path / "text").is_dir()


def test_every_sample_has_a_recorded_checksum() -> None:
    names = {samples.sample_path(language, cache=Path()).name for language in samples.LANGUAGES}
    assert names <= set(samples.recorded_checksums())
