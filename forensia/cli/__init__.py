"""The command line, which is a contract: every command, its arguments, its exit code and what it writes.

Exit codes: 0, 1 (a problem: one clear sentence on stderr), 2 (usage). The engine is imported only by the command that needs it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from forensia import __version__, files, logs, paths
from forensia.errors import Cancelled, ForensiaError, StorageError
from forensia.jobs import TerminalBar
from forensia.profile import FORENSIC, PROFILES
from forensia.wording import CHOOSING_POPULATION, KNOWN_SOURCE, MAKING_POPULATION, SHOWING_POPULATION

Command = Callable[[argparse.Namespace, TerminalBar], Any]
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
CLEANING = (
    "quoted-replies", "forwarded", "signatures", "mail-headers", "boilerplate", "block-quotations", "line-end-hyphens",
)  # fmt: skip
_QUESTIONS = ("--licenses", "--self-test")
_log = logging.getLogger(__name__)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code. Whatever happens, the user gets a sentence, not a traceback."""
    parser = build_parser()
    options = parser.parse_args(_window_by_default(arguments))
    bar = TerminalBar()
    try:
        logs.start()
        sweep_scratch()
        found, problem = options.command(options, bar), None
        bar.clear()
        if hasattr(found, "problem"):
            found, problem = found.found, found.problem
        if getattr(options, "json", None) and found is not None:
            write_json(found, options.json)
        if problem is not None:
            raise problem
        return 0
    except (Cancelled, KeyboardInterrupt):
        bar.clear()
        sys.stderr.write("forensia: stopped at your request.\n")
        return 130
    except ForensiaError as problem:
        bar.clear()
        _log.warning("%s: %s", type(problem).__name__, problem)
        sys.stderr.write(f"forensia: {_said(problem)}\n")
        return problem.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        bar.clear()
        _log.exception("unexpected")
        sys.stderr.write(
            f"forensia: something unexpected happened ({type(error).__name__}). "
            f"The log has the details: {logs.log_file()}. Please report it.\n"
        )
        return 1


def _said(problem: ForensiaError) -> str:
    """An expected problem in words."""
    from forensia.wording.problems import said

    return said(problem)


def sweep_scratch() -> None:
    """Remove temporary files that a killed start left behind; that they cannot be removed keeps nobody from working."""
    try:
        left = any((paths.cache_dir() / "scratch").iterdir())
    except (OSError, StorageError):  # there were never any, or there is no such place
        return
    if left:  # only then is the room of cases loaded for it
        from forensia.case.locking import sweep

        try:
            sweep()
        except (OSError, StorageError):
            _log.warning("Temporary files of an earlier start could not be removed.")


def write_json(found: Any, target: str) -> None:
    """Write what a command found; `-` is standard output. NaN and infinity are refused: they are no JSON."""
    text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    files.write(Path(target), text)


def jobs(wanted: int) -> int:
    """How many processes or threads: as wanted, or one for each core."""
    return wanted if wanted > 0 else os.cpu_count() or 1


def tell(text: str) -> None:
    """Lines for the person at the terminal, if there are any; on stderr, so that `--json -` stays clean."""
    if text:
        sys.stderr.write(text + "\n")


def _window_by_default(arguments: Sequence[str]) -> list[str]:
    """`forensia` and `forensia CASE.forensia` open the window; questions about the program itself are asked like options."""
    if arguments[:1] and arguments[0] in _QUESTIONS:
        return [arguments[0].removeprefix("--"), *arguments[1:]]
    if not arguments or (not arguments[0].startswith("-") and arguments[0].endswith(".forensia")):
        return ["window", *arguments]
    return list(arguments)


def _window(options: argparse.Namespace, bar: TerminalBar) -> None:
    from forensia.gui import main

    code = main(options.case)
    if code:
        raise SystemExit(code)


def _licenses(options: argparse.Namespace, bar: TerminalBar) -> None:
    from forensia import licences

    for text in licences.full_text() if options.texts else (licences.listing(),):
        sys.stdout.write(text)


def _self_test(options: argparse.Namespace, bar: TerminalBar) -> Any:
    from forensia import selftest

    return selftest.run(options, bar)


def _command(module: str, name: str) -> Command:
    """A command of a module of this room, which is imported only when it runs."""

    def command(options: argparse.Namespace, bar: TerminalBar) -> Any:
        return getattr(importlib.import_module(f"forensia.cli.{module}"), name)(options, bar)

    return command


def _encoding(stated: str) -> tuple[str, str]:
    """A file and its encoding, from FILE=ENCODING."""
    file, mark, encoding = stated.rpartition("=")
    if not (file and mark and encoding):
        raise argparse.ArgumentTypeError(f"'{stated}' is not FILE=ENCODING")
    return file, encoding


