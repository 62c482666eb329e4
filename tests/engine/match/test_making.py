"""Making a match and its deal (R1.1, R1.3, R1.4, R1.10, R6.1)."""

from __future__ import annotations

import random

import pytest

from guessio.engine import match
from guessio.engine.match import events
from guessio.engine.match.deal import draw
from guessio.rules import codes, tunables
from guessio.rules.terms import MatchPhase, SeatNo, Skill, TableKind
from tests.kit.actors import Play
from tests.kit.builders import START_MS, a_match, a_random_deal, account


def test_it_offers_the_names_of_the_machine_protocol() -> None:
    assert match.KIND is TableKind.MATCH
    for name in ("State", "Event", "apply", "tick", "shift", "next_deadline", "is_over", "members", "engaged", "view_for", "results"):
        assert hasattr(match, name)


@pytest.mark.parametrize(("players", "length"), [(2, 4), (3, 5), (4, 6)])
def test_a_deal_holds_different_digits_of_the_right_length_for_every_round(players: int, length: int) -> None:
    """R1.1"""
    deal = a_random_deal(players, random.Random(7))
    assert len(deal.codes) == tunables.ROUNDS_MAX
    assert all(codes.validate(code, length) is None for code in deal.codes)
    assert len(set(deal.codes)) == 3


def test_a_deal_holds_a_nonce_a_round_and_a_seed() -> None:
    """R1.3: 128 random bits a round."""
    deal = a_random_deal(4, random.Random(7))
    assert [len(nonce) for nonce in deal.nonces] == [32, 32, 32]
    assert len(set(deal.nonces)) == 3
    assert len(deal.seed) == 64


def test_a_deal_shuffles_the_places_and_chooses_a_skill_a_seat() -> None:
    """R6.1, R6.2"""
    deals = [a_random_deal(3, random.Random(seed)) for seed in range(40)]
    assert all(sorted(order) == [0, 1, 2, 3, 4] for deal in deals for order in deal.reveal_orders)
    assert len({order for deal in deals for order in deal.reveal_orders}) > 20
    assert {skill for deal in deals for skill in deal.fallback_skills} == set(Skill)
    assert all(len(deal.fallback_skills) == 3 for deal in deals)


def test_a_deal_can_choose_among_given_skills_only() -> None:
    chance = random.Random(3)
    deal = draw(chance.randrange, lambda size: chance.randbytes(size).hex(), 4, (Skill.FREEZE,))
    assert set(deal.fallback_skills) == {Skill.FREEZE}


def test_without_skills_a_match_counts_down_five_seconds() -> None:
    """R1.10"""
    state = a_match(2)
    assert state.phase is MatchPhase.COUNTDOWN
    assert match.next_deadline(state) == START_MS + 5_000


def test_with_skills_the_first_seat_picks_first() -> None:
    """R6.1"""
    state = a_match(3, skills=())
    assert (state.phase, state.picker) == (MatchPhase.PICKING, 0)
    assert match.next_deadline(state) == START_MS + 10_000


def test_round_one_opens_when_the_countdown_is_over() -> None:
    """R1.4, R1.5, R1.10"""
    play = Play.of(3).wait(4_999)
    assert play.state.phase is MatchPhase.COUNTDOWN
    play.wait(1)
    assert play.events == (events.RoundStarted(1), events.TurnStarted(1, SeatNo(0)))
    assert match.next_deadline(play.state) == play.now_ms + 30_000


def test_members_keep_seat_order_and_everyone_seated_is_engaged() -> None:
    """R3.6"""
    play = Play.in_round(3)
    assert match.members(play.state) == tuple(account(seat) for seat in range(3))
    assert match.engaged(play.state) == match.members(play.state)
    play.forfeit(1)
    assert match.engaged(play.state) == (account(0), account(2))
    assert match.members(play.state) == tuple(account(seat) for seat in range(3))


def test_nobody_is_engaged_once_it_is_over() -> None:
    """R3.6"""
    play = Play.of(2)
    play.forfeit(0)
    assert match.is_over(play.state)
    assert match.engaged(play.state) == ()
