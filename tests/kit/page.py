"""The page as a script sees it: a small tree of elements that takes the same live updates as a browser does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
OUTER = frozenset(("outerHTML", "outerMorph", "outer"))
INNER = frozenset(("innerHTML", "innerMorph", "inner", "true"))
LAST = frozenset(("beforeend", "append"))
FIRST = frozenset(("afterbegin", "prepend"))
BEFORE = frozenset(("beforebegin", "before"))
AFTER = frozenset(("afterend", "after"))


@dataclass(eq=False)
class Element:
    """One element with its attributes and, in order, its children and texts."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)
    parent: Element | None = None

    @property
    def id(self) -> str:
        """Its id, or an empty text."""
        return self.attributes.get("id", "")

    @property
    def classes(self) -> frozenset[str]:
        """Its class names."""
        return frozenset(self.attributes.get("class", "").split())

    def get(self, name: str, default: str = "") -> str:
        """An attribute's value."""
        return self.attributes.get(name, default)

    def has(self, name: str) -> bool:
        """Whether an attribute stands there, with a value or without."""
        return name in self.attributes

    def walk(self) -> Iterator[Element]:
        """Itself and every element below, in document order."""
        yield self
        for child in list(self.children):
            if isinstance(child, Element):
                yield from child.walk()

    def by_id(self, wanted: str) -> Element | None:
        """The element with that id, or None."""
        return next((element for element in self.walk() if element.id == wanted), None)

    def all(self, tag: str = "", *, cls: str = "", attribute: str = "") -> list[Element]:
        """Every element below that has the tag, the class and the attribute that are given."""
        return [
            element
            for element in self.walk()
            if (not tag or element.tag == tag) and (not cls or cls in element.classes) and (not attribute or element.has(attribute))
        ]

    def first(self, tag: str = "", *, cls: str = "", attribute: str = "") -> Element | None:
        """The first of `all`, or None."""
        return next(iter(self.all(tag, cls=cls, attribute=attribute)), None)

    @property
    def text(self) -> str:
        """All text in it, blanks made one."""
        return " ".join(" ".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        if self.tag in ("script", "style"):
            return
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()

    def fields(self) -> dict[str, str]:
        """What a form would send now, without its buttons."""
        found: dict[str, str] = {}
        for element in self.walk():
            name = element.get("name")
            if not name or element.has("disabled"):
                continue
            if element.tag == "input" and element.get("type") in ("radio", "checkbox"):
                if element.has("checked"):
                    found[name] = element.get("value", "on")
            elif element.tag == "input" and element.get("type") not in ("submit", "button"):
                found[name] = element.get("value")
            elif element.tag == "textarea":
                found[name] = element.text
        return found


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#root")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, [], self.open[-1])
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self.open) - 1, 0, -1):
            if self.open[depth].tag == tag:
                del self.open[depth:]
                return

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Element:
    """The tree of a document or of a fragment, below a root of its own."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.root


def update(document: Element, html: str) -> list[str]:
    """Put a live message's pieces where they belong. Gives the targets that the document doesn't have."""
    missing: list[str] = []
    for piece in parse(html).children:
        if not isinstance(piece, Element):
            continue
        if piece.tag == "hx-partial":
            target, how = piece.get("hx-target"), piece.get("hx-swap", "outerHTML")
            content = piece.children
        elif piece.has("hx-swap-oob"):
            how, _, target = piece.get("hx-swap-oob").partition(":")
            how, target = ("outerHTML" if how in ("", "true") else how), target or f"#{piece.id}"
            content = [piece]
        else:
            continue
        place = _locate(document, target)
        if place is None:
            missing.append(target)
        else:
            swap(place, list(content), how)
    return missing


def answer(document: Element, html: str, target: str) -> None:
    """Put an answer where it belongs: its pieces as in a live message, the rest in place of `target`."""
    update(document, html)
    rest = [e for e in parse(html).children if isinstance(e, Element) and e.tag != "hx-partial" and not e.has("hx-swap-oob")]
    place = _locate(document, target) if rest and len(target) > 1 else None
    if place is not None:
        swap(place, list(rest), "outerHTML")


def _locate(document: Element, selector: str) -> Element | None:
    if selector.startswith("#"):
        return document.by_id(selector[1:])
    if selector.startswith("."):
        return document.first(cls=selector[1:])
    return document.first(selector)


def swap(place: Element, content: list[Element | str], how: str) -> None:
    """One swap of htmx's kinds; morphing ends in the same tree as replacing."""
    kind = how.split()[0] if how.split() else "outerHTML"
    content = _unwrapped(content)
    if kind in INNER:
        place.children = _adopted(content, place)
    elif kind in LAST:
        place.children += _adopted(content, place)
    elif kind in FIRST:
        place.children[:0] = _adopted(content, place)
    elif kind in OUTER or kind == "delete" or kind in BEFORE or kind in AFTER:
        _beside(place, content, kind)


def _beside(place: Element, content: list[Element | str], kind: str) -> None:
    parent = place.parent
    if parent is None:
        return
    at = next(index for index, child in enumerate(parent.children) if child is place)
    new = _adopted(content, parent)
    if kind == "delete":
        del parent.children[at]
    elif kind in OUTER:
        parent.children[at : at + 1] = new
    else:
        at += kind in AFTER
        parent.children[at:at] = new


def _unwrapped(content: list[Element | str]) -> list[Element | str]:
    """What stands in a `<template>`, which HTML needs around rows that stand alone."""
    found: list[Element | str] = []
    for child in content:
        found += child.children if isinstance(child, Element) and child.tag == "template" else [child]
    return found


def _adopted(content: list[Element | str], parent: Element) -> list[Element | str]:
    for child in content:
        if isinstance(child, Element):
            child.parent = parent
    return content
