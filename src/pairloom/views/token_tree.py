"""Where a token came from: the merges that made it, as a tree, and what it is made of. Rules: T6, V1, E3."""

from __future__ import annotations

import unicodedata
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise

from pairloom.history import History
from pairloom.model import Model
from pairloom.views.paging import Page
from pairloom.views.tables import rank_of_token_id


@dataclass(frozen=True, slots=True)
class Node:
    """A token in a tree.

    Attributes:
        token, id: the string and its ID.
        rank: of the merge that makes it; None for a code point of the base alphabet. Where several are listed that
            could, as in imported models, it is the one that does so in texts (E2); if none ever does, the first (V2).
        left, right: places of its parts in the tree's nodes; None at a code point, and where the tree was not unfolded.
    """

    token: str
    id: int
    rank: int | None
    left: int | None = None
    right: int | None = None

    @property
    def is_folded(self) -> bool:
        """Whether it has parts that the tree does not show."""
        return self.rank is not None and self.left is None


@dataclass(frozen=True, slots=True)
class TokenTree:
    """How a token is made; `nodes[0]` is the token, parts come after what they make."""

    nodes: tuple[Node, ...]

    @classmethod
    def of(cls, model: Model, token_id: int, *, max_nodes: int | None = None) -> TokenTree:
        """Return the tree of a token, level by level up to `max_nodes`, then folded. Raises: UnknownTokenId.

        Cost: linear in the nodes; a tree of n code points has 2n - 1. For a model that was not trained here, each part
        is merged once more.

        >>> from pairloom.trainer import train
        >>> model = train("aab aab")
        >>> [(node.token, node.rank) for node in TokenTree.of(model, model.token_id("▁aab")).nodes]
        [('▁aab', 2), ('▁', None), ('aab', 1), ('aa', 0), ('b', None), ('a', None), ('a', None)]
        """
        nodes = [_node(model, token_id)]
        waiting = deque([0])
        while waiting:
            place = waiting.popleft()
            node = nodes[place]
            if node.rank is None:
                continue
            if max_nodes is not None and len(nodes) + 2 > max_nodes:
                break
            merge = model.merges[node.rank]
            nodes[place] = Node(node.token, node.id, node.rank, left=len(nodes), right=len(nodes) + 1)
            waiting += [len(nodes), len(nodes) + 1]
            nodes += [_node(model, _id_of(model, part)) for part in (merge.left, merge.right)]
        return cls(tuple(nodes))

    @property
    def folded(self) -> int:
        """How many of its nodes have parts that are not shown."""
        return sum(node.is_folded for node in self.nodes)

    def spelled(self) -> str:
        """Return what the leaves spell from left to right: the token, however far the tree is unfolded."""
        leaves: list[str] = []
        stack = [0]
        while stack:
            node = self.nodes[stack.pop()]
            if node.left is None or node.right is None:
                leaves.append(node.token)
            else:
                stack += [node.right, node.left]
        return "".join(leaves)


def pieces_of(model: Model, token: str) -> tuple[str, ...]:
    """Return what a token, standing alone, is merged to: itself, unless no text ever gives it.

    As long as the outer boundaries of a string stand, its inside is merged alike, whatever is around it.

    >>> listed = Model.from_merges("abc", [("a", "b"), ("b", "c"), ("a", "bc")], marker=False)
    >>> pieces_of(listed, "ab"), pieces_of(listed, "abc")
    (('ab',), ('ab', 'c'))
    """
    starts = model.merge_table.merge(token, prefix=len(model.merges)).starts
    return tuple(token[start:end] for start, end in pairwise([*starts, len(token)]))


def _node(model: Model, token_id: int) -> Node:
    rank = rank_of_token_id(model, token_id)
    token = model.vocabulary[token_id]
    if rank is not None and not model.is_trained:
        merged = model.merge_table.merge(token, prefix=len(model.merges))
        rank = merged.steps[-1][1] if len(merged.starts) == 1 else rank
    return Node(token, token_id, rank)


def _id_of(model: Model, token: str) -> int:
    token_id = model.token_id(token)
    assert token_id is not None, token
    return token_id


@dataclass(frozen=True, slots=True)
class CodePoint:
    """One code point of a token. `name` is that of the Unicode data of the Python that runs; None if it has none."""

    text: str
    name: str | None

    @property
    def notation(self) -> str:
        """The code point as it is written about: U+0061."""
        return f"U+{ord(self.text):04X}"


def code_points(token: str, index: int, *, size: int) -> Page[CodePoint]:
    """Return a page of the code points of a token.

    Names are for showing only: they come from the running Python, and one of Unicode 14 knows none that came later.

    >>> [(each.notation, each.name) for each in code_points("aé", 0, size=9).rows]
    [('U+0061', 'LATIN SMALL LETTER A'), ('U+00E9', 'LATIN SMALL LETTER E WITH ACUTE')]
    """
    page = Page.of(token, index, size=size)
    rows = tuple(CodePoint(each, unicodedata.name(each, None)) for each in page.rows)
    return Page(page.index, page.count, page.first, page.total, rows)


@dataclass(frozen=True, slots=True)
class TokenOrigin:
    """Everything that is said of one token at a prefix.

    Attributes:
        token, id: the token.
        rank: of the merge that made it; None for a code point of the base alphabet.
        is_active: whether it has been made at this prefix.
        places: where it stands in the corpus at this prefix, weighted.
        tree: how it was made.
        code_points: what it is made of, the first page.
    """

    token: str
    id: int
    rank: int | None
    is_active: bool
    places: int
    tree: TokenTree
    code_points: Page[CodePoint] = field(repr=False)

    @classmethod
    def of(cls, history: History, prefix: int, token_id: int, *, max_nodes: int, max_code_points: int) -> TokenOrigin:
        """Return what is said of a token. Raises: UnknownTokenId, PrefixError.

        Cost: the words that spell it, each cut once.
        """
        model = history.model
        tree = TokenTree.of(model, token_id, max_nodes=max_nodes)
        token, rank = tree.nodes[0].token, tree.nodes[0].rank
        checked = model.check_prefix(prefix)
        return cls(
            token=token,
            id=token_id,
            rank=rank,
            is_active=rank is None or rank < checked,
            places=places_of(history, checked, token),
            tree=tree,
            code_points=code_points(token, 0, size=max_code_points),
        )


def places_of(history: History, prefix: int, token: str) -> int:
    """Return how often a token stands in the corpus at a prefix, weighted by word count (T7). Raises: PrefixError."""
    return sum(
        count * history.segment(word, prefix).count(token)
        for word, count in history.word_counts.counts.items()
        if token in word
    )
