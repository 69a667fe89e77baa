"""The finished table: parts in a work folder → word counts in memory, their checksum, and one file to hand on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any, BinaryIO

from pairloom import kernel
from pairloom.corpus.counting import is_bare
from pairloom.corpus.libraries import library
from pairloom.corpus.manifest import Manifest
from pairloom.corpus.merging import Part
from pairloom.corpus.runs import BATCH_WORDS, schema
from pairloom.corpus.storage import Folder
from pairloom.formats.word_columns import columns_of
from pairloom.left_out import LeftOut, PartialCounts, copied
from pairloom.word_counts import WordCounts, trusted_word_counts


class CorpusCounts(PartialCounts):
    """The word counts of a corpus, and their `manifest`. Equal to any `WordCounts` that says the same."""

    __slots__ = ("manifest",)

    manifest: Manifest

    @classmethod
    def of(cls, counts: WordCounts, manifest: Manifest) -> CorpusCounts:
        """Return word counts that were made by `trusted_word_counts`, with their manifest."""
        made: CorpusCounts = copied(counts, cls, manifest=manifest)
        return made

    @property
    def left_out(self) -> LeftOut | None:
        """What the manifest says is missing on purpose."""
        return self.manifest.left_out

    def __reduce__(self) -> tuple[object, ...]:
        plain = trusted_word_counts(
            dict(self.counts.items()), lowercase=self.lowercase, pre_tokenizer=self.pre_tokenizer
        )
        return (CorpusCounts.of, (plain, self.manifest))


def batches_of(parts: Sequence[str], folder: Folder) -> Iterator[Any]:
    """Yield the table of a work folder in Arrow batches of bounded size, in its order."""
    parquet = library("pyarrow.parquet")
    for name in parts:
        with folder.open(name) as file, folder.reading_arrow(name):
            # Read ahead, whole parts would be in memory; kept for later, all that was ever read.
            whole = parquet.ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
            if not whole.schema_arrow.equals(schema()):
                raise folder.damaged(name, "it is no table of words")
            yield from whole.iter_batches(batch_size=BATCH_WORDS, use_threads=False)
        library("pyarrow").default_memory_pool().release_unused()


def tsv_of(batch: Any) -> memoryview:
    """Return a batch as lines `word TAB count`, as bytes."""
    pyarrow, compute = library("pyarrow"), library("pyarrow.compute")
    large = pyarrow.large_string()
    numbers = batch.column(1).cast(large)
    tab, end, nothing = (pyarrow.scalar(text, large) for text in ("\t", "\n", ""))
    lines = compute.binary_join_element_wise(batch.column(0).cast(large), tab, numbers, end, nothing)
    if not len(lines):
        return memoryview(b"")
    ends = memoryview(lines.buffers()[1]).cast("B").cast("q")
    return memoryview(lines.buffers()[2])[ends[lines.offset] : ends[lines.offset + len(lines)]]


def checksum_of(parts: Sequence[Part], folder: Folder) -> str:
    """Return SHA-256 of the table as TSV. Raises: WorkFolderError, where a part holds something else than it should."""
    compute = library("pyarrow.compute")
    digest = hashlib.sha256()
    for part in parts:
        words = text_bytes = total = 0
        for batch in batches_of([part.file], folder):
            digest.update(tsv_of(batch))
            words += batch.num_rows
            text_bytes += compute.sum(compute.binary_length(batch.column(0))).as_py() or 0
            total += compute.sum(batch.column(1)).as_py() or 0
        if (words, text_bytes, total) != (part.words, part.text_bytes, part.total):
            raise folder.damaged(part.file, "it holds other words than its record says")
    return digest.hexdigest()


def loaded(manifest: Manifest, folder: Folder) -> CorpusCounts:
    """Return the table of a work folder.

    Cost: linear; memory for the words, and for one batch.
    """
    pre_tokenizer = manifest.settings["pre_tokenizer"]
    parts = (columns_of(batch) for batch in batches_of(manifest.parts, folder))
    counts = kernel.table_of_columns(parts, manifest.distinct_words, manifest.text_bytes, mark=is_bare(pre_tokenizer))
    plain = trusted_word_counts(counts, lowercase=manifest.settings["lowercase"], pre_tokenizer=pre_tokenizer)
    return CorpusCounts.of(plain, manifest)


def write_table(manifest: Manifest, folder: Folder, file: BinaryIO, *, form: str) -> None:
    """Write the table into one file, batch by batch: "tsv", or "parquet" as `formats.word_counts_file` writes it."""
    if form == "tsv":
        file.writelines(tsv_of(batch) for batch in batches_of(manifest.parts, folder))
        return
    import json

    settings = {name: manifest.settings[name] for name in ("lowercase", "pre_tokenizer")} | {"marker": True}
    if manifest.left_out is not None:
        settings["left_out"] = asdict(manifest.left_out)
    with ExitStack() as stack:
        parquet = library("pyarrow.parquet")
        named = schema().with_metadata({b"pairloom": json.dumps(settings)})
        writer = stack.enter_context(parquet.ParquetWriter(file, named, compression="zstd"))
        for batch in batches_of(manifest.parts, folder):
            writer.write_batch(batch.cast(named) if batch.schema != named else batch)
