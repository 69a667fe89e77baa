"""The JSON twin: everything that the pages show, for scripts and tests, described by OpenAPI.

`requests` is what may be sent, `operations` what each address does with it; `inspecting`, `files` and `lesson` are the
same for one subject each, with its requests. `answers` is the two shapes that come back, `description` the OpenAPI
document; all types in it are those that the operations take and return. No part of the static edition: nothing outside
this package imports msgspec.
"""
