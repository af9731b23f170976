"""What every command has in common: its session, `-v`, `--color`, `--json`, and how its help looks."""

from __future__ import annotations

import contextlib
import enum
import functools
import os
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from regtriage.tools.files import replace

from . import output
from .exits import ExitCode
from .targets import OutputFile, refuse_lost_files

_F = TypeVar("_F", bound=Callable[..., Any])


class ColorChoice(enum.StrEnum):
    """When text is coloured. AUTO: on a terminal, unless NO_COLOR is set."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(slots=True)
class Session:
    """One call of the program. running: a command's own code has begun."""

    verbose: bool = False
    color: ColorChoice = ColorChoice.AUTO
    running: bool = False

    @property
    def colored(self) -> bool:
        """Whether what goes to stdout is coloured."""
        if self.color is ColorChoice.AUTO:
            return output.is_color_terminal()
        return self.color is ColorChoice.ALWAYS


def _set_verbose(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value:
        context.ensure_object(Session).verbose = True


def _set_color(context: click.Context, parameter: click.Parameter, value: str) -> None:
    context.ensure_object(Session).color = ColorChoice(value)


def _show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not context.resilient_parsing:
        output.write(f"regtriage {program_version()}\n")
        context.exit()


def program_version() -> str:
    """The version that pip installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("regtriage")
    except PackageNotFoundError:
        return "unknown"


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""Context settings of every command."""

VERBOSE = click.Option(
    ["-v", "--verbose"],
    is_flag=True,
    expose_value=False,
    callback=_set_verbose,
    help="Show every finding, times, and a traceback on internal errors.",
)
COLOR = click.Option(
    ["--color"],
    type=click.Choice([c.value for c in ColorChoice]),
    default=ColorChoice.AUTO.value,
    expose_value=False,
    callback=_set_color,
    help="When to colour the report.  [default: auto]",
)
VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)


@dataclass(frozen=True, slots=True)
class JsonFile:
    """Where JSON goes: a file, or stdout where path is None."""

    path: Path | None

    @property
    def is_stdout(self) -> bool:
        """JSON takes the place of the report."""
        return self.path is None

    def write(self, text: str) -> None:
        """Raises OSError."""
        if self.path is None:
            output.write(text)
        else:
            replace(self.path, text)


def json_file(context: click.Context, parameter: click.Parameter, value: Path | None) -> JsonFile | None:
    """What `-`, or the option alone, means: stdout."""
    if value is None:
        return None
    return JsonFile(None if str(value) == "-" else value)


class AloneOption(click.Option):
    """May stand alone, or with a value as `--json=FILE` only. Its help shows `--json[=FILE]`."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help."""
        record = super().get_help_record(ctx)
        return record and (record[0].replace(" [=", "[="), record[1])


class _Command(click.Command):
    """Lets an `AloneOption` stand alone, so that it never takes a kernel for its file; keeps inputs from outputs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        alone = {name for p in self.params if isinstance(p, AloneOption) for name in p.opts}
        options = [f"{argument}=-" if argument in alone else argument for argument in args[:end]]
        rest = super().parse_args(ctx, options + args[end:])
        if not ctx.resilient_parsing:
            refuse_lost_files(ctx, self.params)
        return rest


def json_option(function: _F) -> _F:
    """`--json[=FILE]`, as the argument `json_file`: a JsonFile or None."""
    option = click.option(
        "--json",
        "json_file",
        cls=AloneOption,
        type=OutputFile(),
        callback=json_file,
        metavar="[=FILE]",
        help="Write JSON, to FILE or, in place of the report, to stdout.",
    )
    return option(function)


@contextlib.contextmanager
def _scratch() -> Generator[None]:
    """A place for all temporary files of a command and its processes, even of those that are killed."""
    given = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(prefix="regtriage-", ignore_cleanup_errors=True) as folder:
        before, tempfile.tempdir = tempfile.tempdir, folder
        os.environ["TMPDIR"] = folder
        try:
            yield
        finally:
            tempfile.tempdir = before
            if given is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = given


def command(name: str, examples: str) -> Callable[[Callable[..., ExitCode]], click.Command]:
    """Make a click command of a function `(session, **parameters) -> ExitCode`.

    Its docstring is the help; examples are shown as written. `-h`, `-v` and `--color` are added.
    """

    def decorate(function: Callable[..., ExitCode]) -> click.Command:
        @click.pass_obj
        @functools.wraps(function)
        def callback(session: Session, /, **parameters: Any) -> ExitCode:
            session.running = True
            with _scratch():
                return function(session, **parameters)

        lines = "\n".join(f"  {line}" for line in examples.strip().splitlines())
        made = click.command(
            name, cls=_Command, epilog=f"\b\nExamples:\n{lines}", context_settings=CONTEXT, no_args_is_help=False
        )(callback)
        made.params += [COLOR, VERBOSE]
        return made

    return decorate
