"""Templates for the stream: the environment, its filters, and the partial around each fragment."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import Environment, Template
from markupsafe import Markup, escape

from guessio.live import spoken, stencils
from guessio.rules.terms import Skill

_environment: Environment | None = None
_templates: dict[str, Template] = {}
_globals: dict[str, Any] = {}


def use(environment: Environment) -> None:
    """Draw with this environment from now on. It offers `asset(path)`; filters of `spoken` and the fast `icon` come from here."""
    global _environment
    _environment = environment
    _templates.clear()
    _globals.clear()
    _icon.cache_clear()
    stencils.clear()
    environment.globals.setdefault("icon", _icon)
    environment.globals.update(line_icon=_icon, skills=tuple(Skill))
    environment.filters.update(
        spoken_tiles=spoken.tiles,
        spoken_secret=spoken.secret_tiles,
        spoken_key=spoken.key,
        clock=spoken.clock,
        fine_clock=spoken.fine_clock,
        lag=spoken.lag,
        duel_end=spoken.duel_end,
        elapsed=spoken.elapsed,
        seconds=spoken.seconds,
        tenths=spoken.tenths,
        counted=spoken.counted,
        grouped=spoken.grouped,
        signed=spoken.signed,
        skill_name=spoken.SKILL_NAMES.__getitem__,
        skill_short=spoken.SKILL_SHORT.__getitem__,
        skill_icon=spoken.SKILL_ICONS.__getitem__,
        skill_text=spoken.SKILL_TEXTS.__getitem__,
        mark_word=spoken.MARK_WORDS.__getitem__,
        hue=hue,
        digit_at=digit_at,
        only_choice=only_choice,
    )


def draw(name: str, context: dict[str, Any]) -> str:
    """One fragment of a table as text. `name` is its file below `fragments`, without the ending: `match/seats`."""
    template = _templates.get(name)
    if template is None:
        template = _templates[name] = environment().get_template(f"fragments/{name}.html")
        _globals.update(environment().globals)
    # What `template.render` does, without copying the environment's chained globals for each small fragment: half of its cost.
    return "".join(template.root_render_func(template.new_context({**_globals, **context}, shared=True)))


def environment() -> Environment:
    """The environment in use.

    Raises:
        RuntimeError: `use` was not called.
    """
    if _environment is None:
        raise RuntimeError("fragments.use() must be given the application's templates first")
    return _environment


def partial(target: str, swap: str, html: str) -> str:
    """A piece of a message: `html`, which is safe already, put where `target` and `swap` say."""
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{html}</hx-partial>'


def news(sentences: list[tuple[str, str]]) -> str:
    """Sentences for the live regions, each as (polite or assertive, plain text)."""
    return safe_news([(how, stencils.safe(text)) for how, text in sentences]) if sentences else ""


def safe_news(sentences: list[tuple[str, str]]) -> str:
    """The same for sentences that are safe already."""
    return partial("#news", "beforeend", "".join([f'<p data-say="{how}">{text}</p>' for how, text in sentences]))


def toast(icon: str, text: str) -> str:
    """A short-lived line over the board. It is not said from here: a sentence of `news` goes with it."""
    return partial("#toasts", "beforeend", f'<p class="toast">{_icon(icon)}<span class="grow">{escape(text)}</span></p>')


def cue(names: list[str]) -> str:
    """Sounds and touches that the page may play, by name."""
    return partial("#cue", "outerHTML", f'<i id="cue" hidden data-cue="{" ".join(names)}"></i>') if names else ""


@lru_cache(maxsize=64)
def _icon(name: str) -> Markup:
    """A line icon, for fragments that import nothing; the macro in components/icon.html gives the same."""
    sheet = environment().globals["asset"]("icons/icons.svg")  # type: ignore[operator]
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(sheet, name)


@lru_cache(maxsize=4096)
def hue(name: str) -> int:
    """The tint of a person's initial, 1 to 6."""
    return sum(name.encode()) % 6 + 1


def digit_at(revealed: tuple[tuple[int, str], ...], place: int) -> str:
    """The digit shown at that place, or nothing."""
    return dict(revealed).get(place, "")


def only_choice(targets: tuple[Any, ...]) -> int | None:
    """The seat of the one opponent who can be named, when there is just one."""
    able = [target.seat for target in targets if target.why_not is None]
    return able[0] if len(able) == 1 else None
