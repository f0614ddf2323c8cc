"""What a game came to, from its pages: the course of everybody's pool or wounds, hits against expectation, luck.

It is made from the session alone: pages that were taken back are in no report.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from deskref.inputs import AnySetup, Source, side_number
from deskref.luck import Luck, luck_of
from deskref.rule_sets import rule_set_of
from deskref.session import AnyGame, Pages, PlayedGame, Session, Step
from deskref.skuffle_report import winning_side
from rules import skuffle, skuffle_state
from rules.ruling import IllegalActionError
from rules.skirmish import rolls as skirmish_rolls
from rules.skirmish import state as skirmish_state
from rules.skirmish import trait
from rules.world_saga import actions as combat_actions
from rules.world_saga import combat as combat_rules
from rules.world_saga.state import Combat


@dataclass(frozen=True, slots=True)
class Line:
    """The course of one number over the game."""

    who: str
    """Id of whose number it is; empty for the table's."""
    name: str
    measure: str
    """Id of its word in the catalogue, with `report_` before it: `pool`, `wounds`, `stamina`, `tokens`."""
    values: tuple[int, ...]
    """After each page of the game, the first before anything was played."""
    side: int = 0
    """Number of whose side it is, as on the table's page; it decides the colour."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """How often somebody's rolls succeeded, and how often that was to be expected."""

    who: str
    name: str
    rolls: int
    successes: int
    expected: float
    """Sum of the exact chances that were known before each roll."""


@dataclass(frozen=True, slots=True)
class Throws:
    """The luck of somebody's dice of one kind."""

    who: str
    name: str
    luck: Luck
    by_source: tuple[tuple[Source, int], ...]
    """How many were read by the camera, typed and simulated."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, or how it stands."""

    game: str
    """The rule set's name."""
    is_over: bool
    rounds: int
    winners: tuple[str, ...]
    """Names of those who have won."""
    side: tuple[str, ...] = ()
    """Names of all who played on their side, where the rules let only some of them win: those who still stand."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a game came to."""

    game: str
    """The rule set's name."""
    is_over: bool
    rounds: int
    winners: tuple[str, ...]
    """Names of those who have won."""
    lines: tuple[Line, ...]
    attempts: tuple[Attempts, ...]
    throws: tuple[Throws, ...]
    side: tuple[str, ...] = ()
    """As in `Outcome`."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    who: str
    chance: Fraction
    is_success: bool


@dataclass(frozen=True, slots=True)
class _Thrown:
    who: str
    sides: int
    value: int
    source: Source


def outcome_of(session: Session | PlayedGame) -> Outcome | None:
    """Return how a session's game, or an earlier one, stands; None before it has begun."""
    game, setup = session.book.game, session.setup
    if game is None or setup is None:
        return None
    names = _names(game)
    winners = tuple(names.get(who, who) for who in _winners(game))
    side = winning_side(game) if isinstance(game, skuffle_state.Game) else ()
    members = tuple(names.get(who, who) for who in side) if len(side) > len(winners) else ()
    return Outcome(rule_set_of(setup).name, game.phase.value == "over", game.round, winners, members)


def is_going_on(session: Session | PlayedGame) -> bool:
    """Return whether something was played that is not over: what a new game would end for good."""
    outcome = outcome_of(session)
    return outcome is not None and not outcome.is_over and bool(session.past)


def report_of(session: Session | PlayedGame) -> Report | None:
    """Return the report of a session's game, or of an earlier one; None before it has begun."""
    outcome, game, setup = outcome_of(session), session.book.game, session.setup
    if outcome is None or game is None or setup is None:
        return None
    past = session.past
    books = (*(book for book, _ in past), session.book)
    games = [book.game for book in books if book.game is not None]
    attempts = list(_attempts(past, setup))
    thrown = list(_thrown(past))
    names = _names(game)
    return Report(
        game=outcome.game,
        is_over=outcome.is_over,
        rounds=outcome.rounds,
        winners=outcome.winners,
        lines=tuple(replace(line, side=side_number(setup, line.who)) for line in _lines(games)),
        attempts=_summed(attempts, names),
        throws=_luck(thrown, names),
        side=outcome.side,
    )


