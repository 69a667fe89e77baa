"""Addresses that are nearly right, and addresses that are none."""

import pytest

from pairloom.web.app import create_app
from tests.web.asgi import ask_now


@pytest.mark.parametrize("view", ["/walkthrough", "/method"])
@pytest.mark.parametrize("query", ["", "?lang=de", "?lang=de&x=%2F%2Fevil.example"])
def test_a_view_has_one_address(view: str, query: str) -> None:
    """A slash too many leads there, for good; on the same server whatever the host is called."""
    app = create_app()
    answer = ask_now(app, "GET", view + "/" + query)
    assert answer.status == 308
    assert answer.headers["location"] == view + query
    assert ask_now(app, "GET", view + query).status == 200


@pytest.mark.parametrize(
    "path",
    ["/healthz/", "/workbench/train/", "//", "//evil.example/", "/method//", "/Method", "/workbench", "/nowhere"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_addresses_lead_nowhere(path: str, method: str) -> None:
    answer = ask_now(create_app(), method, path)
    assert answer.status == 404
    assert "location" not in answer.headers
