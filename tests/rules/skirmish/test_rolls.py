"""The rolls of a Quick Skirmish: what the table is asked for, and the exact chances."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.cards import parse_card
from rules.ruling import DiceNeed
from rules.skirmish.damage import Condition, damage_chances
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.rolls import awaited_damage_chances, pending, skirmish_chances, soak_chances, trait_modifiers
from rules.skirmish.state import Action, Deal, Edition, Fighter, Options, Phase, Receive, Scene, Skirmish, Soak, Throw
from rules.skirmish.trait import trait_chance


def dealt(card: str = "9S", *fighters: Fighter, **options: Any) -> Scene:
    fighters = fighters or (Fighter("a", Condition(6), bennies=0, name="Anna"),)
    scene = new_scene(fighters, 6, Options(**options))
    return resolve(scene, Deal(((scene.heroes[0].id, parse_card(card)),))).state


def after(scene: Scene, *actions: Action) -> Scene:
    for action in actions:
        scene = resolve(scene, action).state
    return scene


def test_a_skirmish_roll_asks_for_both_dice() -> None:
    """Who throws what for what, what succeeds, what is added, and the chance."""
    scene = after(dealt("9C", competence=1), Skirmish("a", "Shooting", 8))
    roll = pending(scene)
    assert roll is not None
    assert (roll.who, roll.dice) == ("a", (DiceNeed(1, 8, "trait", aces=True), DiceNeed(1, 6, "wild", aces=True)))
    assert roll.purpose.text == "Anna rolls Shooting."
    assert roll.success.text == "4 or more on the better die, with -1: a success; 8 or more: a raise."
    assert [modifier.code for modifier in roll.modifiers] == ["competence", "clubs"]
    assert roll.chance == 1 - Fraction(4, 8) * Fraction(4, 6)
    assert [step.text for step in roll.steps] == [
        "The trait die d8:",
        "Throw 1 six-sided die: odd means the low half, even the high half.",
        "Throw it again: it counts as 1 to 4, plus what the halves add.",
        "A face above 4 does not count: throw it again.",
        "The wild die, of its own colour or apart from the other:",
        "Throw 1 six-sided die.",
    ]


def test_a_die_that_aced_is_asked_for_alone() -> None:
    """With the chance that is left."""
    roll = pending(after(dealt(), Skirmish("a", "Shooting", 8), Throw((3, 6))))
    assert roll is not None
    assert roll.dice == (DiceNeed(1, 6, "wild", aces=True, so_far=6),)
    assert roll.chance == 1
    assert [step.code for step in roll.steps] == ["step_wild", "throw_again", "throw_d6"]
    first = pending(after(dealt("9C"), Skirmish("a", "Shooting", 8), Throw((8, 3))))
    assert first is not None
    assert first.dice == (DiceNeed(1, 8, "trait", aces=True, so_far=8),)
    assert first.chance == 1


def test_spirit_and_soak_are_asked_for() -> None:
    """Their own words; an Extra throws the trait die alone."""
    shaken = Fighter("a", Condition(6, 0, True), spirit=10, name="Anna")
    roll = pending(dealt("J*B", shaken, edition=Edition.SWD))
    assert roll is not None
    assert roll.purpose.text == "Anna rolls Spirit to recover from Shaken."
    assert roll.success.text == "4 or more on the better die, with +2: no longer Shaken."
    assert [need.sides for need in roll.dice] == [10, 6]
    assert roll.chance == trait_chance(4, 10, modifier=2)
    dog = Fighter("d", Condition(5, is_wild_card=False), bennies=1, vigor=4, ally_of="a", name="Dog")
    soaking = after(
        dealt("9S", replace(shaken, condition=Condition(6), bennies=0), dog),
        Skirmish("a", "Shooting", 8),
        Throw((5, 2)),
        Receive("d"),
        Throw((5, 5)),
        Soak(),
    )
    roll = pending(soaking)
    assert roll is not None
    assert (roll.who, roll.purpose.text) == ("d", "Dog rolls Vigor to soak wounds.")
    assert roll.success.text == ("4 or more on the better die, with +0, cancels a wound, and every 4 more another.")
    assert (roll.dice, roll.chance) == ((DiceNeed(1, 4, "trait", aces=True),), Fraction(1, 4))


def test_damage_is_asked_for_and_then_its_sixes_again() -> None:
    """Throw all, then only the sixes."""
    scene = after(dealt(), Skirmish("a", "Shooting", 8), Throw((2, 3)))
    roll = pending(scene)
    assert roll is not None
    assert (roll.who, roll.dice) == ("a", (DiceNeed(3, 6, "damage", aces=True),))
    assert (roll.purpose.text, roll.success.text) == (
        "Damage to Anna.",
        "6 or more: Shaken; every full 4 above: a wound.",
    )
    assert [step.text for step in roll.steps] == ["Throw 3 six-sided dice together."]
    assert (roll.chance, roll.modifiers, roll.winning_faces) == (None, (), ())
    again = pending(after(scene, Throw((6, 1, 6))))
    assert again is not None
    assert again.dice == (DiceNeed(2, 6, "damage", aces=True, so_far=13),)
    assert [step.text for step in again.steps] == ["Throw the sixes again and add: 2."]


def test_nothing_is_asked_for_where_no_dice_are_awaited() -> None:
    """In a turn before it is declared, while a roll may be bought again, after the scene."""
    assert pending(dealt()) is None
    assert pending(new_scene((Fighter("a", Condition(6)),), 6)) is None
    rich = Fighter("a", Condition(6), bennies=1)
    waiting = after(dealt("9S", rich), Skirmish("a", "Shooting", 8), Throw((3, 2)))
    assert waiting.phase is Phase.ACCEPT
    assert pending(waiting) is None


def test_the_chances_of_a_skirmish_roll_make_one() -> None:
    """Failure, success and raise, with everything that is added."""
    scene = dealt("9C", Fighter("a", Condition(6, 2)), tactics=1)
    found = skirmish_chances(scene, Skirmish("a", "Shooting", 10, inspired=2))
    reached, raised = trait_chance(4, 10, modifier=-1), trait_chance(8, 10, modifier=-1)
    assert (found.failure, found.success, found.raise_) == (1 - reached, reached - raised, raised)
    assert found.failure + found.success + found.raise_ == 1
    extra = dealt("9S", Fighter("a", Condition(6, is_wild_card=False)))
    assert skirmish_chances(extra, Skirmish("a", "Shooting", 4)).failure == Fraction(3, 4)


def test_the_chances_of_a_soak_roll() -> None:
    """At least one cancelled, at least two, as many as there are wounds."""
    rich = Fighter("a", Condition(4, 1), vigor=8, bennies=1)
    scene = after(dealt("9S", rich, may_reroll=False), Skirmish("a", "x", 8), Throw((2, 3)), Throw((5, 4, 3)))
    assert scene.phase is Phase.SOAK
    assert soak_chances(scene, "a") == (trait_chance(4, 8, modifier=-1), trait_chance(8, 8, modifier=-1))
    assert soak_chances(dealt(), "a") == ()
    dog = Fighter("d", Condition(2, is_wild_card=False), vigor=6, bennies=1, ally_of="a")
    hero = Fighter("a", Condition(6), bennies=0)
    bitten = after(dealt("9S", hero, dog), Skirmish("a", "x", 8), Throw((5, 3)), Receive("d"), Throw((2, 4)))
    assert soak_chances(bitten, "d") == (Fraction(1, 2),)


def test_the_chances_of_the_damage_to_come() -> None:
    """Of whoever takes it."""
    scene = after(dealt(), Skirmish("a", "x", 8), Throw((2, 3)))
    assert awaited_damage_chances(scene) == damage_chances(Condition(6), 3)
    assert awaited_damage_chances(dealt()) is None
    choosing = after(
        dealt("9S", Fighter("a", Condition(6), bennies=0), Fighter("d", Condition(5), ally_of="a")),
        Skirmish("a", "x", 8),
        Throw((5, 3)),
    )
    assert awaited_damage_chances(choosing) is None


def test_an_extras_only_wound_burdens_no_roll() -> None:
    """It is out by then; the Soak roll against a first wound has no older one."""
    extra = Fighter("d", Condition(5, 1, is_wild_card=False), ally_of="a")
    scene = dealt("9S", Fighter("a", Condition(6, 1)), extra)
    assert trait_modifiers(scene, scene.fighter("d")) == ()
    assert [reason.amount for reason in trait_modifiers(scene, scene.fighter("a"))] == [-1]
