"""The walkthrough as a widget, without a browser: what its Python side answers is what the pages answer."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

import pairloom
from pairloom import notebook
from pairloom.notebook import pages as inside
from pairloom.web.app import create_app
from pairloom.web.catalogue import load_catalogues
from pairloom.web.presets import PRESETS
from tests.web.asgi import ask_now, events


class Asked:
    """A widget whose answers are kept instead of sent."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.widget = notebook.Walkthrough(*arguments, **more)
        self.sent: list[dict[str, Any]] = []
        self.widget.send = self.sent.append

    def ask(self, content: object) -> dict[str, Any]:
        self.widget._hear(None, content, None)
        return self.sent[-1]


FIELDS = {"corpus": "low low lower newest newest widest", "walk_pre_tokenizer": "punctuation", "text": "slow"}


@pytest.mark.parametrize("language", list(load_catalogues()))
def test_it_answers_what_the_pages_answer(language: str) -> None:
    """Same views, same wording, in each language. Rules: S1–S6, G."""
    app, asked = create_app(api=False), Asked(language=language)
    head = [("page-language", language)]

    def without_key(html: str) -> str:
        return re.sub(r'value="[0-9a-f]{32}"', "", html)

    theirs = events(ask_now(app, "POST", "/walkthrough/train", form=FIELDS, headers=head).text)[-1]
    ours = asked.ask({"id": "1", "path": "/walkthrough/train", "fields": FIELDS})
    assert (ours["id"], ours["status"]) == ("1", 200)
    assert without_key(ours["html"]) == without_key(theirs)
    for path, more in (
        ("step", {"prefix": "4"}),
        ("pairs", {"prefix": "1", "pairs_wanted": "on"}),
        ("token", {"prefix": "4", "token_id": "12"}),
        ("encode", {"prefix": "9", "text": "lowest"}),
        ("encode/words", {"prefix": "9", "text": "lowest"}),
    ):
        fields = {**FIELDS, "key": "", **more}
        page = ask_now(app, "POST", f"/walkthrough/{path}", form=fields, headers=head)
        answer = asked.ask({"id": "2", "path": f"/walkthrough/{path}", "fields": fields})
        assert answer["status"] == page.status == 200
        assert without_key(answer["html"]) == without_key(page.text)


def test_an_objection_stands_at_its_field() -> None:
    answer = Asked().ask({"id": "1", "path": "/walkthrough/train", "fields": {**FIELDS, "corpus": "a ▁"}})
    assert "walk-corpus-error" in answer["html"]
    assert "literal ▁" in answer["html"]


@pytest.mark.parametrize(
    "content", [{"id": "1", "path": "/api/train"}, {"id": "1", "path": "/"}, {"id": "1"}, None, [], {"fields": 3}]
)
def test_only_the_walkthrough_is_asked(content: object) -> None:
    answer = Asked().ask(content)
    assert (answer["status"], answer["html"]) == (500, "")


def test_an_address_that_there_is_not() -> None:
    assert Asked().ask({"id": "1", "path": "/walkthrough/nothing", "fields": FIELDS})["status"] == 404


def test_hostile_text_stays_text() -> None:
    hostile = {
        **FIELDS,
        "corpus": "<script>alert(1)</script> <script>alert(1)</script>",
        "text": "<img src=x onerror=a>",
    }
    html = Asked().ask({"id": "1", "path": "/walkthrough/train", "fields": hostile})["html"]
    assert "&lt;" in html
    assert not re.search(r"<(?:script|img)\b", html)


def test_its_shell_is_the_pages_own_in_each_language() -> None:
    widget = notebook.Walkthrough(language="de")
    for language, word in (("de", "Schritt"), ("en", "Step")):
        widget.language = language
        assert f">{word}<" in widget._shell
        assert not re.search(r"<script|\son\w+=", widget._shell)


def test_styles_are_about_the_part_and_not_the_window() -> None:
    style = inside.style()
    assert "@media (min-width" not in style
    assert "@container (min-width: 56rem)" in style
    assert ":root" not in style
    assert ":host {" in style


def test_presets_and_own_texts() -> None:
    asked = Asked(preset="chinese")
    assert asked.widget.corpus == next(preset.text for preset in PRESETS if preset.name == "chinese")
    assert asked.widget.text
    assert asked.ask({"id": "3", "preset": "german"})["text"].startswith("Die Weberin")
    assert asked.ask({"id": "4", "preset": "no such"})["text"] == ""
    own = notebook.Walkthrough("low low", "slow", prefix=1)
    assert (own.corpus, own.text, own.prefix, own._preset) == ("low low", "slow", 1, "")


@pytest.mark.parametrize("wrong", [{"preset": "x"}, {"language": "fr"}, {"pre_tokenizer": "bytes"}])
def test_settings_that_there_are_not(wrong: dict[str, str]) -> None:
    with pytest.raises(pairloom.SettingError):
        notebook.Walkthrough(**wrong)  # type: ignore[arg-type]  # what is tested


def test_every_control_of_the_page_is_served_by_the_script() -> None:
    """The script names what the templates have: a control that is renamed there is missed here."""
    script, shell = notebook.Walkthrough._esm, notebook.Walkthrough()._shell
    ids = set(re.findall(r'find\("([\w-]+)"\)', str(script))) | set(
        re.findall(r'"(walk-(?:step|back|reset|play))"', str(script))
    )
    later = {"walk-key", "walk-slider", "walk-origin-token"}  # these come with an answer
    assert len(ids) > 10
    assert {each for each in ids - later if f'id="{each}"' not in shell} == set()


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pairloom.notebook.widget")
    monkeypatch.delitem(vars(notebook), "Walkthrough", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\.\[notebook\]'"):
        _ = notebook.Walkthrough
    with pytest.raises(AttributeError, match="walk"):
        _ = notebook.walk
