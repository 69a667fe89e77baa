"""Every limit of the pages, by name and unit. `docs/pages.md` holds them as a table; a test keeps the two equal."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Settings:
    """What the pages allow, keep and wait for. Rules: L1–L3, W11.

    These are limits of the pages, never of the library or the command line.
    """

    # What a reader may give.
    corpus_max_code_points: int = 40_000
    """L1: the corpus, raw and normalized."""
    text_max_code_points: int = 4_000
    """L1: the text to encode, raw and normalized."""
    merge_limit_max: int = 40_000
    """L3: the largest merge limit."""
    merge_limit_default: int = 1_000
    """L3: the merge limit that the page begins with."""
    search_max_code_points: int = 4_000
    """What is looked for in a table, as typed: an escape has six code points or more."""
    saved_state_max_bytes: int = 64 * KIB
    """W11: UTF-8 bytes of all inputs that a browser keeps over a reload."""

    # What one page of something holds.
    table_rows: int = 100
    """Rows a page of the merge table and of the vocabulary."""
    tokens_per_page: int = 100
    """W9: tokens a page of an encoding."""
    corpus_page_tokens: int = 300
    """W13: about how many initial tokens a page of the coloured corpus holds."""
    walkthrough_pairs: int = 12
    """S3: pairs that the walkthrough shows at once."""
    walkthrough_all_pairs: int = 40
    """S3: pairs a page of all pairs, on request."""
    walkthrough_merges: int = 30
    """S4: merges a page of those that the walkthrough has made."""
    tree_nodes: int = 63
    """Tokens that the tree of a token shows; what lies deeper is folded, and opened by choosing a part."""
    tree_code_points: int = 40
    """Code points that are named of one token."""
    inspected_rows: int = 50
    """Rows a page of what is looked at more closely: pairs left, entries in use, changes of a text."""
    inspected_places: int = 20
    """Words, and places in a text, that are listed of one token; how many there are in all is said."""
    token_shown_code_points: int = 120
    """A longer token is shown by its beginning and end, with its length between them."""
    page_shown_bytes: int = 5_000
    """Where the tokens on a page of something take more bytes, long ones are shown by less of their ends."""

    # What a request may be.
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """Host names that are answered; everything else gets 421."""
    body_max_bytes: int = MIB
    """A larger request body gets 413, counted as it arrives."""
    body_deadline_s: float = 30.0
    """A body that is not there after that gets 408, however steadily it trickles."""
    form_max_fields: int = 40
    """Fields in one form."""

    # What the server does at a time.
    slice_target_ms: float = 4.0
    """Training works in slices of about this; at most 5 ms is the promise."""
    slice_first_operations: int = 1_000
    """Operations of the first slice of each stage of a training, before its speed is known."""
    trainings_max: int = 48
    """Trainings under way at once; one more gets 503."""
    retry_after_s: int = 2
    """What a 503 asks the client to wait."""
    progress_interval_ms: float = 100.0
    """The least time between two progress messages of one training."""
    cache_max_bytes: int = 256 * MIB
    """Estimated bytes of the trained models that are remembered."""
    opened_files_max_bytes: int = 64 * MIB
    """Estimated bytes of the models that were opened from files and are remembered."""

    # What the server program adds.
    connections_max: int = 256
    """Open connections; one more gets 503 from the server program."""
    keep_alive_s: int = 10
    """How long an idle connection stays open."""
    shutdown_s: int = 3
    """How long running requests may take to end when the server is stopped."""
