"""Programs of others that tests start: what `make test-sanitized` puts into each process is not for them."""

import os


def variables_of_others() -> dict[str, str]:
    """The environment without the sanitizers' runtimes: they would find faults in GNU make, and slow a browser down."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
