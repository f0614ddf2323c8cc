"""Skuffle Wammer on a desk whose places are known only roughly: what its players are asked before a roll counts."""

from __future__ import annotations

import math

from deskref.inputs import AutomatedSoldier, Setup
from deskref.session import Question, Session, TypedDie
from deskref.tabletop import figure_of
from deskref.words import CATALOGUE
from rules import skuffle, skuffle_doubt
from rules.skuffle_state import Attack, AttackKind, Game

WHOM, HOW_NEAR = "whom", "how_near"
"""What the keys of the two questions begin with: which of two enemies is the nearest, and whether it is melee."""


def doubts_of(session: Session, game: Game) -> dict[str, float]:
    """Return by soldier how far off its place may be, in mm; those without a figure, and sure ones, are left out."""
    figures = {s.id: figure_of(session.desk, session.bindings, s.id) for s in game.standing}
    return {soldier: f.doubt_mm for soldier, f in figures.items() if f is not None and f.doubt_mm}


def has_places(session: Session) -> bool:
    """Whether anybody knows where the soldiers stand: a camera, or the drawn table of a game against the desk.

    In other typed games the rules' places are only a row in which to keep the soldiers apart.
    """
    setup = session.setup
    if not isinstance(setup, Setup):
        return False
    return setup.with_camera or any(isinstance(soldier, AutomatedSoldier) for soldier in setup.soldiers)


def unknown_gap_mm(game: Game) -> float:
    """How far off a gap may be of which nothing is known, in mm: the play area's diagonal."""
    return round(math.hypot(*game.options.area_mm), 3)


def question_before(
    session: Session,
    game: Game,
    attack: Attack,
    *,
    value: int | None,
    die: int | None,
    entered: TypedDie | None,
    target: str | None,
    is_target_said: bool,
    is_kind_said: bool,
) -> Question | None:
    """Return what must be asked before an attack's roll counts; None where nothing hangs on a rough place.

    Args:
        session: with the desk that the places come from.
        game: in the attacker's turn.
        attack: as proposed, with how far off its gap may be.
        value: what the die shows; None while it cannot be read.
        die: its track on the desk, where it lies there.
        entered: the die, where it was entered.
        target: whom a player has named in an answer, to be kept with the next question.
        is_target_said: whether a player has named the target.
        is_kind_said: whether a player has named the kind of the attack.
    """
    attacker = game.soldier(attack.by)
    about = f"{die if die is not None else 'entered'}"
    if not is_target_said:
        near = skuffle_doubt.perhaps_nearest(game, attack.by, doubts_of(session, game))
        if len(near) > 1:
            choices = tuple((i, CATALOGUE.message("choice_value", value=game.soldier(i).label)) for i in near)
            message = CATALOGUE.message("task_whom", soldier=attacker.label)
            return Question(f"{WHOM}:{about}", message, choices, soldier=attacker.id, die=die, entered=entered)
    is_open = skuffle_doubt.is_kind_open(game, attack.by, attack.target, attack.gap_doubt_mm)
    if is_kind_said or not is_open or not skuffle_doubt.kind_decides(game, attack, value):
        return None
    aim, limit_mm = game.soldier(attack.target), game.options.melee_gap_mm
    message = CATALOGUE.message(
        "task_how_near",
        soldier=attacker.label,
        target=aim.label,
        gap_mm=max(0, round(skuffle.gap_mm(attacker, aim))),
        doubt_mm=math.ceil(attack.gap_doubt_mm),
        limit_mm=int(limit_mm) if limit_mm == int(limit_mm) else limit_mm,
    )
    kinds = ((AttackKind.MELEE.value, "choice_melee"), (AttackKind.RANGED.value, "choice_ranged"))
    return Question(
        f"{HOW_NEAR}:{about}",
        message,
        tuple((kind, CATALOGUE.message(code)) for kind, code in kinds),
        soldier=attacker.id,
        die=die,
        entered=entered,
        target=target,
    )
