"""From the keys of a keyboard to what a tap on the scene that is shown would have meant.

It never changes a scene, and hears nothing where nothing can be typed.
"""

from collections.abc import Sequence

import pygame

from companion.display.choice import Tone, Touch
from companion.display.scene import Key, Scene
from companion.display.wishes import Digit, Gesture, Letter


def keyed(event: pygame.event.Event, scene: Scene) -> Touch | None:
    """The touch that a key stands for; None for other events, and where nothing can be typed.

    Letters and digits are typed, Backspace erases, Return is the main key of the screen.
    """
    if event.type not in (pygame.TEXTINPUT, pygame.KEYDOWN):
        return None
    touches = [item.touch for item in scene.items if item.touch is not None]
    if not any(isinstance(touch, Letter | Digit) for touch in touches):
        return None
    if event.type == pygame.TEXTINPUT:
        return _typed(event.text, touches)
    if event.key == pygame.K_BACKSPACE:
        return Gesture.ERASE if Gesture.ERASE in touches else None
    if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
        return next((item.touch for item in scene.items if _is_main(item.part)), None)
    return None


def _typed(text: str, touches: Sequence[Touch]) -> Touch | None:
    """A keyboard has letters that the one on the display has no room for."""
    letters = any(isinstance(touch, Letter) for touch in touches)
    if letters and len(text) == 1 and (text.isalpha() or Letter(text) in touches):
        return Letter(text)
    return Digit(text) if Digit(text) in touches else None


def _is_main(part: object) -> bool:
    return isinstance(part, Key) and part.tone is Tone.MAIN
