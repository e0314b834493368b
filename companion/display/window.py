"""The display itself: a pygame window or the whole screen, on which Screens are shown and tapped.

It never decides what is shown and never says what a tap does to the game.
"""

import os
import sys
import warnings

# pygame greets on standard output, and an old setuptools under it warns: neither is for players.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pygame

from companion.clock import Clock
from companion.display.frame import fit
from companion.display.layout import lay_out
from companion.display.paint import Painter
from companion.display.scene import Scene
from companion.display.screen import Screen, Touch
from companion.display.touch import Pressed, place_of, press
from companion.errors import DisplayError

FLASH_S = 0.15
"""So long a touched button is seen pressed."""

DEFAULT_SIZE = (800, 480)


def available() -> bool:
    """True if a window can be opened here: a desktop, or a Pi's own screen without one."""
    if os.environ.get("SDL_VIDEODRIVER"):
        return os.environ["SDL_VIDEODRIVER"] != "dummy"
    if sys.platform != "linux":
        return True
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return _has_own_screen()


def _has_own_screen() -> bool:
    """A console with a connected screen, as on a Pi that starts without a desktop."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    try:
        cards = os.listdir("/sys/class/drm")
    except OSError:
        return False
    for card in cards:
        try:
            with open(f"/sys/class/drm/{card}/status", encoding="ascii") as status:
                if status.read().strip() == "connected":
                    return True
        except OSError:
            continue
    return False


class Display:
    """One window. `show` paints, `touches` says what was tapped since the last call."""

    def __init__(
        self, clock: Clock, *, size: tuple[int, int] | None = None, fullscreen: bool = False
    ) -> None:
        """Opens the window.

        Raises:
            DisplayError: there is no screen to open it on.
        """
        self._clock = clock
        self._scene: Scene | None = None
        self._shown: Screen | None = None
        self._last: Pressed | None = None
        self._was_flashing = False
        self.closed = False
        """True once people have closed the window."""
        if os.environ.get("DISPLAY"):
            # Else SDL brings in OpenGL for a plain window: 90 MB that are worth nothing here.
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        try:
            pygame.display.init()
            flags = pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE
            self._surface = pygame.display.set_mode(
                (0, 0) if fullscreen else size or DEFAULT_SIZE, flags
            )
        except pygame.error as error:
            raise DisplayError(
                f"No window can be opened ({error}): connect a screen, or play in the terminal "
                "with --headless."
            ) from None
        pygame.display.set_caption("Tippo companion")
        pygame.mouse.set_visible(not fullscreen)
        self._painter = self._new_painter()

    @property
    def size(self) -> tuple[int, int]:
        """In pixels."""
        return self._surface.get_size()

    def show(self, screen: Screen) -> None:
        """Shows a screen; costs nothing if it is shown already."""
        now = self._clock.mono()
        flashing = self._last is not None and now - self._last.at_s < FLASH_S
        if screen == self._shown and not flashing and not self._was_flashing:
            return
        self._scene = lay_out(screen, fit(self.size))
        self._shown = screen
        pressed = self._last.box if self._last is not None and flashing else None
        self._was_flashing = flashing
        self._painter.paint(self._scene, self._surface, pressed)
        pygame.display.flip()

    def touches(self) -> list[Touch]:
        """What was tapped since the last call, in order."""
        touches: list[Touch] = []
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (
                event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE
            ):
                self.closed = True
            elif event.type == pygame.VIDEORESIZE:
                self._painter = self._new_painter()
                self._shown = None
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
                self._shown = None
            else:
                pressed = self._pressed(event)
                if pressed is not None:
                    self._last = pressed
                    touches.append(pressed.touch)
        return touches

    def close(self) -> None:
        """Closes the window; may be called twice."""
        pygame.display.quit()

    def _pressed(self, event: pygame.event.Event) -> Pressed | None:
        place = place_of(event, self.size)
        if place is None or self._scene is None:
            return None
        return press(self._scene, place, self.size, self._clock.mono(), self._last)

    def _new_painter(self) -> Painter:
        self._surface = pygame.display.get_surface()
        return Painter(self.size, fit(self.size).scale)
