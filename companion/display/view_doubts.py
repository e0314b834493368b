"""A question of the table as people see it: what is in doubt, and what each answer means.

It never decides what is asked.
"""

from companion.display.bodies import ChoicesBody
from companion.display.choice import Choice
from companion.display.screen import Screen
from companion.display.view_round import MENU
from companion.display.view_table import calls_of
from companion.games.referee import State
from companion.table.hearing import NEW_CARD, PUT_BACK
from companion.table.in_step import IT_TIPPED, IT_WAITS, NEVER_DOWN, NO, YES
from companion.table.outcomes import Doubt, Question
from companion.table.setting_up import AS_IT_IS, PUT_RIGHT
from companion.table.table import Table
from companion.table.taps import AnswerTap

UNSURE = {
    Doubt.FELL_OUT: "The scale tipped, but what it felt is not clear.",
    Doubt.CARD_OR_HAND: "Something touched the tray, and it was not clear whether it stayed.",
    Doubt.NEW_OR_PUT_BACK: "A card had slid off just before.",
    Doubt.TIPPED_BY_IT: "It was named about when the scale fell.",
    Doubt.WHO_TIPPED: "It tipped, and no card was felt that may have done it.",
    Doubt.UNSEEN: "It was named, and the next card had a name of its own.",
    Doubt.RESET: "The scale stands still, but not as it should after a spill.",
}
"""What the table knows."""

MEANS = {
    (Doubt.FELL_OUT, NO): "it was no spill, nobody pays",
    (Doubt.CARD_OR_HAND, YES): "a card lies there",
    (Doubt.CARD_OR_HAND, NO): "it was only a hand",
    (Doubt.NEW_OR_PUT_BACK, PUT_BACK): "as it lay before",
    (Doubt.NEW_OR_PUT_BACK, NEW_CARD): "somebody has played it",
    (Doubt.TIPPED_BY_IT, IT_WAITS): "whoever played before pays",
    (Doubt.TIPPED_BY_IT, IT_TIPPED): "whoever named it pays",
    (Doubt.WHO_TIPPED, NO): "it fell by itself: whoever played before pays",
    (Doubt.WHO_TIPPED, YES): "it is their play, and they pay",
    (Doubt.UNSEEN, NEVER_DOWN): "it is no play, the turn is another's",
    (Doubt.RESET, PUT_RIGHT): "play goes on once the scale feels the right cards",
    (Doubt.RESET, AS_IT_IS): "play goes on",
}
"""What follows from each answer."""


def question_screen(table: Table, state: State, question: Question) -> Screen:
    """One question and large answers; the first is taken to be true meanwhile."""
    choices = tuple(
        Choice(
            answer[:1].upper() + answer[1:],
            AnswerTap(question=question.number, answer=answer),
            note=_meaning(table, question, answer),
        )
        for answer in question.answers
    )
    body = ChoicesBody(UNSURE[question.doubt], choices)
    return Screen(question.text, body, MENU, calls=calls_of(state))


def _meaning(table: Table, question: Question, answer: str) -> str:
    if question.doubt is Doubt.FELL_OUT and answer == YES:
        spill = next((spill for spill in table.spills if spill.number == question.act), None)
        payer = spill.payer if spill is not None else None
        return f"{payer} pays" if payer else "nobody pays"
    return MEANS.get((question.doubt, answer), "")
