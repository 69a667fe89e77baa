"""The fingerprint of a model: one number over everything that decides an encoding. Rule: T9."""

from __future__ import annotations

from pairloom.unicode_data import UNICODE_VERSION

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from pairloom.model import Model

CONVENTIONS = 1
"""The version of the rules; whatever changes an encoding raises it."""

# Code points of merges, and ten for each, between two yields: some tenths of a millisecond.
_STRIDE = 10_000


def fingerprint_in_portions(model: Model) -> Generator[None, None, str]:
    """Yield now and then; return the fingerprint, computed anew: `Model.fingerprint` says of what."""
    import hashlib  # loaded when asked for: importing the library stays light
    import json

    def canonical(value: object) -> str:
        return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))

    content = {
        "conventions": CONVENTIONS,
        "unicode": UNICODE_VERSION,
        "lowercase": model.lowercase,
        "pre_tokenizer": model.pre_tokenizer,
        "marker": model.marker,
        "alphabet": model.alphabet,
        "merges": [],
    }
    before, after = canonical(content).split('"merges":[]')
    digest = hashlib.sha256(f'{before}"merges":['.encode("ascii"))
    # Fed in pieces: as one document it would take ten times the room of the vocabulary.
    pairs: list[list[str]] = []
    code_points = 0
    for merge in model.merges:
        pairs.append([merge.left, merge.right])
        code_points += len(merge.result) + 10
        if code_points > _STRIDE or merge.rank == len(model.merges) - 1:
            digest.update(f"{'' if merge.rank < len(pairs) else ','}{canonical(pairs)[1:-1]}".encode("ascii"))
            pairs, code_points = [], 0
            yield
    digest.update(f"]{after}".encode("ascii"))
    return digest.hexdigest()
