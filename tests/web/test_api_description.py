"""The description of the twin holds for the twin: Schemathesis makes up requests from it and looks at the answers.

The seed is fixed and the examples are bounded, so the same requests are made on every machine.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from pairloom.web.api.description import describe
from pairloom.web.api.handlers import ROUTES
from pairloom.web.app import create_app
from pairloom.web.settings import Settings

DOCUMENT: dict[str, Any] = json.loads(describe())
EXAMPLES = 25

# Every check that Schemathesis has and that is not run, with the reason.
EXCLUDED = {
    "positive_data_acceptance": "a described request may still name an unknown key (409), a text or a number that a "
    "rule refuses (422): the description says which fields there are, the rules say which values",
    "ignored_auth": "there is nothing to log in to",
    "use_after_free": "there are no resources to delete",
    "ensure_resource_availability": "there are no resources to create",
}
app = create_app(replace(Settings(), allowed_hosts=("testserver", "localhost")))
schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
schema.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])

# Only now are all there: loading a description brings its checks.
RUN = [name for name in CHECKS.get_all_names() if name not in EXCLUDED]


@seed(20_261)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=False,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@schema.parametrize()
def test_every_address_is_as_described(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(checks=CHECKS.get_by_names(RUN))  # type: ignore[arg-type]  # its own functions disagree


def test_every_check_is_run_or_excluded_with_a_reason() -> None:
    assert set(EXCLUDED) <= set(CHECKS.get_all_names())
    assert {"not_a_server_error", "status_code_conformance", "response_schema_conformance"} <= set(RUN)


def test_it_is_openapi_3_1_and_complete() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    described = {(path, method.upper()) for path, methods in DOCUMENT["paths"].items() for method in methods}
    served = {(route.path, method) for route in ROUTES for method in (route.methods or set()) - {"HEAD"}}
    assert described == served | {("/healthz", "GET")}


def test_every_name_in_it_is_a_plain_one() -> None:
    names = list(DOCUMENT["components"]["schemas"])
    assert all(re.fullmatch(r"[A-Za-z_]+", name) for name in names)
    text = json.dumps(DOCUMENT)
    assert set(re.findall(r"#/components/schemas/([^\"]+)", text)) <= set(names)


def test_requests_take_nothing_unknown() -> None:
    for path, methods in DOCUMENT["paths"].items():
        body = methods.get("post", {}).get("requestBody")
        if body:
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert DOCUMENT["components"]["schemas"][name]["additionalProperties"] is False, path


def test_every_operation_says_what_it_refuses() -> None:
    for path, methods in DOCUMENT["paths"].items():
        for operation in methods.values():
            if path.startswith("/api/") and path != "/api/openapi.json":
                assert {"200", "403", "413", "421", "503"} <= set(operation["responses"]), path


@pytest.mark.parametrize("name", EXCLUDED)
def test_reasons_are_reasons(name: str) -> None:
    assert len(EXCLUDED[name]) > 20
