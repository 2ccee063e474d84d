"""What JSON Schema cannot say of a valid request, for `npm run test:api` (tools/test-api.mjs).

Addresses lead to a small site that the script serves, times of expiry lie ahead, files hold text, and the key that
the requests are sent with is not revoked by one of them.
"""

import os

import schemathesis

SITE = os.environ["CARREL_TEST_SITE"]
OWN_KEY_ID = os.environ["CARREL_TEST_KEY_ID"]
NO_KEY_ID = "01980000-0000-7000-8000-000000000000"


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    if case.path_parameters and OWN_KEY_ID in case.path_parameters.values():
        case.path_parameters["id"] = NO_KEY_ID
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(case.body, dict):
        return
    # A copy: the same body may be sent again as part of an invalid request.
    case.body = type(case.body)(case.body)
    for field, target in (("url", "/page"), ("websiteUrl", "/page"), ("rootDomain", "")):
        if isinstance(case.body.get(field), str):
            case.body[field] = SITE + target
    if isinstance(case.body.get("expiresAt"), str):
        case.body["expiresAt"] = "2999" + case.body["expiresAt"][4:]
    if "file" in case.body:
        case.body["file"] = b"In winter the reading room opens at nine."
