"""A corpus and a work folder in an S3-like store, for real: moto's server on the loopback interface, through fsspec."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pairloom
from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.libraries import library
from tests.corpus.corpora import KINDS, expected, write

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the server and of the client

TEXTS = ["low low lower", "newest widest low"]


@pytest.fixture(scope="module")
def store() -> Iterator[dict[str, Any]]:
    """Options of fsspec for a store that holds one empty bucket."""
    server = import_module("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    options = {
        "key": "somebody",
        "secret": "secret of the store",
        "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "eu-west-1"},
    }
    library("fsspec").filesystem("s3", **options).mkdir("bucket")
    yield options
    server.stop()


def upload(path: Path, name: str, store: dict[str, Any]) -> str:
    library("fsspec").filesystem("s3", **store).put_file(str(path), f"bucket/{name}")
    return f"s3://bucket/{name}"


def test_a_corpus_in_a_store(store: dict[str, Any], tmp_path: Path) -> None:
    for kind in KINDS:
        upload(write(tmp_path / f"corpus{kind}", TEXTS), f"corpus/shard{kind}", store)
    found = corpus.count_words("s3://bucket/corpus/*", workers=2, work_dir="s3://bucket/job", storage_options=store)
    assert found == expected(TEXTS * len(KINDS))
    assert [file["address"] for file in found.manifest.inputs] == sorted(
        f"s3://bucket/corpus/shard{kind}" for kind in KINDS
    )
    # What is written there says nothing of how to get in.
    files = library("fsspec").filesystem("s3", **store)
    assert all(b"secret of the store" not in files.cat_file(name) for name in files.find("bucket/job"))
    again = corpus.count_words("s3://bucket/corpus/*", work_dir="s3://bucket/job", resume=True, storage_options=store)
    assert again.manifest.checksum == found.manifest.checksum
    # An object with another etag is another one.
    upload(write(tmp_path / "corpus.txt", ["something else"]), "corpus/shard.txt", store)
    changed = corpus.count_words("s3://bucket/corpus/*", work_dir="s3://bucket/job", resume=True, storage_options=store)
    assert changed == expected([*(TEXTS * (len(KINDS) - 1)), "something else"])


def test_a_dataset_in_a_store(store: dict[str, Any], tmp_path: Path) -> None:
    model = pairloom.train(TEXTS, merge_limit=10)
    paths = [write(tmp_path / "a.parquet", TEXTS), write(tmp_path / "b.parquet", TEXTS[::-1])]
    addresses = [upload(path, f"rows/{path.name}", store) for path in paths]
    corpus.encode(addresses, model, output="s3://bucket/out", workers=2, storage_options=store)
    corpus.encode(paths, model, output=tmp_path / "out")
    files = library("fsspec").filesystem("s3", **store)
    for path in (tmp_path / "out").glob("*.parquet"):
        assert files.cat_file(f"bucket/out/{path.name}") == path.read_bytes()


def test_the_parts_of_a_dataset_there_are_not_its_input(store: dict[str, Any], tmp_path: Path) -> None:
    model = pairloom.train(TEXTS, merge_limit=10)
    address = upload(write(tmp_path / "a.parquet", TEXTS), "own/part-9.parquet", store)
    settings: dict[str, Any] = {"output": "s3://bucket/own-out", "storage_options": store}
    corpus.encode(address, model, **settings)
    with pytest.raises(errors.NoInput, match="it lies in the folder of the result"):
        corpus.encode("s3://bucket/own-out/part-*.parquet", model, resume=True, **settings)


def test_what_is_not_there_is_told(store: dict[str, Any]) -> None:
    with pytest.raises(errors.NoInput, match="no file has such a name"):
        corpus.count_words("s3://bucket/none/*.txt", storage_options=store)
