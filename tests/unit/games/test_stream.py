"""The referee's stream: an answer to every line, whatever it is, and nothing harmed by it."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.stream import Stream, referee_stream
from tests.scenarios.scenario import everything
from tests.unit.games import one_pile_walk, walk

START = b'{"do": "start", "game": "tippo", "players": ["Ann", "Bob", "Cem"]}'
DEAL = b'{"do": "deal", "left": "R7", "right": "B8"}'


def answers(*lines: bytes) -> list[dict[str, Any]]:
    stream = Stream()
    given = [stream.answer(line) for line in lines]
    return [json.loads(answer[0]) for answer in given if answer is not None]


ODD_LINES = {
    "an empty object": b"{}",
    "an array": b"[1, 2]",
    "a number": b"42",
    "a null": b"null",
    "no JSON": b"play R7 left",
    "half a line": b'{"do": "play", "card"',
    "two objects": b'{"do": "pass"} {"do": "pass"}',
    "damaged UTF-8": b'{"do": "uno", "player": "\xff\xfe"}',
    "half a character": b'{"do": "uno", "player": "\\ud800"}',
    "a byte-order mark": b'\xef\xbb\xbf{"do": "pass"}',
    "a null byte": b'{"do": "uno", "player": "A\x00"}',
    "not a number": b'{"do": "join", "player": "Dee", "seat": NaN}',
    "infinity": b'{"do": "join", "player": "Dee", "seat": 1e999}',
    "a fraction": b'{"do": "join", "player": "Dee", "seat": 1.0}',
    "a truth value as a number": b'{"do": "join", "player": "Dee", "seat": true}',
    "a number without end": b'{"do": "join", "player": "Dee", "seat": ' + b"9" * 5000 + b"}",
    "deep nesting": b'{"do": ' + b"[" * 100_000,
    "deep nesting in a field": b'{"do": "uno", "player": ' + b'{"a":' * 100_000,
    "a million characters": b'{"do": "uno", "player": "' + b"x" * 1_000_000 + b'", "y": 1}',
    "two kinds of command": b'{"do": "uno", "do": "pass"}',
    "no kind of command": b'{"player": "Ann"}',
    "an unknown kind": b'{"do": "dance"}',
    "a kind that is no text": b'{"do": 7}',
    "a kind in capitals": b'{"do": "PASS"}',
    "an unknown field": b'{"do": "pass", "card": "R7"}',
    "a missing field": b'{"do": "uno"}',
}


@pytest.mark.parametrize("line", ODD_LINES.values(), ids=ODD_LINES.keys())
def test_an_odd_line_is_bad_input_and_the_stream_goes_on(line: bytes) -> None:
    started, odd, dealt = answers(START, line, DEAL)
    assert (odd["n"], odd["ok"], odd["error"]["code"]) == (2, False, "bad_input")
    assert odd["error"]["message"].endswith(".")
    assert len(odd["error"]["message"]) < 300
    assert odd["state"] == started["state"]
    assert dealt["ok"]
    assert dealt["n"] == 3


def test_blank_lines_and_remarks_are_skipped_and_not_counted() -> None:
    given = answers(b"", b"  \r\n", b"# a remark\n", START + b"\r\n", b"\n", DEAL)
    assert [answer["n"] for answer in given] == [1, 2]


def test_before_the_first_start_there_is_no_state() -> None:
    (answer,) = answers(DEAL)
    assert answer["error"]["code"] == "no_game"
    assert answer["state"] is None


def test_duplicate_fields_get_an_answer() -> None:
    (answer,) = answers(b'{"do": "uno", "player": "Ann", "player": "Bob"}')
    assert answer["error"]["code"] == "no_game"


def test_strict_stops_at_the_first_refusal() -> None:
    out = io.BytesIO()
    assert not referee_stream([START, b'{"do": "pass"}', DEAL], out, strict=True)
    assert len(out.getvalue().splitlines()) == 2
    assert referee_stream([START, DEAL], io.BytesIO(), strict=True)
    assert referee_stream([b"x"], io.BytesIO(), strict=False)


def referee(*arguments: str, **kwargs: Any) -> subprocess.CompletedProcess[bytes]:
    module = [sys.executable, "-m", "companion.cli", "referee", *arguments]
    return subprocess.run(module, capture_output=True, timeout=60, **kwargs)


def test_the_command_reads_a_file_and_says_by_its_exit_code_how_it_went(tmp_path: Path) -> None:
    """0 at the end of input, 1 at a refusal with --strict, 2 if there is no such file."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(START + b'\n{"do": "pass"}\n' + DEAL)
    done = referee(str(path))
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3)
    done = referee(str(path), "--strict")
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2)
    done = referee(str(tmp_path / "missing.jsonl"))
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_it_is_a_co_process() -> None:
    """Every answer is there before the next command is given."""
    module = [sys.executable, "-m", "companion.cli", "referee"]
    pipe = subprocess.PIPE
    with subprocess.Popen(module, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, line in enumerate((START, DEAL, b'{"do": "draw"}'), start=1):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["n"] == number
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def damaged(random: Random, line: bytes) -> bytes:
    """A line with a few bytes changed, lost, doubled or put elsewhere."""
    data = bytearray(line)
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(data)) if data else 0
        match random.randrange(4):
            case 0:
                data[place : place + 1] = bytes([random.randrange(256)])
            case 1:
                del data[place : place + random.randrange(1, 9)]
            case 2:
                data[place:place] = data[place : place + random.randrange(1, 9)]
            case _:
                data[place:place] = random.choice((b"null", b"-1", b'"', b"{}", b"\xff", b"1e9"))
    return bytes(data).replace(b"\n", b" ")


