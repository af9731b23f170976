"""The command group, and what every way a command can end means to the process that called it."""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from . import output
from .commands import COMMANDS, Entry
from .exits import ExitCode
from .options import CONTEXT, VERBOSE, VERSION, Session

if TYPE_CHECKING:
    from types import FrameType


class Toolkit(click.Group):
    """A click group whose commands come from a table."""

    entries: tuple[Entry, ...] = COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return [entry.name for entry in self.entries]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; None if there is none of that name."""
        for entry in self.entries:
            if entry.name == cmd_name:
                return entry.load()
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table: none of them is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.summary) for entry in self.entries])


_PLACE = re.compile(r'File "([^"]*)", line (\d+)')
"""In a traceback's text, which for an error in a worker process is all there is."""


@click.group(
    cls=Toolkit,
    params=[VERBOSE, VERSION],
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  regtriage run kernel.llir
  regtriage check before-greedy.mir after-virtregrewriter.mir

\b
Exit codes, of every command:
  0  clean                  2  wrong input or call: one line says what and where
  1  a miscompile is shown  3  a tool failed, or nothing could be proved""",
)
@click.pass_context
def toolkit(context: click.Context) -> ExitCode:
    """Triage of register-allocation miscompiles.

    Proves lane by lane whether LLVM's register allocation kept every value of a kernel, and names the
    decision of the allocator that lost one.
    """
    if context.invoked_subcommand is None:
        output.write(context.get_help() + "\n")
    return ExitCode.INPUT  # a script that forgot the command must not take that for a clean result


def main() -> NoReturn:
    """Run the command line of this process, then end it."""
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(execute(sys.argv[1:]))


class _Terminated(BaseException):
    """SIGTERM arrived. Unwinds as KeyboardInterrupt does, so that processes end and temporary files go."""


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise _Terminated


def execute(arguments: Sequence[str]) -> ExitCode:
    """Run one command line. Errors end up on stderr; the exit code says of what kind they are."""
    session = Session()
    try:
        return ExitCode(_invoke(arguments, session))
    except (KeyboardInterrupt, click.Abort):
        return ExitCode.INTERRUPTED
    except _Terminated:
        return ExitCode.TERMINATED
    except click.ClickException as error:
        output.complain(_usage_error(error))
        return ExitCode.INPUT
    except BrokenPipeError:
        if not session.running:  # only help and version have been printed
            return ExitCode.CLEAN
        return _unexpected(session)
    except Exception as error:
        signalled = _signal_behind(error)
        return signalled if signalled is not None else _failure(error, session)


def _signal_behind(error: BaseException) -> ExitCode | None:
    """The code of the signal that an error came of.

    A signal that arrives while a pool of processes starts leaves it half made: closing it then fails, and that
    failure stands before the signal's own exception.
    """
    seen: set[int] = set()
    context: BaseException | None = error
    while context is not None and id(context) not in seen:
        if isinstance(context, KeyboardInterrupt):
            return ExitCode.INTERRUPTED
        if isinstance(context, _Terminated):
            return ExitCode.TERMINATED
        seen.add(id(context))
        context = context.__context__
    return None


def _invoke(arguments: Sequence[str], session: Session) -> int:
    output.prepare()
    try:
        with toolkit.make_context("regtriage", list(arguments), obj=session) as context:
            result: object = toolkit.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    assert isinstance(result, int), "a command returns its exit code"
    return result


def _usage_error(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if isinstance(context, click.Context) else "regtriage"
    message = " ".join(error.format_message().split())
    return f"{command}: error: {message.rstrip('.')} (see '{command} --help')"


def _failure(error: Exception, session: Session) -> ExitCode:
    # Imported here: only a command that has been loaded can raise these.
    from regtriage.tools.llc.run import InputError, ToolFailure

    if isinstance(error, InputError):
        output.complain(_one_line(str(error)))
        return ExitCode.INPUT
    if isinstance(error, ToolFailure):
        output.complain(str(error))
        words = error.stderr.strip()
        if words and words not in str(error):
            output.complain(words)
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        output.complain(f"regtriage: error: {place}{error.strerror or error}")
    else:
        return _unexpected(session)
    _trace_if_wanted(session)
    return ExitCode.FAILURE


def _one_line(message: str) -> str:
    """The line with the error: a compiler may warn before it, and show the source after it.

    One without a place is about the call, so the program stands in its place.
    """
    lines = message.splitlines() or [""]
    line = next((line for line in lines if "error:" in line), lines[0])
    return f"regtriage: {line}" if line.startswith("error:") else line


def _unexpected(session: Session) -> ExitCode:
    """Report a fault of this program. Called while the exception is handled."""
    error = sys.exception()
    assert error is not None
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    file, line = _PLACE.findall("".join(traceback.format_exception(error.__cause__ or error)))[-1]
    where = f"{Path(file).name}:{line}"
    how = "" if _wants_trace(session) else ", with what -v adds"
    output.complain(f"regtriage: internal error: {what} [{where}]; please report it{how}")
    _trace_if_wanted(session)
    return ExitCode.FAILURE


def _wants_trace(session: Session) -> bool:
    return session.verbose or os.environ.get("REGTRIAGE_DEBUG", "") not in ("", "0")


def _trace_if_wanted(session: Session) -> None:
    if _wants_trace(session):
        output.complain(traceback.format_exc().rstrip())
