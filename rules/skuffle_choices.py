"""Skuffle Wammer before the roll: what hits, which bonuses the table suggests, and what a player may do now."""

from __future__ import annotations

from fractions import Fraction

from rules.ruling import DiceNeed, Pending, Reason, total
from rules.sight import reaches, whole_percent
from rules.skuffle_checks import gap_mm
from rules.skuffle_state import (
    Action,
    Attack,
    AttackKind,
    Breed,
    Cancel,
    Die,
    Game,
    Move,
    Options,
    Overrule,
    Pass,
    Phase,
    Soldier,
    Start,
    Tipped,
)
from rules.skuffle_words import BONUS, CATALOGUE

NEEDED = {AttackKind.RANGED: 4, AttackKind.MELEE: 3}
"""The modified value that hits (Skuffle Wammer, Gameplay)."""

GHOUL_NEEDED = 1
"""A ghoul hits on 1 or more (the author's expansion)."""

ATTACK_BONUS = 1
"""What the attacker's bonus adds to the die (Skuffle Wammer, Bonus points)."""

DEFENCE_BONUS = -1
"""What the target's bonus takes from the attacker's die (Skuffle Wammer, Bonus points)."""


def needed_value(attacker: Soldier, kind: AttackKind) -> int:
    """Return the modified value with which the attacker hits."""
    return GHOUL_NEEDED if attacker.breed is Breed.GHOUL else NEEDED[kind]


def hit_chance(needed: int, modifier: int = 0) -> Fraction:
    """Return the exact chance that a die with the modifier reaches the value needed."""
    return Fraction(len(hitting_faces(needed, modifier)), 6)


def hitting_faces(needed: int, modifier: int = 0) -> tuple[int, ...]:
    """Return the faces that hit. Reading: natural 1 and 6 have no meaning of their own."""
    return tuple(face for face in range(1, 7) if face + modifier >= needed)


def cover_reason(by: str, hidden_share: float) -> Reason:
    """Return the reason for the target's bonus behind a thing, of which `hidden_share` (0 to 1) is hidden."""
    return CATALOGUE.reason("cover", BONUS, DEFENCE_BONUS, by=by, percent=whole_percent(hidden_share))


def vantage_reason(by: str, height_mm: float) -> Reason:
    """Return the reason for the attacker's bonus on a thing, standing `height_mm` higher than the target."""
    return CATALOGUE.reason("vantage", BONUS, ATTACK_BONUS, by=by, height_mm=round(height_mm))


def propose_cover(options: Options, by: str, hidden_share: float) -> tuple[Reason, ...]:
    """Return the target's bonus that the geometry suggests: none below the share agreed on."""
    return (cover_reason(by, hidden_share),) if reaches(hidden_share, options.cover_share) else ()


def propose_vantage(options: Options, by: str, height_mm: float) -> tuple[Reason, ...]:
    """Return the attacker's bonus that the geometry suggests: none below the height agreed on."""
    return (vantage_reason(by, height_mm),) if height_mm >= options.vantage_mm else ()


def propose_kind(game: Game, by: str, target: str) -> AttackKind:
    """Return the attack that the gap between two bases suggests; the player may choose the other."""
    near = gap_mm(game.soldier(by), game.soldier(target)) <= game.options.melee_gap_mm
    return AttackKind.MELEE if near else AttackKind.RANGED


def targets(game: Game, by: str) -> tuple[str, ...]:
    """Return the ids that a soldier may attack, nearest first; empty where it may not attack at all."""
    attacker = game.soldier(by)
    if game.phase is not Phase.TURN or attacker.is_dead or attacker.pool < 1:
        return ()
    if game.options.strict and by != game.current:
        return ()
    others = (soldier for soldier in game.standing if soldier.id != by)
    return tuple(soldier.id for soldier in sorted(others, key=lambda soldier: gap_mm(attacker, soldier)))


def legal_actions(game: Game) -> tuple[type[Action], ...]:
    """Return the kinds of action that go the game on now, for the one whose turn it is."""
    match game.phase:
        case Phase.SETUP:
            return (Start,)
        case Phase.TURN:
            can_attack = bool(targets(game, str(game.current)))
            return (Move, Attack, Pass) if can_attack else (Move, Pass)
        case Phase.AWAIT_DIE:
            return (Die, Cancel, Overrule)
        case Phase.AWAIT_TIP:
            return (Tipped,)
        case Phase.OVER:
            return ()


def pending(game: Game) -> Pending | None:
    """Return the roll that the game waits for, or None."""
    attack = game.attack
    if attack is None:
        return None
    attacker, target = game.soldier(attack.by).label, game.soldier(attack.target).label
    faces = hitting_faces(attack.needed, total(attack.modifiers))
    purpose = "attack_at_range" if attack.kind is AttackKind.RANGED else "attack_hand_to_hand"
    success = CATALOGUE.message("always_hits") if faces[0] == 1 else CATALOGUE.message("face_hits", face=faces[0])
    return Pending(
        who=attack.by,
        dice=(DiceNeed(1, 6, "attack"),),
        purpose=CATALOGUE.message(purpose, soldier=attacker, target=target),
        success=success,
        winning_faces=faces,
        modifiers=attack.modifiers,
        chance=Fraction(len(faces), 6),
        steps=(CATALOGUE.message("throw_attack_die", soldier=attacker),),
    )