def nonsense(random: Random) -> bytes:
    """A well-formed object of the right words in the wrong places."""
    words = ["do", "card", "tray", "player", "left", "colour", "hands", "Ann", "Bob", "R7", "?"]
    values = [*words, None, True, -1, 3, 2.5, [], ["left"], {}, {"Ann": 1}, {"left": "R"}]
    doing = ["play", "draw", "deal", "spill", "hands", "correct", "drop", "uno", "meld", "colour"]
    given = {random.choice(words): random.choice(values) for _ in range(random.randrange(4))}
    return json.dumps({**given, "do": random.choice(doing)}).encode()


WALKS: dict[str, Callable[[Random, Any], dict[str, Any]]] = {
    "tippo": walk.command,
    "classic": one_pile_walk.command,
    "battle": one_pile_walk.command,
}


def fuzz_line(random: Random, stream: Stream, game: str, known: list[bytes]) -> bytes:
    """A damaged line, nonsense, or something sensible so that all phases are reached."""
    match random.randrange(8):
        case 0 | 1 | 2:
            return damaged(random, random.choice(known))
        case 3:
            return nonsense(random)
        case 4:
            return random.choice(known)
        case 5 if random.random() < 0.02:
            return START.replace(b"tippo", game.encode()).replace(b"}", b', "force": true}')
        case _ if stream.game is None or stream.game.state.game != game:
            return START.replace(b"tippo", game.encode()).replace(b"}", b', "force": true}')
        case _:
            return json.dumps(WALKS[game](random, stream.game.state)).encode()


@pytest.mark.parametrize("game", WALKS)
def test_20_000_damaged_and_random_lines_each_get_an_answer(game: str) -> None:
    """And a refusal harms nothing: the game is the very same value as before."""
    random = Random(20_000)
    known = [
        step.command.encode()
        for scenario in everything()
        if scenario.path.parent.name == game
        for step in scenario.steps
    ]
    stream = Stream()
    count = 0
    while count < 20_000:
        before = stream.game
        given = stream.answer(fuzz_line(random, stream, game, known))
        if given is None:
            continue
        count += 1
        text, ok = given
        if not ok:
            assert stream.game is before
        if count % 40 == 0:
            answer = json.loads(text)
            assert answer["n"] == count
            assert answer["ok"] is ok
            assert ok or answer["error"]["message"].endswith(".")
