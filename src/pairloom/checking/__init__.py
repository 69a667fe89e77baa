"""Checking somebody else's program against the conventions.

    cases ── program ──▸ answer ── protocol ──▸ objection ── shrinking ──▸ counter-example ── diagnosis ──▸ rule

`docs/check.md` describes the protocol for whoever writes such a program, in any language.
"""
