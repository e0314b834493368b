"""The rules by number, each in one sentence for people who ask "why?".

It never decides anything: the referees cite these numbers in their rulings and refusals.
"""

from collections.abc import Mapping
from types import MappingProxyType

RULES: Mapping[str, str] = MappingProxyType(
    {
        # --- common to the UNO games ---
        "U1": "You may call UNO from the moment it is your turn with two cards until nobody may "
        "catch you any more; without a play the call lapses when the turn ends.",
        "U2": "Whoever calls UNO late, but before being caught, is safe.",
        "U3": "You can be caught until the next player to act has played or drawn.",
        "U4": "Anyone may catch; the first tap counts.",
        "U5": "A false catch or a false call is refused.",
        "U6": "Back at one card later, you must call again; getting to one card by any other way "
        "than a discard needs no call.",
        "U7": "After the last card nobody can be caught any more.",
        "U8": "Whoever is caught without having called UNO draws cards.",
        "U9": "With two players a Reverse works as a Skip.",
        "U10": "With two players, after a Skip, a Draw Two or a Wild Draw Four the same player "
        "plays again.",
        "U11": "Draw cards are not stacked or bounced on.",
        "U12": "A card that does not fit, or out of turn, is taken back.",
        "U13": "You may draw although you could play: hands are hidden.",
        "U14": "A turn's draw is one card.",
        "U15": "After a draw only the drawn card may be played, or you pass.",
        "U16": "When the last card is a Draw Two or a Wild Draw Four, the next player draws "
        "first, and those cards are counted.",
        "U17": "For the next round the deal passes to the left and play goes to the left again.",
        "U18": "Whoever draws the highest number deals; symbols count zero.",
        "U19": "When a player leaves, their cards go under the draw pile and their turn passes on.",
        "U20": "Players join between rounds, with a score of 0.",
        "U21": "The first to reach the target after a round wins the game.",
        "U22": "When the piles cannot supply a draw, what is there is drawn and the rest lapses.",
        # --- Tippo ---
        "T1": "Tippo has 112 cards, 20 of them Stop cards with the numbers 1 to 5.",
        "T2": "A Wild Draw Four may be played although you hold the colour.",
        "T3": "A wild's colour counts for the tray on which it lies.",
        "T4": "The action of a start card is ignored; its colour and symbol still count.",
        "T5": "The first player names the colour of a wild that lies at the start.",
        "T6": "Stop cards among the start cards count at once.",
        "T7": "A drawn card may go in either open tray where it fits.",
        "T8": "A card must match the colour, number or symbol of the tray in which it is played.",
        "T11": "A tray that is stopped takes no card but a Wild, Wild Draw Four or Tilt.",
        "T12": "A visible Stop is covered by a matching Stop card, a matching action card or a "
        "wild, never by a plain number.",
        "T13": "When one of two visible Stops is covered, the other stops its tray at once.",
        "T14": "A wild on the only visible Stop opens that tray.",
        "T15": "A Stop in the open tray while the other is stopped opens both.",
        "T16": "A number card and the Stop card of the same number are two different cards.",
        "T21": "The last player who made a play pays for a spill: a discard, or the draw of "
        "their own turn.",
        "T22": "A draw that a card or a penalty forces is not a play: whoever played stays liable.",
        "T23": "You stay liable until the next discard or draw; a card that tips the scale while "
        "it is put down is its player's play.",
        "T24": "Whoever bumps the table, the last player pays, unless the table agrees that it "
        "was nobody's fault.",
        "T25": "A card that slides off although the scale never tipped is put back; nobody pays.",
        "T26": "It is a spill when at least one card left a tray because the scale tipped; "
        "tipping alone is a wobble.",
        "T27": "After a spill the top two cards of each pile go back in their trays; all others "
        "are set aside.",
        "T28": "Nobody pays for a spill before anyone has made a play in the round.",
        "T29": "After a reset the card that was on top is visible again, and its colour and Stop "
        "count.",
        "T30": "When an action card spills the scale, its effect stands and the penalty is added.",
        "T31": "When a wild spills the scale, its colour is still named.",
        "T32": "Whoever spills the scale with the last card draws and is not out.",
        "T33": "After a last card the round is over when the scale has rested.",
        "T34": "Cards drawn for a spill end the one-card state: UNO is no longer due.",
        "T35": "Whoever pays for a spill draws two cards and loses no turn.",
        "T36": "In a Tilt challenge the player after the one who played it drops first, that "
        "player last, and so on round and round.",
        "T37": "When the Tilt card itself tips the scale its player pays, and nobody drops cards.",
        "T38": "Cards dropped in a Tilt challenge need no match and go in the Tilt card's tray.",
        "T39": "Cards dropped in a Tilt challenge have no effect, but for the last one.",
        "T40": "After a Tilt challenge the player after whoever tipped the scale is next, and "
        "follows the last card.",
        "T41": "When a Tilt challenge ends on a wild, the next player names its colour.",
        "T44": "When nothing is left to draw in a Tilt challenge it ends and nobody pays.",
        "T45": "It is the same when the other tray spills.",
        "T46": "With a Tilt as the last card you are out only if someone else tips the scale.",
        "T49": "When the draw pile is empty the cards set aside are reshuffled, then those below "
        "the top two of each tray; else the draw lapses and the turn passes.",
        "T50": "Numbers count their value, Draw Two, Reverse and Skip 20, wilds and Tilt 50, all "
        "for the one who went out.",
        # --- Classic ---
        "C1": "Classic has 108 cards.",
        "C2": "With a Reverse as the start card the dealer goes first, then play goes right.",
        "C3": "With a Wild as the start card the player left of the dealer names the colour.",
        "C4": "A Draw Two or Skip as the start card hits the player left of the dealer.",
        "C5": "A Wild Draw Four is no start card: return it and turn up another.",
        "C6": "A Wild Draw Four is illegal if its player holds a card of the colour in force.",
        "C7": "On a wild the colour that was called is in force.",
        "C8": "The player on whom a Wild Draw Four was played may challenge it before drawing.",
        "C9": "Guilty: whoever played it draws four, and the challenger plays a normal turn.",
        "C10": "Innocent: the challenger draws six and loses the turn.",
        "C11": "A Wild Draw Four as the last card can be challenged; guilty is not out.",
        "C28": "When the draw pile is empty all discards but the top card are reshuffled.",
        "C29": "When both piles are empty draws lapse and the turn passes.",
        "C31": "In running scores everyone counts their own cards, and the lowest total wins.",
        # --- Battle ---
        "H1": "Battle has the 108 cards of Classic; they are turned up until a number lies there.",
        "H2": "The table decides who starts round 1; later the winner of the last round starts.",
        "H3": "Unable to play you draw one card, and play it if you can.",
        "H4": "Whoever forgets UNO draws two when the next player plays or draws.",
        "H5": "Whoever finishes on a penalty card draws two and plays on; its effect applies.",
        "H6": "After a steal play goes on with the player after the stealer.",
        "H7": "A stolen card's effect counts from the stealer; +2 and +4 add up.",
        "H8": "With a 0 you may follow any 0, your own too.",
        "H9": "A +4 may steal a +4, a Wild a Wild outside battle mode; the stealer names the "
        "colour.",
        "H10": "With one card in hand you cannot steal.",
        "H11": "When both put a card down at once, the card of the player on turn stands.",
        "H12": "A card can be stolen until the next card lies or the draw is finished.",
        "H14": "Stolen from while drawing a battle's cards, you keep those drawn and the rest "
        "passes on.",
        "H15": "In battle mode any +2 or +4, Swap or Block answers, whatever the colour.",
        "H16": "In battle mode Swap sends the total back, Block passes it on.",
        "H18": "In battle mode a Wild is no first answer; later it sends the total to the player "
        "with the lowest score.",
        "H21": "Unable to answer you draw the total, then it is your turn.",
        "H23": "With two players Swap works as Block.",
        "H24": "Everyone keeps the points of their own hand; at 100 the lowest total wins.",
        "H27": "A tie for first or last place is played off.",
        "H28": "In sudden death only a 0 steals, Block and Swap skip the opponent, and in battle "
        "mode they hand the turn over.",
        # --- Rummy Up ---
        "R1": "Rummy Up has 100 tiles; every 2 is a Draw Two, 5 a Skip, 7 a Reverse.",
        "R2": "The four face-up tiles lie loose until they are used in a meld, and stay in one.",
        "R3": "A wild among them may be used as any tile and has no effect.",
        "R5": "After a draw only the drawn tile may be played from the rack.",
        "R6": "At most four tiles from the rack may be played in a turn.",
        "R7": "A board that is not legal is refused and stays as it was.",
        "R9": "There is no first meld of 30 points.",
        "R10": "An action tile from the rack acts, one effect for each run or set.",
        "R11": "Of several effects in a turn Reverse comes first, then draws, then skips.",
        "R13": "A wild that stands for a 2, 5 or 7 has only its own effect.",
        "R14": "With two players a Reverse works as a Skip.",
        "R16": "A wild that is moved leaves its place to the exact tile.",
        "R17": "A freed wild lies on the board at the end of the turn and has no effect.",
        "R18": "A set holds one wild at most; in a run two wilds are never neighbours.",
        "R20": "A run has at least three tiles and does not wrap; a set has three or four colours.",
        "R22": "Only the next player may catch, before touching a tile.",
        "R24": "A last tile's draw effect is drawn before the count.",
        "R25": "With an empty pool play goes on without drawing; when all pass the round ends.",
        "R28": "Tiles 2, 5 and 7 count 20, a wild 50, others their value.",
    }
)


def sentence(rule: str) -> str:
    """The sentence of a rule, or an empty one for a number that no rule has."""
    return RULES.get(rule, "")
