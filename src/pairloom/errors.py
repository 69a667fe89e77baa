"""Every error that Pairloom raises on purpose, one tree under one root.

    PairloomError
    ├── NotText (TypeError)
    ├── TextError (ValueError)
    │   ├── ForbiddenCodePoint       a literal marker or an unpaired surrogate, with its position
    │   ├── TextTooLong              the pages' limits, never the library's
    │   ├── EmptyCorpus
    │   ├── CorpusTooLarge           more distinct words than the compiled kernel can number
    │   └── InvalidUtf8              file and byte offset
    ├── SettingError (ValueError)    a setting of the wrong type or out of its range
    │   └── PrefixError
    ├── ModelError (ValueError)      a model or model file that does not hold together
    │   ├── UnsupportedVersion
    │   └── InvalidMerge
    ├── UnknownTokenId (ValueError)
    ├── UnknownTokens (ValueError)
    ├── CountError (ValueError)      a word-count table that does not hold together
    │   └── CountOverflow
    ├── NothingToAsk (ValueError)    a corpus that no practice problem of a kind can be made of
    ├── WorkUnfinished (RuntimeError)  portions of work that were interrupted, or are not done yet
    └── KernelUnavailable (ImportError)

The attributes are the contract; `code` names the kind for programs and catalogues. The message is English: `template`
filled in with `details`. An edge that speaks another language translates the template and fills in the same details.
"""

from __future__ import annotations

from pairloom.shortening import listed, short_repr

TYPE_CHECKING = False  # as in `pairloom`: loading `typing` takes longer
if TYPE_CHECKING:
    from typing import ClassVar


def mark_message(message: str) -> str:
    """Return `message` unchanged; marks it for the extraction of translatable messages."""
    return message


class PairloomError(Exception):
    """The root of every error; `code` says which kind, `details` holds the attributes by name."""

    code: ClassVar[str] = "error"
    template: ClassVar[str] = ""
    attributes: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        """Return the English message: what, where and what to do."""
        return self.message_template.format(**self.shown())

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call the class with no arguments: errors must survive the way between processes.
        return (_rebuild, (type(self), self.details))

    @property
    def details(self) -> dict[str, object]:
        """The attributes by name, exactly as set."""
        return {name: getattr(self, name) for name in self.attributes}

    @property
    def message_template(self) -> str:
        """The English template of this message, the key of every catalogue."""
        return self.template

    def shown(self) -> dict[str, object]:
        """Return `details` as the template prints them."""
        return self.details


def _rebuild(kind: type[PairloomError], details: dict[str, object]) -> PairloomError:
    return kind(**details)


class NotText(PairloomError, TypeError):
    """A `str` was needed and something else was given; `text_index` says which of several texts, else None."""

    code = "text.not_text"
    attributes = ("type_name", "text_index")
    _single: ClassVar[str] = mark_message("text must be a str, not {type_name}: decode bytes first, lists item by item")
    _one_of_several: ClassVar[str] = mark_message("text {text_index} must be a str, not {type_name}")

    def __init__(self, *, type_name: str, text_index: int | None = None) -> None:
        super().__init__()
        self.type_name = type_name
        self.text_index = text_index

    @property
    def message_template(self) -> str:
        """The template with or without the number of the text."""
        return self._single if self.text_index is None else self._one_of_several


class TextError(PairloomError, ValueError):
    """A text that cannot be taken as it is; nothing of it was replaced or dropped."""


class ForbiddenCodePoint(TextError):
    """A literal marker `▁` or a surrogate code point in a text. Rule: N8.

    `position` counts code points of the raw text from 0; `text_index` says which of several texts (from 0), else None.
    """

    attributes = ("kind", "position", "code_point", "text_index")
    _templates: ClassVar[dict[tuple[str, bool], str]] = {
        ("marker", False): mark_message(
            "the text holds a literal ▁ (U+2581) at position {position}: it is reserved as the word-start marker; "
            "remove it or write another character"
        ),
        ("marker", True): mark_message(
            "text {text_index} holds a literal ▁ (U+2581) at position {position}: it is reserved as the word-start "
            "marker; remove it or write another character"
        ),
        ("surrogate", False): mark_message(
            "the text holds the unpaired surrogate {code_point} at position {position}, which is no character: "
            "remove it or restore the character that it was half of"
        ),
        ("surrogate", True): mark_message(
            "text {text_index} holds the unpaired surrogate {code_point} at position {position}, which is no "
            "character: remove it or restore the character that it was half of"
        ),
    }

    def __init__(self, *, kind: str, position: int, code_point: int, text_index: int | None = None) -> None:
        super().__init__()
        self.kind = kind
        self.position = position
        self.code_point = code_point
        self.text_index = text_index
        self.code = f"text.{kind}"  # type: ignore[misc]  # one class, two kinds that programs tell apart

    @property
    def message_template(self) -> str:
        """The template of this kind, with or without the number of the text."""
        return self._templates[self.kind, self.text_index is not None]

    def shown(self) -> dict[str, object]:
        """Return the details, the code point as U+XXXX."""
        return self.details | {"code_point": f"U+{self.code_point:04X}"}


