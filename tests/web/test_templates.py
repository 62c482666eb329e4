"""Templates by themselves: each renders alone, runs under the content security policy, and names only ids that exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment, StrictUndefined

from guessio import bootstrap, config
from guessio.rules import feedback
from tests.web import samples
from tests.web.samples import SAMPLES

TEMPLATES = Path(bootstrap.ROOT, "templates")
OURS = sorted(path for path in TEMPLATES.rglob("*.html") if path.relative_to(TEMPLATES).parts[0] != "demo")
# What a match shows is rendered with real matches in tests/live and tests/web/test_matches, and the pad with it.
ELSEWHERE = ("match", "pad", "layouts", "components", "demo")
COMPONENTS = sorted(path.name for path in (TEMPLATES / "components").glob("*.html"))
ID_LISTS = ("aria-labelledby", "aria-describedby", "aria-controls", "for", "commandfor")
CALLER = "{{% call {} %}}inside{{% endcall %}}"

# macro -> how it is called, with the views of `samples`
CALLS = {
    "icon": 'icon("play")',
    "logo": "logo()",
    "number": "number(1268)",
    "signed": "signed(-9)",
    "clock": "clock(18000)",
    "seconds": "seconds(3400)",
    "ago": "ago(720000)",
    "until": "until(270000000)",
    "plural": 'plural(2, "point")',
    "delta": "delta(18)",
    "utc": "utc(1795000000000)",
    "avatar": 'avatar("Mira", "https://lh3.googleusercontent.com/a")',
    "bot_tag": "bot_tag(true)",
    "face": "face(MIRA)",
    "named": "named(TESSEL)",
    "profile_link": "profile_link(NOVA)",
    "mark_word": 'mark_word("right")',
    "spoken": 'spoken("70", ["right", "elsewhere"])',
    "tile": 'tile("7", "right")',
    "tiles": 'tiles("7042", MARKS)',
    "code_tiles": 'code_tiles("7042", true)',
    "legend": 'legend("hardcore")',
    "pips": "pips(1)",
    "attrs": 'attrs(1000, 5000, "t")',
    "timer": 'timer(18000, "t", 10000, "10 seconds.")',
    "count": 'count(3200, "t")',
    "stopwatch": 'stopwatch(7400, "search")',
    "ring": CALLER.format('ring(9000, 30000, "t")'),
    "bar": 'bar(3000, 5000, "t", "3 seconds")',
    "notice": 'notice("No")',
    "toast": 'toast("Frozen", "freeze")',
    "banner": 'banner("Careful")',
    "say": 'say("Your turn.", "assertive")',
    "empty": CALLER.format('empty("Nothing", "Yet.")'),
    "button": 'button("Send", kind="primary", busy="Sending…")',
    "link_button": 'link_button("Play", "/play")',
    "icon_link": 'icon_link("Back", "/", "back")',
    "opener": 'opener("Leave", "leave")',
    "dialog": CALLER.format('dialog("leave", "Leave?", "It counts.", "Stay")'),
    "field_error": 'field_error("x-message", "No")',
    "csrf": "csrf()",
    "type_name": 'type_name("ranked")',
    "difficulty_name": 'difficulty_name("hardcore")',
    "difficulty_tag": 'difficulty_tag("hardcore")',
    "heading": 'heading("ranked", "hardcore", 4)',
    "skill_name": 'skill_name("xray")',
    "skill_icon": 'skill_icon("xray")',
    "skill_text": 'skill_text("xray")',
    "stats": 'stats([("Won", 3)])',
    "outcome": 'outcome("win")',
    "names": "names(WIN.opponents)",
    "score": "score(2, 0)",
    "match_row": "match_row(WIN)",
    "badge": "badge(BADGES[2], true)",
    "progress": "progress(CARD)",
    "rule_name": 'rule_name("all_different")',
    "format_name": 'format_name("totals_only")',
    "end_name": 'end_name("flag")',
    "terms_tags": "terms_tags(TERMS)",
    "terms_line": "terms_line(TERMS)",
    "choice": 'choice("clock", "Clock", [1, 3], none, "{} min", true)',
    "choices": "choices(LOBBY.choices, TERMS)",
    "duel_row": "duel_row(DUEL_ENTRY)",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The application, for its template environment alone: no database is opened."""
    folder = tmp_path_factory.mktemp("templates")
    settings = config.read({"DATABASE_URL": f"sqlite:///{folder / 'none.sqlite3'}", "GUESSIO_INSTANCE": str(folder)})
    return bootstrap.create_app(settings, testing=True)


