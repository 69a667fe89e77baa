"""What is long and the same for everybody goes out compressed, where the client takes that."""

import gzip

import pytest

from pairloom.web.app import create_app
from tests.web.asgi import ask_now


@pytest.mark.parametrize("path", ["/", "/lesson", "/walkthrough", "/method", "/method/text", "/lesson/text"])
def test_compressed_it_is_the_same(path: str) -> None:
    app = create_app()
    plain = ask_now(app, "GET", path)
    small = ask_now(app, "GET", path, headers=[("accept-encoding", "br, gzip")])
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) == len(small.body) < len(plain.body) / 2
    assert gzip.decompress(small.body) == plain.body
    assert plain.headers["vary"] == small.headers["vary"] == "accept-language, cookie, page-language, accept-encoding"


def test_what_is_about_somebodys_text_is_not_compressed() -> None:
    form = {"corpus": "low lower lowest", "merge_limit": "3", "pre_tokenizer": "whitespace"}
    answer = ask_now(create_app(), "POST", "/workbench/train", form=form, headers=[("accept-encoding", "gzip")])
    assert answer.status == 200
    assert "content-encoding" not in answer.headers