def report_as_json(report: Report) -> dict[str, Any]:
    """Give a report as a JSON object."""
    return {
        "format": "deskref-report/1",
        "game": report.game,
        "over": report.is_over,
        "rounds": report.rounds,
        "winners": list(report.winners),
        "winning_side": list(report.side or report.winners),
        "course": [{"who": line.name, "measure": line.measure, "values": list(line.values)} for line in report.lines],
        "rolls": [
            {"who": a.name, "rolls": a.rolls, "successes": a.successes, "expected": round(a.expected, 3)}
            for a in report.attempts
        ],
        "dice": [
            {
                "who": t.name,
                "sources": {source.value: count for source, count in t.by_source},
                **luck_as_json(t.luck),
            }
            for t in report.throws
        ],
    }


def luck_as_json(luck: Luck) -> dict[str, Any]:
    """Give a test of dice as a JSON object."""
    return {
        "sides": luck.sides,
        "counts": list(luck.counts),
        "throws": luck.throws,
        "mean": round(luck.mean, 4),
        "chi_square": round(luck.chi_square, 4),
        "p": round(luck.p, 5),
        "verdict": luck.verdict.value,
    }


def _names(game: AnyGame) -> dict[str, str]:
    match game:
        case skuffle_state.Game():
            return {s.id: s.label for s in game.soldiers}
        case skirmish_state.Scene():
            return {f.id: f.label for f in game.fighters}
        case _:
            groups = {c.entry: c.entry for c in game.combatants}
            return groups | {c.id: c.label for c in game.combatants}


def _winners(game: AnyGame) -> tuple[str, ...]:
    match game:
        case skirmish_state.Scene():
            won = game.result is skirmish_state.Result.VICTORY
            return tuple(hero.id for hero in game.heroes) if won else ()
        case _:
            return game.winners


def _lines(games: list[AnyGame]) -> Iterator[Line]:
    """The courses worth drawing: pools, or wounds with the foes' tokens, or Stamina and wounds."""
    first = games[0]
    match first:
        case skuffle_state.Game():
            for s in first.soldiers:
                pools = (g.soldier(s.id).pool for g in games if isinstance(g, skuffle_state.Game))
                yield Line(s.id, s.label, "pool", tuple(pools))
        case skirmish_state.Scene():
            scenes = [g for g in games if isinstance(g, skirmish_state.Scene)]
            yield Line("", "", "tokens", tuple(scene.tokens_left for scene in scenes))
            for f in first.fighters:
                wounds = tuple(scene.fighter(f.id).condition.wounds for scene in scenes)
                yield Line(f.id, f.label, "wounds", wounds)
        case _:
            combats = [g for g in games if isinstance(g, Combat)]
            for c in first.combatants:
                stamina = [combat.get(c.id).stamina for combat in combats]
                known = tuple(value for value in stamina if value is not None)
                if len(known) == len(combats):
                    yield Line(c.id, c.label, "stamina", known)
                yield Line(c.id, c.label, "wounds", tuple(combat.get(c.id).wounds for combat in combats))


def _attempts(past: Pages, setup: AnySetup) -> Iterator[_Attempt]:
    """Every roll that the rules resolved, with the chance that was known before it."""
    resolve = rule_set_of(setup).resolve
    opened: _Attempt | None = None
    for book, step in past:
        game = book.game
        for action in step.actions:
            chance = _chance(game, action)
            try:
                ruling = resolve(game, action)
            except (IllegalActionError, ValueError):
                break  # a step that another version of the rules allowed
            if chance is not None and opened is None:
                opened = _Attempt(chance[0], chance[1], False)
            success = _is_success(action, ruling.outcome, game)
            if opened is not None and success is not None:
                yield _Attempt(opened.who, opened.chance, success)
                opened = None
            game = ruling.state


