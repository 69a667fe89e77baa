"""Trained models by a key of their inputs, bounded by their size; the least recently used goes first.

The server keeps no sessions: a model is a pure function of its inputs, and the key is a keyed hash of them. The secret
is made anew per process, so a key says nothing about a text to anybody who has not typed it, here and now.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict

from pairloom.web.forms import Inputs
from pairloom.web.training import Trained


class ModelCache:
    """Remember trained models up to a number of estimated bytes."""

    def __init__(self, *, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._secret = secrets.token_bytes(32)
        self._models: OrderedDict[str, Trained] = OrderedDict()

    def key(self, inputs: Inputs) -> str:
        """Return the key of these inputs: equal inputs, equal keys, for the life of this process."""
        # Lengths before values: no two different inputs are spelled alike.
        parts = (inputs.corpus, str(inputs.lowercase), inputs.pre_tokenizer, str(inputs.merge_limit))
        message = b"".join(b"%d:%b" % (len(part), part) for part in (text.encode() for text in parts))
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[:32]

    @property
    def size_bytes(self) -> int:
        """Estimated bytes of all models, with the texts that they have been asked about since they came."""
        return sum(trained.estimated_bytes for trained in self._models.values())

    def get(self, key: str) -> Trained | None:
        """Return the model of this key, now the most recently used; None if it was never here or has gone."""
        trained = self._models.get(key)
        if trained is not None:
            self._models.move_to_end(key)
            self._make_room()
        return trained

    def put(self, key: str, trained: Trained) -> None:
        """Remember a model; one that is larger than the whole cache is kept alone, since its owner needs it next."""
        self._models[key] = trained
        self._models.move_to_end(key)
        self._make_room()

    def _make_room(self) -> None:
        # Counted anew each time: what a model remembers grows with the texts that it is asked about.
        size = self.size_bytes
        while size > self.max_bytes and len(self._models) > 1:
            _, gone = self._models.popitem(last=False)
            size -= gone.estimated_bytes

    def __len__(self) -> int:
        """Return the number of models remembered."""
        return len(self._models)