def _add_sources(command: argparse.ArgumentParser, folder: str) -> None:
    """How texts of known authors are arranged."""
    command.add_argument(
        "--layout", metavar="NAME", help="how the texts are arranged; recognised by itself if not given"
    )
    command.add_argument(
        "--sources", default="", metavar="FILE|PATTERN|each",
        help="what each text comes from (a book, a thread): a CSV or TSV file with the columns file and source, or a pattern "
        rf"whose group finds it in the path below {folder}, such as '([^/]+)_\d+\.txt$'; each: every text is of an occasion of its own",
    )  # fmt: skip
    command.add_argument(
        "--because", default="", metavar="REASON",
        help="with --sources each: how you know it; kept, and told in reports",
    )  # fmt: skip


def _add_reading(command: argparse.ArgumentParser, folder: str) -> None:
    """How texts of known authors are read."""
    _add_sources(command, folder)
    _add_jobs(command)
    command.add_argument(
        "--language", default="embedded", metavar="MODEL", help="an installed spaCy model; default: embedded"
    )
    command.add_argument(
        "--function-words", type=Path, metavar="FILE", help="function words of another language, one a line"
    )
    command.add_argument(
        "--clean", nargs="+", action="extend", choices=CLEANING, default=[], metavar="STEP",
        help=f"cut passages that are not the author's own words: {', '.join(CLEANING)}",
    )  # fmt: skip
    command.add_argument(
        "--encoding", type=_encoding, action="append", default=[], metavar="FILE=ENCODING",
        help=f"read a file, named as below {folder}, in this encoding; can be repeated",
    )  # fmt: skip


def _add(
    commands: Commands, name: str, about: str, command: Command, *, json_output: bool = True
) -> argparse.ArgumentParser:
    """A command of the program."""
    sub = commands.add_parser(name, help=about, description=about)
    sub.set_defaults(command=command)
    if json_output:
        _add_json(sub)
    return sub


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", metavar="FILE", help="write what was found as JSON (- is standard output)")


def _add_case(command: argparse.ArgumentParser) -> None:
    command.add_argument("case", type=Path, metavar="CASE.forensia")


