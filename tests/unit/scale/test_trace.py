"""A trace is read as its format says, or refused with the number of the line that breaks it."""

import gzip
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main, tippo
from companion.errors import BadInput
from companion.events import Sample
from companion.scale.trace import read_trace
from companion.units import Counts, MonoSeconds
from tests.unit.scale.kit import rows, step, still

HEADER = "t,left,right,tilt\n"
CALIBRATION = """card_g = 1.8
[left]
zero = 83211
counts_per_gram = 1540.0
[right]
zero = -40122
counts_per_gram = 1540.0
"""


def _read(tmp_path: Path, text: str, *, with_deck: bool = False) -> list[Sample]:
    path = tmp_path / "samples.csv"
    path.write_bytes(text.encode())
    return list(read_trace(path, with_deck=with_deck))


def test_rows_are_read_as_they_stand(tmp_path: Path) -> None:
    """Empty cells are None, the ends of the range are numbers like any other."""
    samples = _read(tmp_path, HEADER + "0.5,12,,0\n0.5,,-8388608,1\n1,8388607,0,0\n")
    assert samples == [
        Sample(mono_s=MonoSeconds(0.5), left=Counts(12), tilt=False),
        Sample(mono_s=MonoSeconds(0.5), right=Counts(-8388608), tilt=True),
        Sample(mono_s=MonoSeconds(1.0), left=Counts(8388607), right=Counts(0), tilt=False),
    ]


@pytest.mark.parametrize("row", ["+0.6,1,2,0", ".6,01,2,0", "6e-1,1,2,0", "0.60,1,2,0"])
def test_a_number_may_be_spelled_as_the_format_allows(tmp_path: Path, row: str) -> None:
    """It is the same number, and the rows around it stay what they are."""
    around = "0.5,,-2,1\n{}\n0.7,3,,0\n"
    spelled = _read(tmp_path, HEADER + around.format(row))
    assert spelled == _read(tmp_path, HEADER + around.format("0.6,1,2,0"))


def test_lines_may_end_as_windows_ends_them(tmp_path: Path) -> None:
    """CRLF changes nothing."""
    plain = HEADER + "0.5,12,,0\n1e3,,-5,1\n"
    assert _read(tmp_path, plain.replace("\n", "\r\n")) == _read(tmp_path, plain)


def test_a_deck_has_a_column_of_its_own(tmp_path: Path) -> None:
    """It may be empty like the others."""
    samples = _read(tmp_path, "t,left,right,tilt,deck\n1,2,3,0,4\n2,,,1,\n", with_deck=True)
    assert [sample.deck for sample in samples] == [4, None]


@pytest.mark.parametrize("tail", ["0.7,1", "0.7,1,2,0", "rubbish"])
def test_a_last_line_cut_short_is_passed_over(tmp_path: Path, tail: str) -> None:
    """A pulled plug leaves half a line."""
    assert len(_read(tmp_path, HEADER + "0.5,12,,0\n" + tail)) == 1


def test_a_compressed_trace_is_read(tmp_path: Path) -> None:
    """As if it were not compressed."""
    path = tmp_path / "samples.csv.gz"
    path.write_bytes(_packed(5000))
    assert len(list(read_trace(path, with_deck=False))) == 5000


@pytest.mark.parametrize(
    "row",
    [
        "0.6,1,2", "0.6,1,2,0,4", "", "nan,1,2,0", "inf,1,2,0", "1e999,1,2,0", ",1,2,0",
        "0.4,1,2,0", "x,1,2,0", "0.6,1.5,2,0", "0.6,8388608,2,0", "0.6,-8388609,2,0",
        "0.6,1_0,2,0", "0.6, 1,2,0", "0.6,+1,2,0", "0.6,\u0663,2,0", "0.6,1,2,", "0.6,1,2,2",
        "0.6,1,2,00", "0.6,1,2,true", "1_0,1,2,0", "0.6,99999999999999999999999999,2,0",
        "0.6,1,2\r,0", "9" * 400 + ",1,2,0", "-" + "9" * 400 + ",1,2,0",
        "0.6,-,2,0", "0.6,--1,2,0", "0.6;1;2;0", "0.6,1,2,-0", "0.6,1e3,2,0", "0.6,null,2,0",
        "[0.6,1,2,0]", "0.6,1,2,0],[0.65,1,2,0",
    ],
)  # fmt: skip
def test_a_row_that_breaks_the_format_is_refused_with_its_line(tmp_path: Path, row: str) -> None:
    """The header is line 1; the rows before it were read."""
    path = tmp_path / "samples.csv"
    path.write_bytes((HEADER + "0.5,1,2,0\n" + row + "\n0.7,1,2,0\n").encode())
    samples = read_trace(path, with_deck=False)
    assert next(samples).mono_s == 0.5
    with pytest.raises(BadInput) as refused:
        next(samples)
    assert refused.value.line == 3


