"""What is looked for has a limit of its own, with an objection at its field. Rules: L2, W5, W8."""

from __future__ import annotations

import asyncio

import pytest
from playwright.sync_api import Page, expect

from pairloom.web.app import create_app
from pairloom.web.settings import Settings
from tests.web.asgi import ask
from tests.web.conftest import Watch
from tests.web.driving import set_text, train
from tests.web.test_workbench import key_in, partial
from tests.web.test_workbench import train as train_on

LIMIT = Settings().search_max_code_points


@pytest.mark.parametrize("table", ["merges", "vocabulary"])
def test_a_search_has_a_limit(table: str) -> None:
    async def main() -> None:
        app = create_app()
        key = key_in(await train_on(app))
        for text, said in (
            ("😀" * LIMIT, "no token here"),
            ("😀" * (LIMIT + 1), "4,001 code points, 4,000 are allowed"),
        ):
            form = {"key": key, "prefix": "0", f"{table}_token": text}
            answer = await ask(app, "POST", f"/workbench/{table}", form=form)
            assert answer.status == 422
            assert said in partial(answer.text, f"{table}-token-error").lower()

    asyncio.run(main())


@pytest.mark.browser
@pytest.mark.parametrize("table", ["merges", "vocabulary"])
def test_a_text_too_long_for_a_request_is_told_at_its_field(page: Page, watch: Watch, table: str) -> None:
    """2 MiB: the server would refuse the request as a whole. The browser says it without asking."""
    train(page)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.evaluate("(id) => { document.getElementById(id).value = 'ä'.repeat(2 ** 20); }", f"{table}-token")
    page.locator(f"#{table}-find button").click()
    expect(page.locator(f"#{table}-token-error")).to_contain_text("1,048,576 code points, 4,000 are allowed")
    expect(page.locator(f"#{table}-token")).to_be_focused()
    assert page.locator(f"#{table}-token").input_value() == "ä" * 2**20
    set_text(page, f"{table}-token", [0x61, 0xD83D])
    page.locator(f"#{table}-find button").click()
    expect(page.locator(f"#{table}-token-error")).to_contain_text("unpaired surrogate U+D83D at position 1")
    assert requests == []
    page.locator(f"#{table}-token").fill(" low")
    page.locator(f"#{table}-find button").click()
    expect(page.locator(f"#{table}-token-error")).to_be_empty()
    expect(page.locator(f"#{table}-view tr.found")).to_have_count(1)