def _add_jobs(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", type=int, default=0, metavar="N", help="parallel processes; default: all cores")


def _add_own(commands: Commands) -> None:
    """What is asked of the program itself, its window and its sample case. Asked as --licenses and --self-test, which as commands can have
    options of their own, and are not listed."""
    licenses = commands.add_parser("licenses", prog="forensia --licenses")
    licenses.add_argument("--texts", action="store_true", help="with the text of every licence")
    licenses.set_defaults(command=_licenses)
    self_test = commands.add_parser("self-test", prog="forensia --self-test")
    self_test.add_argument("--keep", type=Path, metavar="DIR", help="keep the case, the report and a picture there")
    _add_json(self_test)
    self_test.set_defaults(command=_self_test)

    window = _add(commands, "window", "open the window", _window, json_output=False)
    window.add_argument("case", nargs="?", type=Path, help="a case to open in it")

    demo = _add(commands, "demo", "run the sample case from start to end, without a window", _command("cases", "demo"))
    demo.add_argument("--out", type=Path, metavar="DIR", help="where to write the case, the JSON and the PDF")


def _add_known(commands: Commands) -> None:
    """What makes a case of known texts."""
    train = _add(
        commands,
        "train",
        "read texts of known authors, train and validate a model, keep it in a case",
        _command("cases", "train"),
    )
    train.add_argument(
        "corpus", type=Path, metavar="CORPUS", help="a folder or a table of texts whose authors are known"
    )
    train.add_argument("-o", "--output", type=Path, required=True, metavar="CASE.forensia", help="the case to make")
    train.add_argument("--profile", choices=sorted(PROFILES), default=FORENSIC.name, help="default: forensic")
    train.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    train.add_argument(
        "--population", type=Path, metavar="FOLDER",
        help="texts by other people, in whatever layout: the reference population around the candidates of CORPUS",
    )  # fmt: skip
    _add_reading(train, "CORPUS")
    train.add_argument("--segment", type=int, metavar="WORDS", help="cut each text into pieces of about WORDS words")
    train.add_argument(
        "--at-most", type=int, default=0, metavar="N",
        help="use at most N texts of each author, drawn with the seed from each source in turn; default: all",
    )  # fmt: skip
    train.add_argument("--quick", action="store_true", help="a quicker validation of fewer folds, labelled so")
    train.add_argument(
        "--fused-only", action="store_true", help="end with the fused answer; `validate` adds the diff-vector part"
    )
    train.add_argument("--mask", choices=("none", "posnoise", "distortion"), default="none", help="hide the topic")

    more = _add(
        commands,
        "add",
        "read further texts of known authors into a case, which outdates its model",
        _command("cases", "add"),
    )
    _add_case(more)
    more.add_argument(
        "corpus", type=Path, metavar="CORPUS", help="a folder or a table, in any layout; cleaned and cut as the others"
    )
    more.add_argument(
        "--population", action="store_true", help="the authors are no candidates, but the reference population"
    )
    _add_sources(more, "CORPUS")


def _add_population(commands: Commands) -> None:
    """Reference populations."""
    population = commands.add_parser(
        "population", help="reference populations: texts by others, kept as counts", description=CHOOSING_POPULATION
    )
    doings = population.add_subparsers(title="actions", metavar="ACTION", required=True)
    make = doings.add_parser(
        "make",
        help="make one of a folder or a table of texts",
        description=MAKING_POPULATION,
        epilog=CHOOSING_POPULATION,
    )
    make.add_argument("corpus", type=Path, metavar="FOLDER", help="texts whose authors are known, or a table of them")
    make.add_argument("-o", "--output", type=Path, required=True, metavar="NAME.population")
    make.add_argument(
        "--describe", default="", metavar="TEXT", help="what the texts are: genre, period, medium, where they come from"
    )
    make.add_argument("--pseudonyms", action="store_true", help="numbers instead of the names of authors and sources")
    make.add_argument(
        "--mask", choices=("none", "posnoise"), default="none", help="hide the topic, as the case that it is for does"
    )
    _add_reading(make, "FOLDER")
    _add_json(make)
    make.set_defaults(command=_command("cases", "make_population"))
    show = doings.add_parser(
        "show",
        help="say what a population is, and whether it suits a text",
        description=SHOWING_POPULATION,
        epilog=CHOOSING_POPULATION,
    )
    show.add_argument("file", type=Path, metavar="NAME.population")
    show.add_argument(
        "--against",
        type=Path,
        metavar="FILE|CASE.forensia",
        help="a disputed text, or a case with its known and disputed texts",
    )
    _add_json(show)
    show.set_defaults(command=_command("cases", "show_population"))


def _add_analyse(commands: Commands) -> None:
    """Disputed texts."""
    analyse = _add(
        commands, "analyse", "rank and verify the candidate authors of disputed texts", _command("answers", "analyse")
    )
    _add_case(analyse)
    analyse.add_argument("files", type=Path, nargs="+", metavar="FILE")
    analyse.add_argument(
        "--source",
        choices=("new", "known"),
        help="whether the texts come from a source of which there are known texts, such as the same book; "
        f"default: what was said of a text before, or new. {KNOWN_SOURCE.replace('%', '%%')}",
    )
    analyse.add_argument(
        "--because", default="", metavar="TEXT", help="the reason for --source known; the report tells it"
    )
    asked = analyse.add_mutually_exclusive_group()
    asked.add_argument(
        "--who",
        action="store_true",
        help="ask who of the candidates wrote it, if one did; default, unless asked otherwise before",
    )
    asked.add_argument("--did", metavar="AUTHOR", help="ask whether this candidate wrote it")
    asked.add_argument(
        "--agreed", metavar="TEXT",
        help="ask who wrote it where it is agreed that one of the candidates did: the reason, which the report tells",
    )  # fmt: skip
    analyse.add_argument(
        "--exhibit", metavar="LABEL", help="what the text is called in the case, such as JH/1; for one FILE"
    )
    analyse.add_argument("--pdf", type=Path, metavar="FILE", help="write the report as well")


def _add_compare(commands: Commands) -> None:
    """Two texts or more."""
    compare = _add(
        commands,
        "compare",
        "same author or not: for two texts, several, or many verification problems",
        _command("answers", "compare"),
    )
    _add_case(compare)
    compare.add_argument(
        "files", type=Path, nargs="*", metavar="FILE", help="two texts; of more, all pairs, and groups by one writer"
    )
    compare.add_argument(
        "--problems", type=Path, metavar="FOLDER",
        help="instead: a folder for each problem with known*.txt and unknown.txt, as in the PAN tasks; answers.txt is written "
        "beside the JSON",
    )  # fmt: skip
    compare.add_argument(
        "--figure", type=Path, metavar="FILE", help="with more than two texts: draw all pairs as .svg, .pdf or .png"
    )
    compare.add_argument(
        "--keep",
        action="store_true",
        help="keep the texts and what was found in the case: the report tells it, `verify` runs it again",
    )
    compare.add_argument(
        "--exhibit", action="append", default=[], metavar="LABEL",
        help="with --keep: what a text is called in the report; once for each text, in their order",
    )  # fmt: skip
    compare.set_defaults(usage=compare.error)


def _add_case_commands(commands: Commands) -> None:
    """How far a case can be trusted, its report, and whether all of it holds."""
    validate = _add(
        commands,
        "validate",
        "how far the model of a case can be trusted; an outdated one is trained anew",
        _command("cases", "validate"),
    )
    _add_case(validate)
    _add_jobs(validate)

    report = _add(commands, "report", "the PDF report of a case", _command("answers", "report"))
    _add_case(report)
    report.add_argument(
        "-o", "--output", type=Path, metavar="FILE.pdf", help="default: beside the case, under its name"
    )
    report.add_argument(
        "--documents", nargs="+", metavar="NAME", help="these disputed texts only; default: all that were analysed"
    )
    status = report.add_mutually_exclusive_group()
    status.add_argument("--draft", dest="status", action="store_const", const="DRAFT", help="default")
    status.add_argument("--final", dest="status", action="store_const", const="FINAL")
    report.add_argument("--date", metavar="ISO", help="the date of the report, as 2026-11-16; default: now")
    report.add_argument("--paper", choices=("A4", "Letter"))
    report.add_argument(
        "--details", type=Path, metavar="FILE.json", help="case number, analyst, question, exhibits; kept in the case"
    )

    verify = _add(
        commands, "verify", "check a case or a report: rehash, run again, compare", _command("answers", "verify")
    )
    verify.add_argument("target", type=Path, metavar="CASE.forensia|REPORT.pdf")
    verify.add_argument("--quick", action="store_true", help="rehash only; run nothing again")
    verify.add_argument("--case", type=Path, metavar="CASE.forensia", help="the case of a report that is not beside it")


def _add_trials(commands: Commands) -> None:
    """Experiments, and the benchmark."""
    experiment = commands.add_parser("experiment", help="replay the paper's evaluation, on any corpus")
    actions = experiment.add_subparsers(title="actions", metavar="ACTION", required=True)
    start = actions.add_parser("run", help="run a plan, or go on with it")
    start.add_argument("plan", metavar="PLAN.toml|NAME", help="a file, or one of ours: paper-…, quick-…")
    start.add_argument("--data", type=Path, metavar="DIR", help="where the corpora are")
    start.add_argument(
        "--corpus", action="append", metavar="PATH", help="use this corpus instead of the plan's data; can be repeated"
    )
    _add_jobs(start)
    start.add_argument("--cost", action="store_true", help="say what it will take, and run nothing")
    start.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, to use more than this machine")
    start.add_argument("-o", "--output", type=Path, required=True, metavar="RESULTS.sqlite")
    start.add_argument("--json", metavar="FILE")
    start.set_defaults(command=_command("experiments", "run"))
    for action, formats in (("tables", ("latex", "csv")), ("figures", ("png", "svg", "pdf"))):
        show = actions.add_parser(action, help=f"the {action} of an experiment")
        show.add_argument("results", type=Path, metavar="RESULTS.sqlite")
        for each in formats:
            show.add_argument(f"--{each}", action="store_true")
        show.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
        show.add_argument("--json", metavar="FILE")
        show.set_defaults(command=_command("experiments", action))

    bench = _add(
        commands,
        "bench",
        "Forensia against the reference recipe, ratios from one run",
        _command("experiments", "bench"),
    )
    bench.add_argument("--quick", action="store_true", help="the small sizes only")
    bench.add_argument("--gui", action="store_true", help="instead: how long the window makes one wait while it works")
    bench.add_argument("--data", type=Path, metavar="DIR", help="where the corpora are")
    bench.add_argument("--stage", nargs="+", action="extend", metavar="NAME", help="these stages only")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="forensia",
        description="Who wrote this text? Authorship analysis with Diff-Vectors. Without a command: the window.",
        epilog="Nothing leaves this machine. Results are evidence for an expert to weigh, never a verdict.",
    )
    parser.add_argument("--version", action="version", version=f"Forensia {__version__}")
    about = "what Forensia is made with, and under which licences (--texts: in full)"
    parser.add_argument("--licenses", action="store_true", help=about)
    parser.add_argument("--self-test", action="store_true", help="see whether everything works on this machine")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_own(commands)
    _add_known(commands)
    _add_population(commands)
    _add_analyse(commands)
    _add_compare(commands)
    _add_case_commands(commands)
    _add_trials(commands)
    return parser