def _chance(game: Any, action: Any) -> tuple[str, Fraction] | None:
    """Who rolls with this action, and the exact chance of success; None for what is no test of success."""
    match action:
        case skuffle_state.Die():
            pending = skuffle.pending(game)
        case skirmish_state.Throw():
            pending = skirmish_rolls.pending(game)
        case combat_actions.Roll():
            pending = combat_rules.pending(game)
        case _:
            return None
    return None if pending is None or pending.chance is None else (pending.who, pending.chance)


def _is_success(action: Any, outcome: Any, game: Any) -> bool | None:
    """Whether an action's roll succeeded; None where it decides nothing yet (a die is thrown again) or is no test."""
    match action:
        case skuffle_state.Die():
            return outcome.event is not skuffle_state.Event.MISS
        case skirmish_state.Throw():
            is_damage = game.roll is not None and game.roll.kind is skirmish_state.RollKind.DAMAGE
            if is_damage or outcome.event is skirmish_state.Event.THROWN_AGAIN:
                return None
            return bool(outcome.total is not None and outcome.total >= trait.TARGET)
        case combat_actions.Roll():
            return outcome.result.is_success if outcome.result is not None else None
        case _:
            return None


def _thrown(past: Pages) -> Iterator[_Thrown]:
    """Every die that was counted, with whose it was."""
    for book, step in past:
        game = book.game
        if isinstance(game, skuffle_state.Game):
            yield from _skuffle_die(game, step)
        elif step.dice and step.actions:
            # The roll that these dice were entered for was awaited on this page already.
            yield from _entered(game, step)


def _skuffle_die(game: skuffle_state.Game, step: Step) -> Iterator[_Thrown]:
    attack = next((a for a in step.actions if isinstance(a, skuffle_state.Attack)), None)
    by = attack.by if attack is not None else game.attack.by if game.attack is not None else None
    die = next((a.value for a in step.actions if isinstance(a, skuffle_state.Die)), None)
    if by is not None and die is not None:
        yield _Thrown(by, 6, die, step.source or Source.TYPED)


def _entered(game: AnyGame | None, step: Step) -> Iterator[_Thrown]:
    pending = None
    if isinstance(game, skirmish_state.Scene):
        pending = skirmish_rolls.pending(game)
    elif isinstance(game, Combat):
        pending = combat_rules.pending(game)
    if pending is None:
        return
    sides = [need.sides for need in pending.dice for _ in range(need.count)]
    who = _thrower(game, pending.who)
    for die, kind in zip(step.dice, sides, strict=False):
        yield _Thrown(who, kind, die.value, die.source)


def _thrower(game: AnyGame | None, who: str) -> str:
    """Whose luck a roll is: damage to a hero is not his own roll, so it counts for the table."""
    is_damage = isinstance(game, skirmish_state.Scene) and game.phase is skirmish_state.Phase.DAMAGE
    return "" if is_damage else who


def _summed(attempts: list[_Attempt], names: dict[str, str]) -> tuple[Attempts, ...]:
    by_who: dict[str, list[_Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_who[attempt.who].append(attempt)
    return tuple(
        Attempts(
            who,
            names.get(who, who),
            len(each),
            sum(a.is_success for a in each),
            float(sum((a.chance for a in each), Fraction(0))),
        )
        for who, each in sorted(by_who.items())
    )


def _luck(thrown: list[_Thrown], names: dict[str, str]) -> tuple[Throws, ...]:
    by_kind: dict[tuple[str, int], list[_Thrown]] = defaultdict(list)
    for each in thrown:
        by_kind[each.who, each.sides].append(each)
    return tuple(
        Throws(
            who,
            names.get(who, who),
            luck_of((die.value for die in dice), sides),
            tuple((source, count) for source in Source if (count := sum(d.source is source for d in dice))),
        )
        for (who, sides), dice in sorted(by_kind.items())
    )
