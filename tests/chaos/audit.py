"""The books against what the people were told: everything ended, everything counted once, nobody left bound."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from tests.chaos.ledger import Ledger
from tests.kit.cluster import Cluster

Record = dict[str, Any]


def is_settled(site: Cluster) -> bool:
    """Whether every match is over and booked."""
    return site.query("SELECT count(*) FROM tables WHERE next_deadline_ms IS NOT NULL OR NOT settled") == [(0,)]


def wrongs(site: Cluster, ledger: Ledger) -> list[str]:
    """Everything that is not as it must be."""
    records = {row[0]: msgspec.json.decode(row[1]) for row in site.query("SELECT id, record FROM matches")}
    found = list(ledger.wrongs)
    found += _unfinished(site)
    found += _guesses(records, ledger)
    found += _boards(records, ledger)
    found += _books(site, records)
    return found


def _unfinished(site: Cluster) -> Iterator[str]:
    for what, query in {
        "a match did not end": "SELECT id FROM tables WHERE next_deadline_ms IS NOT NULL",
        "a match was not booked": "SELECT id FROM tables WHERE NOT settled",
        "a table has no match in the history": "SELECT id FROM tables WHERE id NOT IN (SELECT id FROM matches)",
        "somebody is still bound": "SELECT account_id, kind, ref FROM engagements",
        "somebody still waits": "SELECT account_id FROM searches",
        "a bot still waits": "SELECT type, bots FROM search_fills",
        "a stream is still counted": "SELECT worker_id, account_id FROM connections",
    }.items():
        for row in site.query(query):
            yield f"{what}: {row}"
    living = site.query("SELECT count(*) FROM workers")[0][0]
    if living != sum(site.workers):
        yield f"{living} workers are known, {sum(site.workers)} live"


def _guesses(records: dict[str, Record], ledger: Ledger) -> Iterator[str]:
    kept: Counter[tuple[str, str, int, str]] = Counter()
    for match, record in records.items():
        names = [seat["username"] for seat in record["seats"]]
        made = [guess for one in record["rounds"] for guess in one["guesses"]]
        kept.update((match, names[guess["seat"]], guess["turn"], guess["digits"]) for guess in made)
        for turn, times in Counter(guess["turn"] for guess in made).items():
            if times > 1:
                yield f"turn {turn} of match {match} has {times} guesses"
    for sent in ledger.acknowledged:
        times = kept[sent.match, sent.username, sent.turn, sent.digits]
        if times != 1:
            yield f"an acknowledged guess is in the record {times} times: {sent}"
    for sent in ledger.refused - ledger.acknowledged:
        if kept[sent.match, sent.username, sent.turn, sent.digits]:
            yield f"a refused guess is in the record: {sent}"


def _boards(records: dict[str, Record], ledger: Ledger) -> Iterator[str]:
    for (match, username, number), shown in ledger.shown.items():
        rounds = records.get(match, {}).get("rounds", [])
        kept = tuple(guess["digits"] for guess in rounds[number - 1]["guesses"]) if number <= len(rounds) else ()
        if shown != kept[: len(shown)]:
            yield f"{username} was shown {shown} in round {number} of match {match}, which went {kept}"


def _books(site: Cluster, records: dict[str, Record]) -> Iterator[str]:
    lines: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    per_match: Counter[str] = Counter()
    for row in site.query(
        "SELECT account_id, match_id, outcome, rounds_won, turns_skipped, points_change, points_after, rating_before, rating_after, type"
        " FROM match_players ORDER BY ended_ms, points_after"
    ):
        lines[row[0]].append(row)
        per_match[row[1]] += 1
    for match, record in records.items():
        if per_match[match] != len(record["seats"]):
            yield f"match {match} has {per_match[match]} of {len(record['seats'])} players in the history"
    columns = "id, username, points, played, rounds_won, turns_skipped, ranked_played"
    for account, name, points, played, rounds_won, skipped, ranked in site.query(f"SELECT {columns} FROM accounts"):
        own = lines.get(account, [])
        booked = (played, rounds_won, skipped, points, ranked)
        due = (
            len(own),
            sum(row[3] for row in own),
            sum(row[4] for row in own),
            sum(row[5] for row in own),
            sum(row[9] == "ranked" for row in own),
        )
        if booked != due:
            yield f"{name} has (played, rounds, skipped, points, ranked) {booked}, the history says {due}"
    yield from _ratings(site, lines)


def _ratings(site: Cluster, lines: dict[int, list[tuple[Any, ...]]]) -> Iterator[str]:
    """Within one week a rating moves from match to match without a gap."""
    for account, rating in site.query("SELECT account_id, rating FROM ratings"):
        steps = Counter(row[7:9] for row in lines.get(account, []) if row[8] is not None)
        total = sum((after - before) * times for (before, after), times in steps.items())
        if total != rating:
            yield f"account {account} is rated {rating}, its matches come to {total}"
