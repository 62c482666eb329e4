"""Messages to one account, as its pages take them: where to go, what is new, who waits for the same match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from guessio import bus
from guessio.live import painting
from guessio.live.stream import html, named
from guessio.rules.terms import AccountId
from guessio.services import achievements, play


@dataclass(frozen=True, slots=True)
class Drawn:
    """Fragments that whoever sends them has drawn already, for one page."""

    text: str


_ICONS = {"warn": "alert", "bad": "alert", "good": "check"}


def draw(message: Any, account: AccountId) -> str:
    """The message for a stream of this account; empty when there is nothing to show."""
    match message:
        case bus.Navigate(url=url):
            return named("navigate", url)
        case bus.SignedOut(reason=reason):
            return named("signed-out", reason)
        case bus.Announce(html_kind=kind, text=text):
            return html(_toast(_ICONS.get(kind, "bell"), text))
        case bus.AchievementUnlocked(names=names):
            return html("".join(map(_unlocked, names, achievements.titles(names)))) if names else ""
        case Drawn(text=text):
            return html(text) if text else ""
        case bus.SearchChanged():
            return _seats(account)
        case _:
            return ""


def _toast(icon: str, text: str) -> str:
    return painting.toast(icon, text) + painting.news([("polite", text)])


def _unlocked(name: str, title: str) -> str:
    """Shown and said; said only once, because the results page, to which the player may be on the way, says it as well."""
    text = f"Achievement unlocked: {title}"
    said = f'<p data-say="polite" data-once="achievement-{name}">{escape(text)}.</p>'
    return painting.toast("medal", text) + painting.partial("#news", "beforeend", said)


def _seats(account: AccountId) -> str:
    found = play.find(account)
    if not isinstance(found, play.SearchView):
        # The match that it led to sends its players there itself; a search that is over leads back to where one begins.
        return named("navigate", f"/match/{found}" if found else "/play")
    template = painting.environment().get_template("fragments/play/search_seats.html")
    return html(painting.partial("#search-seats", "outerHTML", template.render(search=found)))
