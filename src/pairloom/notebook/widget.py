"""The walkthrough as a widget for Jupyter, marimo and whatever else shows widgets. Rules: S1–S6."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, cast

import anywidget
import traitlets

from pairloom.errors import SettingError
from pairloom.notebook.pages import pages, preset_text, style
from pairloom.pre_tokenizer import PRE_TOKENIZERS, check_pre_tokenizer
from pairloom.web.presets import PRESETS


class Walkthrough(anywidget.AnyWidget):
    """The walkthrough of the pages: a training seen merge by merge, with the same views, words and keys.

    `prefix` is the number of merges that are shown; it follows the widget, and the widget follows it. `corpus` and
    `text` are what stands in its two fields. Everything is computed in this process.

    Args:
        corpus: the text to learn from; a preset if none is given. At most 40,000 code points, as on the pages (L1).
        text: a text to encode.
        prefix: merges that are shown to begin with.
        preset: the name of a text of the walkthrough, used where `corpus` is empty.
        pre_tokenizer: "punctuation" (P2) or "whitespace" (P1).
        lowercase: whether texts are lower-cased first (N1).
        language: "en" or "de".

    Raises:
        SettingError.
    """

    _esm = (files("pairloom.notebook") / "static" / "walkthrough.js").read_text("utf-8")

    prefix = traitlets.Int(0, min=0).tag(sync=True)
    corpus = traitlets.Unicode("").tag(sync=True)
    text = traitlets.Unicode("").tag(sync=True)
    language = traitlets.Unicode("en").tag(sync=True)
    _pre_tokenizer = traitlets.Unicode("punctuation").tag(sync=True)
    _lowercase = traitlets.Bool(default_value=False).tag(sync=True)
    _preset = traitlets.Unicode("").tag(sync=True)
    _shell = traitlets.Unicode("").tag(sync=True)
    _style = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        corpus: str = "",
        text: str = "",
        *,
        prefix: int = 0,
        preset: str = "weaver",
        pre_tokenizer: str = "punctuation",
        lowercase: bool = False,
        language: str = "en",
    ) -> None:
        check_pre_tokenizer(pre_tokenizer)
        _check("preset", preset, [each.name for each in PRESETS])
        _check("language", language, list(pages().services.renderers))
        if not corpus:
            corpus = preset_text(preset)
            text = text or next(each.to_encode for each in PRESETS if each.name == preset)
        else:
            preset = ""
        super().__init__(
            corpus=corpus,
            text=text,
            prefix=prefix,
            language=language,
            _pre_tokenizer=pre_tokenizer,
            _lowercase=lowercase,
            _preset=preset,
            _shell=pages().shell(language),
            _style=style(),
        )
        self.on_msg(self._hear)

    @traitlets.observe("language")
    def _speak(self, change: dict[str, Any]) -> None:
        """Say everything in another language; the state stays."""
        if change["new"] not in pages().services.renderers:
            _check("language", change["new"], list(pages().services.renderers))
        self._shell = pages().shell(change["new"])

    def _hear(self, _: object, content: object, __: object) -> None:
        """Answer a request of the widget's own script; what it does not send is answered as a failure."""
        message = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
        number = message.get("id")
        if message.get("preset") is not None:
            self.send({"id": number, "status": 200, "text": preset_text(str(message["preset"]))})
            return
        given = message.get("fields")
        fields = {str(name): str(value) for name, value in given.items()} if isinstance(given, dict) else {}
        try:
            answer = pages().ask(str(message.get("path")), fields, language=self.language)
        except (ValueError, TimeoutError) as error:
            self.send({"id": number, "status": 500, "html": "", "error": type(error).__name__})
            return
        self.send({"id": number, "status": answer.status, "html": answer.html})


def _check(setting: str, value: object, allowed: list[str]) -> None:
    if value not in allowed:
        raise SettingError(setting=setting, value=value, allowed=" or ".join(map(repr, allowed)))


assert set(PRE_TOKENIZERS) == {"whitespace", "punctuation"}  # the two that the form offers