@pytest.mark.parametrize(
    ("header", "with_deck"),
    [
        ("", False), ("t,left,right\n", False), ("t,right,left,tilt\n", False),
        ("0.5,1,2,0\n", False), ("t,left,right,tilt,deck\n", False), (HEADER, True),
        ("t,left,right,tilt\r\r\n", False), ("t,left,right,tilt,deck,more\n", True),
        ("T,left,right,tilt\n", False),
    ],
)  # fmt: skip
def test_another_header_is_refused_as_line_1(tmp_path: Path, header: str, with_deck: bool) -> None:
    """So is a deck that only one of trace and calibration knows."""
    with pytest.raises(BadInput) as refused:
        _read(tmp_path, header, with_deck=with_deck)
    assert refused.value.line == 1


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    """No file is so broken that it has no line number."""
    path = tmp_path / "samples.csv"
    path.write_bytes(HEADER.encode() + b"0.5,1,2,0\n0.6,\xff\xfe,2,0\n")
    with pytest.raises(BadInput) as refused:
        list(read_trace(path, with_deck=False))
    assert refused.value.line == 3


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """In one sentence that names it."""
    with pytest.raises(BadInput, match=r"nowhere\.csv"):
        list(read_trace(tmp_path / "nowhere.csv", with_deck=False))


def _packed(rows: int) -> bytes:
    """Rows that do not pack well, so that a damage anywhere hits some of them."""
    rng = random.Random(rows)
    lines = (f"{i},{rng.randrange(-(2**23), 2**23)},,0\n" for i in range(rows))
    return gzip.compress((HEADER + "".join(lines)).encode(), mtime=0)


@pytest.mark.parametrize("cut", [1, 4, 9, 5000])
def test_a_compressed_trace_whose_end_is_missing_is_read_to_there(tmp_path: Path, cut: int) -> None:
    """A pulled plug takes the end of the file, checksum and all: that is no damage."""
    path = tmp_path / "samples.csv.gz"
    path.write_bytes(_packed(6_000)[:-cut])
    samples = list(read_trace(path, with_deck=False))
    assert 4_000 < len(samples) <= 6_000
    assert samples[-1].mono_s == MonoSeconds(len(samples) - 1)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
def test_a_damaged_compressed_trace_is_refused_where_its_text_ends(
    tmp_path: Path, share: float
) -> None:
    """The rows before the damage are read, and the line is named from which on none can be."""
    path = tmp_path / "samples.csv.gz"
    packed = bytearray(_packed(6_000))
    at = int(share * len(packed))
    packed[at : at + 40] = bytes(40)
    path.write_bytes(packed)
    good: list[Sample] = []
    with pytest.raises(BadInput) as refused:
        good.extend(read_trace(path, with_deck=False))
    assert refused.value.line == len(good) + 2
    assert (share - 0.2) * 6_000 < len(good) < (share + 0.2) * 6_000


@pytest.mark.parametrize("content", [HEADER.encode() * 3, bytes(30)])
def test_a_file_that_is_no_gzip_is_refused_as_line_1(tmp_path: Path, content: bytes) -> None:
    """Its name promises one."""
    path = tmp_path / "samples.csv.gz"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="gzip") as refused:
        list(read_trace(path, with_deck=False))
    assert refused.value.line == 1


def _files(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "samples.csv").write_text(text)
    (tmp_path / "cal.toml").write_text(CALIBRATION)
    return ["judge", str(tmp_path / "samples.csv"), "--calibration", str(tmp_path / "cal.toml")]


def _trace() -> str:
    lines = (f"{s.mono_s:.4f},{s.left},{s.right},0\n" for s in rows(step(3, 1.8), still, 5))
    return HEADER + "".join(lines)


def test_tippo_judge_writes_a_line_of_json_for_each_event(tmp_path: Path) -> None:
    """With the names and fields of the public format."""
    done = CliRunner().invoke(tippo, _files(tmp_path, _trace()))
    assert done.exit_code == 0
    (event,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert event["event"] == "placed"
    assert {"t", "decided", "tray", "count", "grams", "sure", "reasons"} <= set(event)
    assert (event["tray"], event["count"], event["sure"]) == ("left", 1, True)


def test_events_already_written_stand_when_a_row_is_refused(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The sentence goes to standard error, the exit code is 2."""
    with pytest.raises(SystemExit) as done:
        main(_files(tmp_path, _trace() + "rubbish\n"))
    assert done.value.code == 2
    out, err = capfdbinary.readouterr()
    assert b'"placed"' in out
    assert b"line " in err
    assert err.count(b"\n") == 1
