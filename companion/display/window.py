"""The display itself: a pygame window or the whole screen, on which Screens are shown and tapped.

It never decides what is shown and never says what a tap does to the game.
"""

import os
import sys
import warnings
from collections.abc import Iterator

# pygame greets on standard output, and an old setuptools under it warns: neither is for players.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pygame

from companion.clock import Clock
from companion.display.backlight import Backlight
from companion.display.choice import Touch
from companion.display.frame import fit
from companion.display.keyboard import keyed
from companion.display.layout import lay_out
from companion.display.light import WANDER_S, Light, dark_scene
from companion.display.paint import Painter
from companion.display.scene import Scene
from companion.display.screen import Screen
from companion.display.touch import BOUNCE_S, GLIMPSE_S, Pressed, place_of, press
from companion.errors import DisplayError

FLASH_S = 0.15
"""So long a touched button is seen pressed."""

DEFAULT_SIZE = (800, 480)

HALF_LIGHT = (88, 84, 76)
"""What a dimmed picture is multiplied with where there is no light to turn down."""


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


def begin_video() -> None:
    """Chooses among the drivers that people can see. Raises pygame.error if there is none.

    Left to itself SDL ends with one that paints for nobody, and tries Wayland even where its
    library can only complain on standard error.
    """
    if os.environ.get("SDL_VIDEODRIVER") or sys.platform != "linux":
        pygame.display.init()
        return
    wayland = os.path.isabs(os.environ.get("XDG_RUNTIME_DIR", ""))
    os.environ["SDL_VIDEODRIVER"] = "x11,wayland,kmsdrm" if wayland else "x11,kmsdrm"
    try:
        pygame.display.init()
    finally:
        del os.environ["SDL_VIDEODRIVER"]


def _open(size: tuple[int, int], *, fullscreen: bool) -> None:
    if os.environ.get("DISPLAY"):
        # Else SDL brings in OpenGL for a plain window: 90 MB that are worth nothing here.
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
    try:
        begin_video()
        flags = pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE
        pygame.display.set_mode((0, 0) if fullscreen else size, flags)
    except pygame.error as error:
        raise DisplayError(
            f"No window can be opened ({error}): connect a screen, or play in the terminal "
            "with --headless."
        ) from None


class Display:
    """One window. `show` paints, `touches` says what was tapped since the last call."""

    def __init__(
        self,
        clock: Clock,
        *,
        size: tuple[int, int] | None = None,
        fullscreen: bool = False,
        turn: int = 0,
        backlight: Backlight | None = None,
    ) -> None:
        """Opens the window; the picture on it is turned by ``turn`` degrees (0, 90, 180, 270)
        clockwise.

        Raises:
            DisplayError: there is no screen to open it on.
        """
        self._clock = clock
        self._turn = turn
        self._backlight = backlight or Backlight()
        self._light, self._lit = Light.FULL, True
        self._scene: Scene | None = None
        self._gone: tuple[tuple[float, Scene], ...] = ()
        self._shown: tuple[Screen, Light, int] | None = None
        self._last: Pressed | None = None
        self._was_flashing = False
        self.closed = False
        """True once people have closed the window."""
        self.stirred = False
        """True if somebody touched the display, anywhere, before the last `touches`."""
        _open(size or DEFAULT_SIZE, fullscreen=fullscreen)
        pygame.display.set_caption("Tippo companion")
        pygame.display.set_allow_screensaver(False)
        pygame.mouse.set_visible(not fullscreen)
        self._fit_to_panel()

    @property
    def size(self) -> tuple[int, int]:
        """Of the picture, in pixels."""
        return self._picture.get_size()

    def show(self, screen: Screen, light: Light = Light.FULL) -> None:
        """Shows a screen; costs nothing if it is shown already."""
        now = self._clock.mono()
        flashing = self._last is not None and now - self._last.at_s < FLASH_S
        wandered = int(now / WANDER_S) if light is Light.DARK else 0
        shown = (screen, light, wandered)
        if shown == self._shown and not flashing and not self._was_flashing:
            return
        self._let_go(screen, now)
        self._scene = lay_out(screen, self._frame)
        scene = dark_scene(screen, self._frame, now) if light is Light.DARK else self._scene
        pressed = self._last.box if self._last is not None and flashing else None
        self._painter.paint(scene, self._picture, pressed)
        if self._light is not light:
            self._light, self._lit = light, self._backlight.show(light)
        if light is Light.DIM and not self._lit:
            self._picture.fill(HALF_LIGHT, special_flags=pygame.BLEND_MULT)
        self._shown = shown
        self._was_flashing = flashing
        if self._turn:
            self._panel.blit(pygame.transform.rotate(self._picture, -self._turn), (0, 0))
        pygame.display.flip()

    def touches(self) -> list[Touch]:
        """What was tapped since the last call, in order."""
        touches: list[Touch] = []
        self.stirred = False
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (
                event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE
            ):
                self.closed = True
            elif event.type == pygame.VIDEORESIZE:
                self._fit_to_panel()
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
                self._shown = None
            else:
                touches += self._meant(event)
        return touches

    def close(self) -> None:
        """Closes the window and leaves the light as it was; may be called twice."""
        self._backlight.show(Light.FULL)
        pygame.display.quit()

    def _let_go(self, screen: Screen, now: float) -> None:
        """Remembers for a glimpse what is shown no more, if no tap has sent it away."""
        kept = [old for old in self._gone if now - old[0] < GLIMPSE_S]
        changed = self._shown is not None and self._shown[0] != screen
        tapped = self._last is not None and now - self._last.at_s < BOUNCE_S
        if changed and not tapped and self._scene is not None:
            kept.append((now, self._scene))
        self._gone = tuple(kept)

    def _meant(self, event: pygame.event.Event) -> Iterator[Touch]:
        self._point(event)
        pressed = self._pressed(event)
        if pressed is not None:
            self._last = pressed
            yield pressed.touch
        typed = None if self._scene is None else keyed(event, self._scene)
        if typed is not None:
            self.stirred = True
            yield typed

    def _point(self, event: pygame.event.Event) -> None:
        """The arrow is seen while a mouse moves, and not while fingers touch."""
        if event.type == pygame.FINGERDOWN:
            pygame.mouse.set_visible(False)
        elif event.type == pygame.MOUSEMOTION and not event.touch:
            pygame.mouse.set_visible(True)

    def _pressed(self, event: pygame.event.Event) -> Pressed | None:
        place = place_of(event, self._panel.get_size(), self._turn)
        if place is None or self._scene is None:
            return None
        self.stirred = True
        now = self._clock.mono()
        gone = [scene for at_s, scene in self._gone if now - at_s < GLIMPSE_S]
        return press(self._scene, place, self.size, now, self._last, gone)

    def _fit_to_panel(self) -> None:
        """The window is new or has another size."""
        panel = pygame.display.get_surface()
        assert panel is not None
        self._panel = self._picture = panel
        if self._turn in (90, 270):
            wide, high = panel.get_size()
            self._picture = pygame.Surface((high, wide))
        elif self._turn:
            self._picture = pygame.Surface(panel.get_size())
        self._frame = fit(self.size)
        self._painter = Painter(self.size, self._frame.scale)
        self._shown = None
