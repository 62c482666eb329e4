"""Reading saved matches back: the list, its filters, details, the replay (R11.3, R11.4, R1.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from guessio.rules import codes, tunables
from guessio.rules.terms import Difficulty, Mark, MatchType, Outcome, RoundEnd, Skill, TableId
from guessio.services import details, history
from guessio.services.details import MatchDetails
from guessio.services.history import HistoryFilter
from guessio.services.replay import ReplayKind
from guessio.store import database, schema
from tests.kit.actors import Play
from tests.kit.builders import account
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import an_account, seated, settled

ADA, BO, CY = (account(seat) for seat in range(3))


def won_by(seat: int, players: int = 2, **made: object) -> Play:
    play = Play.in_round(players, **made)
    play.win_round(seat)
    play.next_round()
    return play.win_round(seat)


def forfeited(by: int, **made: object) -> Play:
    play = Play.in_round(2, **made)
    play.forfeit(by)
    return play


def shown(match: str, actor: int = ADA) -> MatchDetails:
    found = details.find(account(actor - ADA), TableId(match))
    assert found is not None
    return found


@pytest.mark.db
def test_the_list_is_newest_first_and_narrows() -> None:
    seated()
    settled(won_by(0, at_ms=1_000_000), "won")
    settled(won_by(1, at_ms=2_000_000, type=MatchType.RANKED), "lost")
    settled(forfeited(0, at_ms=3_000_000, difficulty=Difficulty.HARDCORE), "left")

    def listed(wanted: str) -> list[str]:
        return [entry.match for entry in history.page(ADA, wanted, "1").entries]

    assert listed("all") == ["left", "lost", "won"]
    assert (listed("ranked"), listed("casual")) == (["lost"], ["left", "won"])
    assert (listed("wins"), listed("losses")) == (["won"], ["left", "lost"])
    assert listed("nonsense") == listed("all")


def test_an_entry_says_what_the_list_shows(time: FakeClock) -> None:
    seated()
    play = forfeited(0, type=MatchType.RANKED)
    table = settled(play)
    time.now_ms = (play.state.ended_ms or 0) + 90_000
    (entry,) = history.recent(ADA, 3)
    assert (entry.match, entry.url) == (table, "/matches/m1")
    assert (entry.outcome, entry.forfeited, entry.rating_change) == (Outcome.LOSS, True, 0)
    assert [person.username for person in entry.opponents] == ["bo"]
    assert (entry.own_rounds, entry.best_rounds, entry.ago_ms) == (0, 1, 90_000)
    (other,) = history.recent(BO, 3)
    assert (other.outcome, other.forfeited) == (Outcome.WIN, False)


def test_pages_lead_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "HISTORY_PAGE_SIZE", 2)
    seated()
    for number in range(5):
        settled(won_by(0, at_ms=1_000_000 + number), f"m{number}")
    first, second, third = (history.page(ADA, "all", str(number)) for number in (1, 2, 3))
    assert [[entry.match for entry in page.entries] for page in (first, second, third)] == [["m4", "m3"], ["m2", "m1"], ["m0"]]
    assert [(page.newer, page.older) for page in (first, second, third)] == [(None, 2), (1, 3), (2, None)]
    assert first.filter is HistoryFilter.ALL


@pytest.mark.parametrize("number", ["0", "-1", "x", "", "²", "9" * 40])
def test_a_page_number_that_is_none_shows_the_first(number: str) -> None:
    assert history.page(ADA, "all", number).page == 1


def test_details_are_for_participants_only() -> None:
    seated()
    settled(won_by(0))
    stranger = an_account("stranger")
    assert details.find(stranger, TableId("m1")) is None
    assert details.find(ADA, TableId("nothing")) is None
    assert details.find(BO, TableId("m1")) is not None


@pytest.mark.db
def test_details_hold_rounds_codes_and_a_proof_that_holds() -> None:
    seated()
    settled(won_by(1))
    found = shown("m1")
    assert [one.code for one in found.rounds] == ["1234", "5678"]
    assert all(codes.verify(one.code, one.nonce, one.commitment) for one in found.rounds)
    first = found.rounds[0]
    assert (first.end, first.winner_name, first.is_own_win) == (RoundEnd.CRACKED, "Bo", False)
    assert first.guesses[-1].marks == (Mark.RIGHT,) * 4
    assert found.total_guesses == sum(len(one.guesses) for one in found.rounds)
    assert (found.participants[1].is_winner, found.participants[0].rounds_won) == (True, 0)
    assert found.date.endswith("1970, 00:16 UTC")


def test_only_ones_own_rating_and_points_are_shown() -> None:
    seated()
    settled(won_by(0, type=MatchType.RANKED))
    own, other = shown("m1").participants
    assert (own.rating_change, own.points_change) == (16, 3)
    assert (other.rating_before, other.rating_after, other.rating_change, other.points_change) == (None, None, None, None)


def test_a_skill_that_was_never_used_stays_its_owners_secret() -> None:
    seated()
    play = Play.holding(Skill.REVEAL, Skill.EXTRA_TURN)
    play.use()
    play.win_round(0)
    play.next_round()
    play.win_round(0)
    settled(play)
    assert [(skill.name, skill.used) for skill in shown("m1").skills] == [("Ada", True)]
    assert [(skill.name, skill.used) for skill in shown("m1", BO).skills] == [("Ada", True), ("Bo", False)]


def test_the_replay_goes_move_by_move() -> None:
    seated()
    play = Play.in_round(2)
    play.guess()
    play.time_out()
    play.crack()
    play.next_round()
    play.forfeit(1)
    settled(play)
    steps = shown("m1").replay
    kinds = [(step.kind, step.round, step.name) for step in steps]
    assert kinds == [
        (ReplayKind.ROUND, 1, "Ada"),
        (ReplayKind.GUESS, 1, "Ada"),
        (ReplayKind.SKIP, 1, "Bo"),
        (ReplayKind.GUESS, 1, "Ada"),
        (ReplayKind.CODE, 1, "Ada"),
        (ReplayKind.ROUND, 2, "Bo"),
        (ReplayKind.LEFT, 2, "Bo"),
        (ReplayKind.CODE, 2, "Ada"),
    ]
    assert [step.index for step in steps] == list(range(8))
    assert [step.at_ms for step in steps] == sorted(step.at_ms for step in steps)
    assert (steps[0].at_ms, steps[4].digits, steps[3].marks) == (0, "1234", (Mark.RIGHT,) * 4)


def test_a_deleted_account_is_nowhere_called_by_its_old_name() -> None:
    seated()
    settled(won_by(1))
    with database.write() as conn:
        gone = {"username": "deleted_7", "username_key": "deleted_7", "display_name": "Deleted User"}
        conn.execute(update(schema.accounts).where(schema.accounts.c.id == BO).values(**gone))
    found = shown("m1")
    assert found.rounds[0].winner_name == "Deleted User"
    assert "Bo" not in repr(found)
    assert replace(found, entry=history.recent(ADA, 1)[0]) == found
