"""Requests → answers, one module a group of routes."""
