"""Counting a corpus: however it is stored, cut, grouped, spilled and merged, the counts are those of the texts."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pairloom
from pairloom import corpus
from pairloom.corpus.engines import InThisProcess
from pairloom.corpus.inputs import find_files
from pairloom.corpus.job import Job, Sizes, begin_job
from pairloom.corpus.manifest import Manifest
from pairloom.corpus.settings import CountSettings
from pairloom.corpus.storage import Folder
from pairloom.corpus.table import loaded, write_table
from pairloom.formats.word_counts_file import dumps_tsv, loads_parquet, loads_tsv
from tests.corpus.corpora import KINDS, expected, write
from tests.support.kernels import on_every_kernel, running
from tests.support.strategies import texts as any_text

TEXTS = ["low low lower", "", "Straße don't  漢字\u3000かな", "ΑΣ\ufeffΑ \u2028x", "newest newest 😀widest\u00a0low"]


def count(paths: Any, folder: Path, sizes: Sizes, **settings: Any) -> tuple[corpus.CorpusCounts, Manifest]:
    """Count with pieces as small as the test wants them."""
    job = Job(CountSettings(**settings), 1, InThisProcess(), lambda _: None, sizes)
    work = Folder(str(folder))
    begin_job(work, job.identity, resume=True)
    manifest = job.run(find_files(paths), work)
    return loaded(manifest, work), manifest


@on_every_kernel
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
def test_every_kind_of_file(kernel_name: str, kind: str, pre_tokenizer: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"corpus{kind}", TEXTS)
    with running(kernel_name):
        counted = corpus.count_words(path, pre_tokenizer=pre_tokenizer, lowercase=True)
    assert counted == expected(TEXTS, pre_tokenizer=pre_tokenizer, lowercase=True)
    assert counted.manifest.words == counted.total
    assert counted.manifest.is_exact


def test_a_corpus_of_all_kinds_gives_the_model_of_its_texts(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"corpus{kind}", TEXTS) for kind in KINDS]
    counted = corpus.count_words([str(tmp_path / "*.txt*"), *paths[3:]])
    assert counted == expected(TEXTS * len(KINDS))
    model = pairloom.train_from_word_counts(counted, merge_limit=100)
    assert model.fingerprint == pairloom.train(TEXTS * len(KINDS), merge_limit=100).fingerprint


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pieces=st.lists(st.lists(any_text(), max_size=8), min_size=1, max_size=5),
    kinds=st.lists(st.sampled_from(KINDS), min_size=5, max_size=5),
    order=st.randoms(use_true_random=False),
    sizes=st.builds(
        Sizes,
        shard_bytes=st.integers(1, 60),
        run_bytes=st.sampled_from([0, 200, 10**6]),
        merge_bytes=st.sampled_from([2000, 10**6]),
    ),
    lowercase=st.booleans(),
)
def test_no_order_size_or_grouping_matters(
    *,
    pieces: list[list[str]],
    kinds: list[str],
    order: random.Random,
    sizes: Sizes,
    lowercase: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    paths = [write(folder / f"{n}{kind}", texts) for n, (texts, kind) in enumerate(zip(pieces, kinds, strict=False))]
    whole = expected([text for piece in pieces for text in piece], lowercase=lowercase)
    order.shuffle(paths)
    counted, manifest = count(paths, folder / "small", sizes, lowercase=lowercase)
    assert counted == whole
    # The table is the same file to the byte, so there is one checksum.
    assert manifest.checksum == corpus.count_words(sorted(paths), lowercase=lowercase).manifest.checksum


def test_more_workers_change_nothing(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.txt", TEXTS * 50 * n) for n in range(6)]
    alone = corpus.count_words(paths)
    together = corpus.count_words(paths, workers=3)
    assert together == alone
    assert together.manifest.checksum == alone.manifest.checksum


def test_the_checksum_is_that_of_the_table_as_tab_separated_text(tmp_path: Path) -> None:
    path = write(tmp_path / "corpus.txt", TEXTS)
    counted = corpus.count_words(path, work_dir=tmp_path / "work")
    work = Folder(str(tmp_path / "work"))
    for form, loads in (("tsv", loads_tsv), ("parquet", loads_parquet)):
        with (tmp_path / form).open("wb") as file:
            write_table(counted.manifest, work, file, form=form)
        assert counted == loads((tmp_path / form).read_bytes())
    written = (tmp_path / "tsv").read_bytes()
    assert hashlib.sha256(written).hexdigest() == counted.manifest.checksum
    assert dumps_tsv(counted) == written


def test_the_manifest_says_what_was_counted(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a.jsonl.gz", TEXTS), write(tmp_path / "b.txt", TEXTS)]
    counted = corpus.count_words(paths, work_dir=tmp_path / "work", column="text")
    written = json.loads((tmp_path / "work" / "manifest.json").read_text())
    assert Manifest.of_json(written) == counted.manifest
    assert [file["address"] for file in written["inputs"]] == [str(path) for path in paths]
    assert [file["size"] for file in written["inputs"]] == [path.stat().st_size for path in paths]
    assert written["settings"]["column"] == "text"
    assert written["versions"]["unicode"] == "17.0.0"
    assert written["words"] == sum(counted.counts.values())
    assert written["texts"] == len(TEXTS)


def test_what_is_left_out_on_purpose_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "corpus.txt", ["a a a b b c", "a▁b", "c"])
    counted = corpus.count_words(path, on_bad_text="skip", min_word_count=2)
    assert dict(counted.counts) == {"▁a": 3, "▁b": 2, "▁c": 2}
    assert (counted.manifest.skipped_texts, counted.manifest.dropped_words) == (1, 0)
    counted = corpus.count_words(path, on_bad_text="skip", min_word_count=3)
    assert (dict(counted.counts), counted.manifest.dropped_words) == ({"▁a": 3}, 4)
    assert not counted.manifest.is_exact


def test_a_sample_is_drawn_by_content_and_so_the_same_everywhere(tmp_path: Path) -> None:
    texts = [f"word{number} text" for number in range(1000)]
    plain, rows = write(tmp_path / "a.txt", texts), write(tmp_path / "a.parquet", texts[::-1])
    sampled = corpus.count_words(plain, sample=0.3)
    assert 200 < sampled.counts["▁text"] < 400
    assert sampled == corpus.count_words(rows, sample=0.3, workers=2)
    assert not sampled.manifest.is_exact


def test_a_large_parquet_file_is_read_by_row_groups(tmp_path: Path) -> None:
    texts = [f"row {number}" for number in range(100)]
    path = write(tmp_path / "a.parquet", texts, row_group_size=7)
    counted, _ = count([path], tmp_path / "work", Sizes(shard_bytes=100))
    assert counted == expected(texts)
    assert len(list((tmp_path / "work" / "runs").iterdir())) > 0
