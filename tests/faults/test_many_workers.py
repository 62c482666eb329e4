"""Any worker serves anybody: what happens at one reaches the people at another, also when no notice of it does (R5.1-R5.3, R12.3)."""

from __future__ import annotations

import pytest

from guessio import clock
from tests.kit import cluster, solver, table
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.watch import guess, has_row, heard

pytestmark = [pytest.mark.live, pytest.mark.faults]

SWEEP_S = 1.0
BUSY_S = 4.0
"""What a busy machine may add."""


def test_whoever_is_asked_has_the_same_board(site: Cluster, seated: tuple[Player, Player]) -> None:
    digits = [guess(seated) for _ in range(2)]
    for person in seated:
        for url in site.urls(0):
            person.wire.base_url = url
            assert person.open(f"/match/{person.match_id}") == 200
            assert [row.digits for row in person.board.rows if not row.is_skip][:2] == digits


def test_a_command_goes_to_any_worker_once(site: Cluster, seated: tuple[Player, Player]) -> None:
    mover = table.on_turn(seated)
    turn, digits = mover.board.turn, solver.wasted_guess(mover.board, mover.chance)
    for url in site.urls(0) * 2:
        mover.wire.base_url = url
        assert mover.guess(digits, turn=turn).status == 204
    for person in seated:
        person.wait_for(lambda person=person: has_row(person, digits), "the guess")
        assert [row.digits for row in person.board.rows if not row.is_skip].count(digits) == 1
        assert person.missed == [], "nothing was pushed to a place that the page does not have"


def test_absence_and_return_are_seen_at_the_other_worker(seated: tuple[Player, Player]) -> None:
    mira, nova = seated
    nova.close()
    mira.wait_for(lambda: any(seat.is_away for seat in mira.board.seats), "that the other is away")
    nova.open(f"/match/{nova.match_id}")
    mira.wait_for(lambda: not any(seat.is_away for seat in mira.board.seats), "that the other is back")


def test_a_stream_at_another_worker_keeps_the_seat(site: Cluster, seated: tuple[Player, Player]) -> None:
    mira, nova = seated
    nova.wire.base_url = site.servers[0].url
    nova.open(f"/match/{nova.match_id}")
    nova.wait_until_streaming()
    guess(seated)
    guess(seated)
    assert not any(seat.is_away or seat.has_left for seat in mira.board.seats)
    assert {row[0] for row in site.query("SELECT count(*) FROM connections GROUP BY account_id")} <= {1, 2}


def test_searchers_at_different_workers_see_each_other_and_their_bots(people: tuple[Player, Player]) -> None:
    mira, nova = people
    assert mira.search("casual", "hardcore", 4).done
    mira.wait_until_streaming()
    assert nova.search("casual", "hardcore", 4).done
    mira.wait_for(lambda: nova.username in mira.page.text or bool(mira.match_id), "the other in the line")
    for person in people:
        person.wait_for(lambda person=person: bool(person.match_id), "the match with two bots")
    assert mira.match_id == nova.match_id
    for person in people:
        person.forfeit()


def test_signing_in_at_another_worker_ends_the_session_here(site: Cluster, people: tuple[Player, Player]) -> None:
    here = people[0]
    here.wait_until_streaming()
    there = site.player(1, here.name)
    there.sign_in()
    until(lambda: heard(here, b"event: signed-out"), "the page is told", within_s=SWEEP_S + BUSY_S)
    assert here.open("/profile") == 401
    assert there.open("/profile") == 200
    assert site.query("SELECT count(*) FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE a.username = %s", here.username) == [
        (1,)
    ]
    there.close()


def test_a_cut_listener_comes_back_and_the_pages_miss_nothing(site: Cluster, seated: tuple[Player, Player]) -> None:
    for _ in range(3):
        until(lambda: site.cut(cluster.LISTENERS) > 0, "a worker that listens, to be cut off")
        guess(seated, within_s=SWEEP_S + BUSY_S)
    until(lambda: listeners(site) == 2, "both listen again")


def listeners(site: Cluster) -> int:
    return site.query("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", cluster.LISTENERS)[0][0]


def test_a_step_that_nobody_told_of_is_shown_after_one_sweep(site: Cluster, seated: tuple[Player, Player]) -> None:
    """As when the worker that made it died between commit and notice."""
    match = seated[0].match_id
    before = site.query("UPDATE tables SET version = version + 1 WHERE id = %s RETURNING version", match)[0][0]
    for person in seated:
        until(lambda person=person: heard(person, b"id: %d\n" % before), "the page has the version", within_s=SWEEP_S + BUSY_S)
    guess(seated)


def test_a_search_whose_end_nobody_told_of_leads_on_after_one_sweep(site: Cluster, people: tuple[Player, Player]) -> None:
    """The match was made, and the worker died before it could tell those who waited at other workers."""
    mira, nova = people
    assert mira.search("casual", "hardcore", 3).done
    mira.wait_until_streaming()
    account = site.query("SELECT id FROM accounts WHERE username = %s", mira.username)[0][0]
    site.query("WITH gone AS (DELETE FROM searches WHERE account_id = %s) DELETE FROM engagements WHERE account_id = %s", account, account)
    mira.wait_for(lambda: mira.path == "/play", "the way out of a search that is no more", within_s=SWEEP_S + BUSY_S)


ENDS = """
    WITH gone AS (DELETE FROM sessions s USING accounts a WHERE a.id = s.account_id AND a.username = %s RETURNING s.token_hash)
    INSERT INTO session_ends (token_hash, reason, ended_ms) SELECT token_hash, 'replaced', %s FROM gone RETURNING token_hash
"""


def test_a_session_whose_end_nobody_told_of_ends_after_one_sweep(site: Cluster, people: tuple[Player, Player]) -> None:
    """The worker at which the person signed in anew died before it could tell."""
    here = people[0]
    here.wait_until_streaming()
    assert len(site.query(ENDS, here.username, clock.now_ms())) == 1
    until(lambda: heard(here, b"event: signed-out"), "the page is told", within_s=SWEEP_S + BUSY_S)
    assert here.open("/profile") == 401
