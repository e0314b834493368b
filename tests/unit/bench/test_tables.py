"""Replayed tables beside their truth: what counts as wrong, and which went worst."""

from companion.bench.tables import Compared, worst


def compared(seed: int, payers: str, scores: tuple[str, ...] = ("Ann 5 5",)) -> Compared:
    """A table with a payer a letter, where the truth says "aa" and one score."""
    return Compared(seed, (tuple("aa"), tuple(payers)), ((), ()), (("Ann 5 5",), scores), 0)


def test_a_missing_payer_is_as_wrong_as_another() -> None:
    """A spill that nobody paid for counts, and so does one that never was."""
    assert [compared(1, payers).wrong_payers for payers in ("aa", "ab", "a", "aab")] == [0, 1, 1, 1]


def test_a_play_too_many_shifts_none_after_it() -> None:
    """One that was taken back and told again is one difference."""
    plays = (("a", "b", "c", "d"), ("a", "b", "b", "c", "d"))
    assert Compared(1, ((), ()), plays, ((), ()), 0).wrong_plays == 1


def test_a_table_without_its_last_scores_has_lost_the_thread() -> None:
    """The evening went on without it."""
    assert compared(1, "aa", scores=()).lost
    assert not compared(1, "aa").lost


def test_the_worst_tables_are_named_with_what_they_are_made_from() -> None:
    """Anyone can make and look at them again; tables without a difference are not named."""
    lines = worst([compared(3, "aa"), compared(18, "ab"), compared(9, "bb", scores=())])
    assert [line.split(": ")[1] for line in lines] == [
        "seed 9 (2 people, 10 SPS, full)",
        "seed 18 (2 people, 80 SPS, quick)",
    ]
    assert "not played to its end" in lines[0]
