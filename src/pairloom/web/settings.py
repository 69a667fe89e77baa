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
    vocabulary_max_code_points: int = 4_000_000
    """Code points of all tokens of a model together; a training that needs more ends with an objection."""
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
    life_rows: int = 20
    """Rows a page of a word's life."""
    compared_words: int = 40
    """Words that the comparison of two tie rules shows, of those that they cut differently."""
    compared_tokens: int = 24
    """Tokens that it shows of those that one rule alone has."""
    worksheet_problems: int = 40
    """Problems of one worksheet."""
    solution_steps: int = 8
    """Steps of the solution of a prediction."""
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
    portion_operations: int = 500
    """Operations of a training between two looks at the clock, about a millisecond at most."""
    trainings_max: int = 48
    """Trainings under way or waiting for their turn; one more gets 503."""
    trainings_active_max: int = 8
    """Trainings that are worked on at a time; the others wait with nothing but their text in memory."""
    trainings_small_places: int = 2
    """Of these, places for small corpora only, so that they do not wait for a roomful of large ones."""
    small_corpus_code_points: int = 4_000
    """Up to so many code points a corpus counts as small."""
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
    """Open connections; one more takes the place of the slowest or of an idle one, or gets 503."""
    backlog_max: int = 128
    """Connections that the system keeps waiting to be accepted."""
    head_deadline_s: float = 10.0
    """The head of a request that is not there after that gets 408, however steadily it trickles."""
    answer_deadline_s: float = 20.0
    """An answer of which nothing was taken for so long is given up, and its connection with it."""
    linger_s: float = 2.0
    """After a refusal, what the other side is still sending is thrown away for so long, so that it gets the answer."""
    keep_alive_s: int = 10
    """How long an idle connection stays open."""
    shutdown_s: int = 3
    """How long running requests may take to end when the server is stopped."""
