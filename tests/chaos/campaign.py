"""One campaign: a site, its players, the blows of the plan, and the audit at the end."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.chaos import audit
from tests.chaos.actor import Actor
from tests.chaos.ledger import Ledger
from tests.chaos.plan import Blow
from tests.chaos.wielder import Wielder
from tests.kit import cluster
from tests.kit.books import Books
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.processes import until

LEAVE_S = 120.0
QUIET_S = 60.0


@dataclass(frozen=True, slots=True)
class Campaign:
    """How much of what."""

    seed: int
    players: int
    plan: tuple[Blow, ...]
    servers: int = 3
    first_workers: int = 2
    """How many workers the first server has, which pass connections to each other; the others have one each."""
    speed: float = 6.0
    think_s: float = 1.0
    drain_s: float = 25.0
    """How long the last matches are played on before they are left."""
    ends_by_wins: bool = False
    """Whether the last matches are won at the next turn instead of played on."""
    is_timed: bool = False
    """Whether it is wrong that something takes too long; not where other tests run beside."""


@dataclass
class Outcome:
    """What came of it: totals to read, and everything that was wrong."""

    totals: dict[str, float] = field(default_factory=dict)
    wrongs: list[str] = field(default_factory=list)


def run(campaign: Campaign, say: Callable[[str], object]) -> Outcome:
    """Play, do harm, let everybody come to an end, and audit. Call it from the main thread; it ends by itself."""
    began = time.monotonic()
    with cluster.running(campaign.servers, speed=campaign.speed, first_workers=campaign.first_workers) as site:
        say(f"{campaign.servers} servers ({sum(site.workers)} workers) over one Postgres stand; {campaign.players} players come in")
        crowd = Crowd(site, campaign)
        try:
            _strike(site, crowd, campaign, say)
            outcome = _end(site, crowd, campaign.drain_s, say)
            outcome.wrongs += crowd.ledger.too_long() if campaign.is_timed else []
        finally:
            crowd.dismiss()
    outcome.totals["seconds"] = round(time.monotonic() - began)
    return outcome


class Crowd:
    """The players, each in a thread of its own."""

    def __init__(self, site: Cluster, campaign: Campaign) -> None:
        self.ledger = Ledger()
        self.closing, self.hurry = threading.Event(), threading.Event()
        self._site = site
        self._chance = random.Random(campaign.seed)
        self.actors = [self._actor(number, campaign) for number in range(campaign.players)]
        self.threads = [threading.Thread(target=actor.run, name=f"player {n}", daemon=True) for n, actor in enumerate(self.actors)]
        for thread in self.threads:
            thread.start()

    def _actor(self, number: int, campaign: Campaign) -> Actor:
        chance = random.Random(self._chance.getrandbits(64))
        code_of = Books(self._site.url).code if campaign.ends_by_wins else None

        def make() -> Player:
            return self._site.player(chance.randrange(self._site.size), f"player_{number}", seed=chance.getrandbits(32))

        return Actor(make, self.ledger, chance.getrandbits(64), self.closing, self.hurry, campaign.think_s, code_of)

    def here(self) -> list[Actor]:
        """Those who have not left."""
        return [actor for actor, thread in zip(self.actors, self.threads, strict=True) if thread.is_alive()]

    def dismiss(self) -> None:
        """Send everybody away at once."""
        self.closing.set()
        self.hurry.set()
        for actor in self.actors:
            actor.is_done = True


def _strike(site: Cluster, crowd: Crowd, campaign: Campaign, say: Callable[[str], object]) -> None:
    """Deal the blows of the plan, one after the other."""
    until(lambda: crowd.ledger.totals["skills picked"] >= campaign.players // 2, "play is on", within_s=120)
    wielder = Wielder(site, crowd.actors, crowd.ledger, random.Random(campaign.seed))
    began = time.monotonic()
    try:
        for blow in campaign.plan:
            threading.Event().wait(blow.after_s)
            length = f" for {blow.lasts_s:g} s" if blow.lasts_s else ""
            guesses = len(crowd.ledger.acknowledged)
            say(f"{time.monotonic() - began:6.1f} s  {guesses:5} guesses  {blow.harm}{length} (server {blow.where + 1})")
            wielder.strike(blow)
            crowd.ledger.count(f"blows: {blow.harm}")
    finally:
        wielder.mend()


def _end(site: Cluster, crowd: Crowd, drain_s: float, say: Callable[[str], object]) -> Outcome:
    ledger = crowd.ledger
    say("no more harm; everybody plays to the end and leaves")
    crowd.closing.set()
    deadline = time.monotonic() + drain_s + LEAVE_S
    hurry_at = time.monotonic() + drain_s
    for thread in crowd.threads:
        thread.join(max(0.0, hurry_at - time.monotonic()))
    crowd.hurry.set()
    for thread in crowd.threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    for actor in crowd.here():
        ledger.wrong(f"{actor.person.name} never came to an end: {actor.person.path} shows {actor.person.page.text[:300]}")
    say("everybody has left")
    try:
        until(lambda: audit.is_settled(site), "every match is over and booked", within_s=QUIET_S)
        say("every match is over and booked")
        until(lambda: site.query("SELECT count(*) FROM connections") == [(0,)], "no stream is counted", within_s=QUIET_S)
    except TimeoutError as error:
        ledger.wrong(str(error))
    return Outcome(_totals(site, ledger), audit.wrongs(site, ledger) + _server_errors(site))


def _totals(site: Cluster, ledger: Ledger) -> dict[str, float]:
    ends = {f"matches ended by {end}": count for end, count in site.query('SELECT "end", count(*) FROM matches GROUP BY 1 ORDER BY 1')}
    totals: dict[str, float] = {
        "matches": site.query("SELECT count(*) FROM matches")[0][0],
        **ends,
        "guesses acknowledged": len(ledger.acknowledged),
        "guesses refused": len(ledger.refused),
        "boards compared with the record": len(ledger.shown),
        **ledger.longest(),
    }
    return totals | dict(sorted(ledger.totals.items()))


def _server_errors(site: Cluster) -> list[str]:
    """What the servers called errors, one of each kind: a stack trace is always a fault of ours."""
    found: dict[str, str] = {}
    for number, server in enumerate(site.servers, start=1):
        for report in re.split(r"^(?=[A-Z]{4,8} |\[\d{4}-)", server.log, flags=re.MULTILINE):
            if report.startswith("ERROR") or "Traceback" in report:
                own = re.findall(r'File "[^"]*/guessio/([^"]+)", line (\d+), in (\w+)', report)
                found.setdefault(
                    report.splitlines()[-1][:80] + str(own[-1:]), f"server {number}: {report.splitlines()[0]} {own} {report[-600:]}"
                )
    return list(found.values())