class TextTooLong(TextError):
    """A text over a limit of the pages. Rules: L1, L2. `stage` is "raw" or "normalized"; lengths in code points."""

    attributes = ("stage", "length", "limit")
    _templates: ClassVar[dict[str, str]] = {
        "raw": mark_message("the text has {length} code points, {limit} are allowed: shorten it"),
        "normalized": mark_message(
            "the text has {length} code points after normalization (lowercasing can lengthen it), {limit} are "
            "allowed: shorten it"
        ),
    }

    def __init__(self, *, stage: str, length: int, limit: int) -> None:
        super().__init__()
        self.stage = stage
        self.length = length
        self.limit = limit
        self.code = f"text.{stage}_too_long"  # type: ignore[misc]  # one class, two stages that programs tell apart

    @property
    def message_template(self) -> str:
        """The template of this stage."""
        return self._templates[self.stage]


class EmptyCorpus(TextError):
    """Training needs at least one pre-token. Rule: T10."""

    code = "text.empty_corpus"
    template = mark_message("the corpus holds no word: give at least one code point that is not whitespace")


class CorpusTooLarge(TextError):
    """More distinct words than the compiled kernel can train on; `size` and `limit` are bytes, one more a word."""

    code = "text.corpus_too_large"
    template = mark_message(
        "the distinct words of the corpus take {size} bytes, and the compiled kernel can train on {limit}: "
        "train on a part of it, or with PAIRLOOM_KERNEL=pure, which has no such limit"
    )
    attributes = ("size", "limit")

    def __init__(self, *, size: int, limit: int) -> None:
        super().__init__()
        self.size = size
        self.limit = limit


class InvalidUtf8(TextError):
    """Bytes that are not UTF-8; `byte_offset` counts from the start of `source`."""

    code = "text.invalid_utf8"
    template = mark_message("{source} is not UTF-8: invalid byte at offset {byte_offset}; convert the file to UTF-8")
    attributes = ("source", "byte_offset")

    def __init__(self, *, source: str, byte_offset: int) -> None:
        super().__init__()
        self.source = source
        self.byte_offset = byte_offset


class SettingError(PairloomError, ValueError):
    """A setting of the wrong type or out of its range; `allowed` says in English what is taken."""

    template = mark_message("{setting} cannot be {value}: give {allowed}")
    attributes = ("setting", "value", "allowed")

    def __init__(self, *, setting: str, value: object, allowed: str) -> None:
        super().__init__()
        self.setting = setting
        self.value = value
        self.allowed = allowed
        self.code = f"setting.{setting}"  # type: ignore[misc]  # one code a setting

    def shown(self) -> dict[str, object]:
        """Return the details, the value as Python writes it."""
        return self.details | {"value": short_repr(self.value)}


class PrefixError(SettingError):
    """A prefix that is no whole number from 0 to the number of merges. Rule: V4."""

    template = mark_message("the prefix cannot be {value}: give a whole number from {minimum} to {maximum}")
    attributes = ("value", "minimum", "maximum")

    def __init__(self, *, value: object, maximum: int, minimum: int = 0) -> None:
        super().__init__(setting="prefix", value=value, allowed=f"a whole number from {minimum} to {maximum}")
        self.minimum = minimum
        self.maximum = maximum


