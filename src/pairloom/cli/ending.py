"""How a command ends: every error as one line on standard error, and a documented exit code.

| code | the command |
| --- | --- |
| 0 | did what it was asked |
| 1 | found something wrong in its input, a model or a file, or a difference, or could not read or write |
| 2 | was called wrongly: an unknown option, a setting out of its range |
| 130 | was interrupted (Ctrl-C) |
| 141 | found its output closed by the reader (`| head`) |
| 129, 143 | was told to end by the system (hang-up, termination) |
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

import click
from click.exceptions import NoArgsIsHelpError

from pairloom.cli.messages import error_text, is_wrong_use, on_one_line, os_error_text, write_line
from pairloom.errors import PairloomError
from pairloom.formats.atomic import naming

OK = 0
WRONG_INPUT = 1
WRONG_USE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


class InterruptedCommandError(Exception):
    """Ctrl-C, in a form that click passes on."""


class PipeClosedError(Exception):
    """Nobody reads the output any more, in a form that click passes on."""


@contextlib.contextmanager
def passing_through_click() -> Iterator[None]:
    """Give what click would end the program for in its own way a form that it leaves alone."""
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedCommandError from None
    except BrokenPipeError:
        raise PipeClosedError from None


def exit_code_of(action: Callable[[], object]) -> int:
    """Run `action`, say on standard error what went wrong, and return the exit code."""
    try:
        with passing_through_click():
            result = action()
            if sys.stdout is not None:
                with naming("<stdout>"):
                    sys.stdout.flush()
    except PipeClosedError:
        code, message = PIPE_CLOSED, None
    except (InterruptedCommandError, click.Abort):
        code, message = INTERRUPTED, "pairloom: interrupted"
    except NoArgsIsHelpError as error:
        code, message = WRONG_USE, error.format_message()
    except click.ClickException as error:
        code, message = WRONG_USE, f"pairloom: error: {_usage_text(error)}"
    except PairloomError as error:
        code, message = WRONG_USE if is_wrong_use(error) else WRONG_INPUT, f"pairloom: error: {error_text(error)}"
    except OSError as error:
        code, message = WRONG_INPUT, f"pairloom: error: {os_error_text(error)}"
    except MemoryError:
        code, message = WRONG_INPUT, "pairloom: error: not enough memory: give a smaller input"
    else:
        return result if isinstance(result, int) else OK
    _let_go_of_output()
    if message is not None:
        write_line(message)
    return code


def _usage_text(error: click.ClickException) -> str:
    text = on_one_line(error.format_message()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{text}; see {context.command_path if context else 'pairloom'} --help"


def _let_go_of_output() -> None:
    """Write out what is left; where that is no longer possible, keep Python from trying and complaining at its end."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def end_on_signals() -> None:
    """Make a hang-up or a termination an exception, so that half-written files are taken away."""
    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        # A signal that is ignored stays ignored: that is how `nohup` works.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
