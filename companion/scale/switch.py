"""The tilt switch: its bounce taken out, its past kept.

It never decides that the scale tipped: a switch can be stuck or chatter on a level scale.
"""

CLOSES_AFTER_S = 0.05
"""Contacts of rolling-ball and mercury switches bounce for 5-20 ms."""
OPENS_AFTER_S = 0.1


class TiltSwitch:
    """A debounced switch: it integrates the time spent closed, so that bounce only delays it."""

    __slots__ = ("_fill", "_now_s", "_raw", "closed", "closed_at_s", "opened_at_s", "seen")

    def __init__(self) -> None:
        self.closed = False
        self.closed_at_s = float("-inf")
        """When the last closing began (the first contact, not the end of its bounce)."""
        self.opened_at_s = float("-inf")
        self.seen = False
        self._raw = False
        self._fill = 0.0
        self._now_s = float("-inf")

    @property
    def calm(self) -> bool:
        """True if it is open and was open long enough that nothing is pending."""
        return not self._raw and self._fill == 0.0

    def take(self, now_s: float, raw: bool) -> bool:
        """Takes its raw state at a moment; True if the debounced state changed."""
        if self.seen and not raw and self.calm:
            self._now_s = now_s
            return False
        if not self.seen:
            self.seen = True
            self._now_s = now_s
            if raw:
                self._fill, self.closed, self.closed_at_s = 1.0, True, now_s
            self._raw = raw
            return False
        dt = now_s - self._now_s
        self._now_s = now_s
        if self._raw:
            self._fill = min(1.0, self._fill + dt / CLOSES_AFTER_S)
        else:
            self._fill = max(0.0, self._fill - dt / OPENS_AFTER_S)
        was_closed = self.closed
        # Before the edges are looked at: between two rows it may have closed, or opened, for good.
        if self._fill in (0.0, 1.0):
            self.closed = self._fill == 1.0
        if raw and not self._raw and self._fill == 0.0:
            self.closed_at_s = now_s
        if not raw and self._raw and self._fill == 1.0:
            self.opened_at_s = now_s
        self._raw = raw
        return self.closed is not was_closed