class ModelError(PairloomError, ValueError):
    """A model, or the file of one, that does not hold together; `where` names the place if there is one."""

    code = "model.invalid"
    attributes: ClassVar[tuple[str, ...]] = ("reason", "where")
    _placeless: ClassVar[str] = mark_message("invalid model: {reason}")
    _placed: ClassVar[str] = mark_message("invalid model at {where}: {reason}")

    def __init__(self, *, reason: str, where: str | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.where = where

    @property
    def message_template(self) -> str:
        """The template with the place, if there is one; that of the class, where a subclass has its own."""
        return self.template or (self._placeless if self.where is None else self._placed)


class UnsupportedVersion(ModelError):
    """A model file of a version, or of conventions, that this Pairloom does not know."""

    code = "model.unsupported_version"
    template = mark_message("the model has {what} {version}, this Pairloom reads {supported}: use a newer Pairloom")
    attributes = ("what", "version", "supported")

    def __init__(self, *, what: str, version: object, supported: str) -> None:
        super().__init__(reason=f"{what} {short_repr(version)} is not supported", where=what)
        self.what = what
        self.version = version
        self.supported = supported

    def shown(self) -> dict[str, object]:
        """Return the details, the version as Python writes it."""
        return self.details | {"version": short_repr(self.version)}


class InvalidMerge(ModelError):
    """A merge that uses a part which neither the alphabet nor an earlier merge makes; `rank` counts from 0."""

    code = "model.invalid_merge"
    template = mark_message("invalid merge of rank {rank}: {reason}")
    attributes = ("rank", "reason")

    def __init__(self, *, rank: int, reason: str) -> None:
        super().__init__(reason=reason, where=f"merges[{rank}]")
        self.rank = rank


class UnknownTokenId(PairloomError, ValueError):
    """Something in a list of token IDs that is no ID of the vocabulary. Rule: D2. `position` counts from 0."""

    code = "decode.unknown_id"
    template = mark_message(
        "no token has the ID {token_id} (position {position}): IDs are whole numbers from 0 to {largest}"
    )
    attributes = ("token_id", "position", "vocabulary_size")

    def __init__(self, *, token_id: object, position: int, vocabulary_size: int) -> None:
        super().__init__()
        self.token_id = token_id
        self.position = position
        self.vocabulary_size = vocabulary_size

    def shown(self) -> dict[str, object]:
        """Return the details and the largest ID that there is."""
        return self.details | {"token_id": short_repr(self.token_id), "largest": self.vocabulary_size - 1}


class UnknownTokens(PairloomError, ValueError):
    """IDs were asked for, and some tokens have none. Rule: E4. `positions` are places in the list of tokens."""

    code = "encode.unknown_tokens"
    template = mark_message(
        "unknown tokens have no ID ({count}, at {listed}): the corpus of the model does not have these code points; "
        "use .ids, where unknown tokens are None, or train on a text that has them"
    )
    attributes = ("positions", "tokens")

    def __init__(self, *, positions: tuple[int, ...], tokens: tuple[str, ...]) -> None:
        super().__init__()
        self.positions = positions
        self.tokens = tokens

    def shown(self) -> dict[str, object]:
        """Return the details, and the first unknown tokens in words."""
        pairs = tuple(f"{position} ({token!a})" for position, token in zip(self.positions, self.tokens, strict=True))
        return self.details | {"count": len(self.positions), "listed": listed(pairs)}


class CountError(PairloomError, ValueError):
    """A word-count table that does not hold together. Rule: P3."""

    code = "counts.invalid"
    template = mark_message("invalid word count of {word}: {reason}")
    attributes = ("word", "count", "reason")

    def __init__(self, *, word: object, count: object, reason: str) -> None:
        super().__init__()
        self.word = word
        self.count = count
        self.reason = reason

    def shown(self) -> dict[str, object]:
        """Return the details, word and count as Python writes them."""
        return self.details | {"word": short_repr(self.word), "count": short_repr(self.count)}


class CountOverflow(CountError):
    """More than 2**63 - 1 tokens: no count of a table may grow past what every implementation can hold exactly."""

    code = "counts.overflow"
    template = mark_message("the word counts add up to more than 2^63 - 1 tokens (at {word}): use smaller counts")

    def __init__(self, *, word: object, count: object, reason: str = "more than 2^63 - 1 tokens") -> None:
        super().__init__(word=word, count=count, reason=reason)


class NothingToAsk(PairloomError, ValueError):
    """A corpus that no practice problem of a kind can be made of; `words` are those that there were to draw."""

    code = "lesson.nothing_to_ask"
    template = mark_message(
        "no problem of the kind {kind} can be made of this corpus: of its words {words} can be used; give a longer text"
    )
    attributes = ("kind", "words")

    def __init__(self, *, kind: str, words: int) -> None:
        super().__init__()
        self.kind = kind
        self.words = words


class WorkUnfinished(PairloomError, RuntimeError):
    """Portions of work that an exception has ended (`reason` "interrupted"), or without a result yet ("not_done")."""

    code = "work.unfinished"
    attributes = ("work", "reason")
    _templates: ClassVar[dict[str, str]] = {
        "interrupted": mark_message("the {work} was interrupted and cannot go on from there: start it anew"),
        "not_done": mark_message("the {work} is not done yet: call run until it returns True"),
    }

    def __init__(self, *, work: str, reason: str) -> None:
        super().__init__()
        self.work = work
        self.reason = reason

    @property
    def message_template(self) -> str:
        """The template of this reason."""
        return self._templates[self.reason]


class KernelUnavailable(PairloomError, ImportError):
    """`PAIRLOOM_KERNEL` asks for an implementation that is not there."""

    code = "kernel.unavailable"
    template = mark_message("PAIRLOOM_KERNEL={requested} cannot be had: {reason}")
    attributes = ("requested", "reason")

    def __init__(self, *, requested: str, reason: str) -> None:
        super().__init__()
        self.requested = requested
        self.reason = reason