@pytest.fixture
def environment(app: Flask) -> Iterator[Environment]:
    """That environment, in which a misspelt name is an error."""
    strict = app.jinja_env.overlay(undefined=StrictUndefined)
    with app.test_request_context():
        yield strict


def render(environment: Environment, name: str) -> str:
    template, is_signed_in, context = SAMPLES[name]
    around = {"me": samples.ME if is_signed_in else None, "theme": "dark", "provider": "Google", "is_demo": True}
    return environment.get_template(template).render(around | context)


class Page(HTMLParser):
    """The ids of a page and what refers to them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.wanted: set[str] = set()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if found.get("id"):
            self.ids[str(found["id"])] += 1
        for name in ID_LISTS:
            self.wanted.update((found.get(name) or "").split())
        for name in ("hx-target", "href"):
            value = found.get(name) or ""
            if value.startswith("#") and tag != "use":
                self.wanted.add(value[1:])


def source(path: Path) -> str:
    return re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_every_template_has_a_sample() -> None:
    names = {str(path.relative_to(TEMPLATES)) for path in OURS if not set(path.relative_to(TEMPLATES).parts) & set(ELSEWHERE)}
    assert {template for template, _, _ in SAMPLES.values()} == names


@pytest.mark.parametrize("name", SAMPLES)
def test_renders_alone(environment: Environment, name: str) -> None:
    html = render(environment, name)
    assert html.strip()
    assert "<b>Nova</b>" not in html, "names are text (req. 42)"
    assert "None" not in re.sub(r"<[^>]*>", "", html)


@pytest.mark.parametrize("name", SAMPLES)
def test_ids_are_unique_and_references_lead_somewhere(environment: Environment, name: str) -> None:
    page = Page(render(environment, name))
    assert [found for found, times in page.ids.items() if times > 1] == []
    is_page = not SAMPLES[name][0].startswith("fragments/")
    if is_page:
        assert page.wanted - set(page.ids) == set()


@pytest.mark.parametrize("name", SAMPLES)
def test_forms_that_change_something_carry_the_token(environment: Environment, name: str) -> None:
    html = render(environment, name)
    for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", html, flags=re.DOTALL):
        assert 'name="csrf_token"' in form


@pytest.mark.parametrize("name", [name for name, (template, _, _) in SAMPLES.items() if template.startswith(("pages/", "errors/"))])
def test_pages_have_one_heading_one_main_and_live_regions(environment: Environment, name: str) -> None:
    page = Page(render(environment, name))
    tags = Counter(tag for tag, _ in page.tags)
    assert (tags["h1"], tags["main"]) == (1, 1)
    assert {"live", "alert", "news", "toasts", "message", "main"} <= set(page.ids)
    may_play = SAMPLES[name][1] and "suspended" not in SAMPLES[name][0]
    assert ("stream" in page.ids) == may_play, "a page has one stream when somebody is signed in who may have it, else none"


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_nothing_is_inline(path: Path) -> None:
    text = source(path)
    assert not re.search(r"<[^>]*\sstyle\s*=", text)
    assert not re.search(r"<style\b", text)
    assert not re.search(r"<script\b(?![^>]*\ssrc=)", text)
    assert not re.search(r"<[a-z][^>]*\s(?:on[a-z]+|hx-on[^\s=]*)\s*=", text)
    assert "javascript:" not in text
    assert not re.search(r"\|\s*safe\b", text)
    assert not re.search(r"https?://", text.replace("http://www.w3.org/", "")), "nothing is loaded from elsewhere"


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_icons_exist(path: Path) -> None:
    sheet = Path(bootstrap.ROOT, "static/icons/icons.svg").read_text(encoding="utf-8")
    for name in re.findall(r"\bicon\(\"([a-z]+)\"\)", source(path)):
        assert f'<symbol id="{name}"' in sheet


def test_every_partial_has_a_place() -> None:
    everything = "".join(source(path) for path in OURS)
    ids = set(re.findall(r"\b(?:id=|place = |field_error\()\"([^\"{]+)\"", everything))
    aimed = set(re.findall(r"hx-target=\"#([\w-]+)\"", everything))
    for module in Path(bootstrap.ROOT, "guessio/live").glob("*.py"):
        aimed |= set(re.findall(r"partial\(\s*\"#([\w-]+)\"", module.read_text(encoding="utf-8")))
    assert {"table", "news", "toasts"} <= aimed
    assert aimed - ids == set()


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_macro_renders_alone(environment: Environment, component: str) -> None:
    names = re.findall(r"{%-? macro (\w+)", source(TEMPLATES / "components" / component))
    views = {
        name: getattr(samples, name)
        for name in ("MIRA", "NOVA", "TESSEL", "WIN", "BADGES", "CARD", "MARKS", "TERMS", "LOBBY", "DUEL_ENTRY")
    }
    for name in names:
        call = CALLS[name]
        body = call if call.startswith("{%") else f"{{{{ {call} }}}}"
        imported = f'{{% from "components/{component}" import {name} %}}'
        assert environment.from_string(imported + body).render(views).strip(), name


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("number(1268)", "1,268"),
        ("signed(18)", "+18"),
        ("signed(-1030)", "−1,030"),
        ("signed(0)", "0"),
        ("signed(1030)", "+1,030"),
        ("delta(0)", '<span class="delta" data-dir="flat">±0</span>'),
        ("clock(3_724_001, left=true)", "1:02:05"),
        ("clock(17_999)", "0:17"),
        ("clock(17_001, left=true)", "0:18"),
        ("clock(0, left=true)", "0:00"),
        ("clock(3_725_000)", "1:02:05"),
        ("seconds(3_449)", "3.4 s"),
        ("ago(59_000)", "just now"),
        ("ago(720_000)", "12 min ago"),
        ("ago(7_200_000)", "2 h ago"),
        ("ago(100_000_000)", "yesterday"),
        ("ago(432_000_000)", "5 days ago"),
        ("ago(6_000_000_000)", "2 months ago"),
        ("until(270_000_000)", "3 d 3 h"),
        ("until(1)", "1 min"),
        ('plural(1, "point")', "1 point"),
        ('plural(2, "guess", "guesses")', "2 guesses"),
        ("utc(0)", "1 January 1970, 00:00 UTC"),
        ("utc(1_709_209_920_000)", "29 February 2024, 12:32 UTC"),
        ("utc(1_795_000_000_000)", "18 November 2026, 11:06 UTC"),
    ],
)
def test_numbers_and_times_are_written_one_way(environment: Environment, call: str, expected: str) -> None:
    name = call.split("(")[0]
    assert environment.from_string(f'{{% from "components/text.html" import {name} %}}{{{{ {call} }}}}').render() == expected


def test_marks_have_words_and_codes_keep_their_zeros(environment: Environment) -> None:
    make = '{% from "components/tiles.html" import tiles, code_tiles %}'
    row = environment.from_string(make + '{{ tiles("0714", MARKS) }}').render(MARKS=samples.MARKS)
    assert 'aria-label="0 right place, 7 elsewhere, 1 not in the code, 4 in the code"' in row
    assert re.findall(r'data-mark="(\w+)">(\d)', row) == [("right", "0"), ("elsewhere", "7"), ("absent", "1"), ("present", "4")]
    unmarked = environment.from_string(make + '{{ tiles("0714") }}').render()
    assert 'aria-label="0, 7, 1, 4"' in unmarked
    assert "data-mark" not in unmarked
    assert 'aria-label="The code was 0 7 1 4"' in environment.from_string(make + '{{ code_tiles("0714", false) }}').render()


def test_the_examples_of_duels_are_marked_as_the_rules_mark(environment: Environment) -> None:
    """R17.3."""
    examples = re.findall(r'data-secret="(\d+)" data-guess="(\d+)"(?: data-marks="([^"]*)")?', render(environment, "how duels work"))
    assert len(examples) == 3
    for secret, guess, marks in examples:
        real = feedback.marks(secret, guess)
        assert marks in ("", " ".join(real))
    exact, misplaced = re.findall(r'data-exact="(\d)" data-misplaced="(\d)"', render(environment, "how duels work"))[0]
    assert feedback.totals(feedback.marks(*examples[2][:2])) == (int(exact), int(misplaced))


def test_a_picture_keeps_the_page_to_itself(environment: Environment) -> None:
    html = environment.from_string('{% from "components/person.html" import avatar %}{{ avatar("Mira", "https://x.test/a") }}').render()
    assert 'referrerpolicy="no-referrer"' in html
    assert 'alt=""' in html
