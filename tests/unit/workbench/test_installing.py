"""One command lets the companion start with the machine; a dry run shows all that it would do."""

import os
import pwd
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import tippo
from companion.errors import BadInput, Refused, TippoError
from companion.workbench.installing import (
    DISABLE,
    RULE,
    UNIT,
    Installation,
    carry_out,
    installation,
    removal,
    run_command,
)

TIPPO = Path("/home/ann/companion/.venv/bin/tippo")


@pytest.fixture
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pwd.struct_passwd:
    """Somebody with a home and settings, whoever runs these tests."""
    home = tmp_path / "home"
    (home / ".config" / "tippo").mkdir(parents=True)
    (home / ".config" / "tippo" / "settings.toml").write_text('board = "pico"\n')
    person = pwd.struct_passwd(("ann", "x", os.getuid(), os.getgid(), "Ann", str(home), "/bin/sh"))
    known = {"ann": person}
    monkeypatch.setattr("pwd.getpwnam", lambda name: known[name])
    monkeypatch.setattr("hardware.setup_files.groups_here", lambda: ("gpio", "dialout"))
    return person


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tippo, ["install", *arguments])


def refusal(*arguments: str) -> TippoError:
    error = run(*arguments).exception
    assert isinstance(error, TippoError)
    return error


def test_a_dry_run_shows_every_file_and_command_and_changes_nothing(
    ann: pwd.struct_passwd,
) -> None:
    result = run("--user", ann.pw_name, "--service", "--dry-run")
    assert result.exit_code == 0, result.output
    for part in (
        f"# write {UNIT}\n",
        "User=ann\n",
        f"# write {RULE}\n",
        "# run usermod -aG gpio,dialout ann\n",
        "# run systemctl enable --now tippo.service\n",
    ):
        assert part in result.output
    assert not UNIT.exists()


@pytest.mark.usefixtures("ann")
@pytest.mark.parametrize(
    ("called", "starts"),
    [
        ("/home/ann/.local/bin/tippo", "/home/ann/.local/bin/tippo"),
        ("/srv/companion/cli.py", str(Path(sys.executable).parent / "tippo")),
    ],
)
def test_what_starts_with_the_machine_is_the_command_that_was_called(
    called: str, starts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module of Python's cannot be started by the system."""
    monkeypatch.setattr(sys, "argv", [called])
    assert f'"{starts}" play' in run("--user", "ann", "--service", "--dry-run").output


def test_on_a_desktop_it_starts_with_the_desktop_of_its_owner(ann: pwd.struct_passwd) -> None:
    output = run("--user", "ann", "--desktop", "--dry-run").output
    assert f"# write {ann.pw_dir}/.config/autostart/tippo.desktop\n" in output
    assert "[Desktop Entry]\n" in output
    assert "systemctl" not in output


@pytest.mark.parametrize("desktop", [False, True])
def test_files_are_written_then_commands_run_and_a_removal_takes_all_back(
    desktop: bool, ann: pwd.struct_passwd, tmp_path: Path
) -> None:
    ran: list[Sequence[str]] = []
    root = tmp_path / "root"
    wanted = installation(ann, TIPPO, desktop=desktop)
    carry_out(wanted, remove=False, run=ran.append, root=root)
    assert [tuple(command) for command in ran] == list(wanted.commands)
    written = {path for path, _ in wanted.files}
    for path, text in wanted.files:
        assert (root / path.relative_to("/")).read_text() == text
    again = removal(ann)
    assert written <= {path for path, _ in again.files}
    ran.clear()
    carry_out(again, remove=True, run=ran.append, root=root)
    assert not [path for path in root.rglob("*") if path.is_file()]
    assert (DISABLE in ran) is not desktop, "a unit that was never written cannot be stopped"


@pytest.mark.parametrize("desktop", [False, True])
def test_only_one_thing_starts_the_companion_however_often_it_is_installed(
    desktop: bool, ann: pwd.struct_passwd, tmp_path: Path
) -> None:
    """Two would quarrel about the journal at every start."""
    ran: list[Sequence[str]] = []
    for each in (not desktop, desktop):
        ran.clear()
        carry_out(
            installation(ann, TIPPO, desktop=each), remove=False, run=ran.append, root=tmp_path
        )
    entries = [path for path in tmp_path.rglob("tippo.*") if path.is_file()]
    assert [path.name for path in entries] == ["tippo.desktop" if desktop else "tippo.service"]
    assert (DISABLE in ran) is desktop


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (None, 'which board is on the table? Write board = "gpio", board = "pico" or, with no'),
        ("", "which board is on the table?"),
        ("board = 7", "the settings"),
    ],
)
def test_it_wants_to_know_the_board_first(
    settings: str | None, says: str, ann: pwd.struct_passwd
) -> None:
    path = Path(ann.pw_dir) / ".config" / "tippo" / "settings.toml"
    path.unlink()
    if settings is not None:
        path.write_text(settings)
    error = refusal("--user", "ann", "--dry-run")
    assert isinstance(error, BadInput)
    assert says in str(error)


def test_a_table_without_a_scale_starts_with_the_machine_too(ann: pwd.struct_passwd) -> None:
    path = Path(ann.pw_dir) / ".config" / "tippo" / "settings.toml"
    path.write_text('board = "none"\n')
    result = run("--user", "ann", "--service", "--dry-run")
    assert result.exit_code == 0, result.output
    assert "ExecStart=" in result.output


@pytest.mark.usefixtures("ann")
def test_whose_it_is_has_to_be_known() -> None:
    assert "there is no user 'bob' on this machine" in str(refusal("--user", "bob"))
    assert "whose companion is it? Name them" in str(refusal("--user", "root"))


@pytest.mark.usefixtures("ann")
def test_without_the_rights_it_says_how_to_ask_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    error = refusal("--user", "ann", "--service")
    assert isinstance(error, Refused)
    assert "run `sudo " in str(error)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("no-such-program-at-all",), "this system has no no-such-program-at-all"),
        (("sh", "-c", "echo it is locked >&2; exit 3"), "failed; it said: it is locked"),
    ],
)
def test_a_command_that_fails_is_named_with_what_it_said(command: Sequence[str], says: str) -> None:
    with pytest.raises(Refused, match=says):
        run_command(command)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("a file where a folder should be")
    wanted = Installation(((UNIT, "x"),), ())
    with pytest.raises(Refused, match="cannot be changed"):
        carry_out(wanted, remove=False, run=lambda _: None, root=tmp_path)
