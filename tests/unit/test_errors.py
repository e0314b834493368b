"""An error's sentence says what is wrong, and after a colon what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import in_two


@given(says=st.text("ab (", max_size=20), foreign=st.text("xy: '/[]13", max_size=20))
def test_what_somebody_else_has_said_stays_in_one_piece(says: str, foreign: str) -> None:
    """Whatever colons a system or a library puts into its own words."""
    says = says.replace("(", "")
    wrong = f"{says}({foreign})"
    assert in_two(f"{wrong}: mend it: at once") == (wrong, "mend it: at once")


@pytest.mark.parametrize("sentence", ["", "it is gone", "gone (Errno 13: denied)", "at 12:30"])
def test_a_sentence_may_say_only_what_is_wrong(sentence: str) -> None:
    assert in_two(sentence) == (sentence, "")
