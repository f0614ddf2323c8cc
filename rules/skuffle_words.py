"""The English sentences of Skuffle Wammer, and the names of its rules."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

SETUP: Final = "Skuffle Wammer, Setup"
GAMEPLAY: Final = "Skuffle Wammer, Gameplay"
DAMAGE: Final = "Skuffle Wammer, Damage"
BONUS: Final = "Skuffle Wammer, Bonus points"
EXPANSION: Final = "Skuffle Wammer with ghouls"
WINNER: Final = "Skuffle Wammer, Winner"
GAME_MASTER: Final = "the game master"
"""Source of a decision that a person took in place of the rules."""

WORDS: Final = {
    # reasons
    "pools_dealt": "A game of {minutes} {minutes:minute|minutes}: dice beside each soldier: {dice}.",
    "own_pool": "{soldier} starts with its own number of dice: {dice}.",
    "ghoul_pool": "{soldier} is a ghoul and starts with one die fewer, but never with none: {dice}.",
    "first_turn": "{soldier} is closest to the middle of the near edge, where you sit, and goes first.",
    "first_turn_seat": "{soldier} is closest to the seat that you agreed on and goes first.",
    "die_spent": "{soldier} takes a die from its pool to attack; left: {left}.",
    "die_shows": "The die shows {value}.",
    "cover": "Cover behind {by} ({percent} % hidden).",
    "vantage": "A vantage point on {by}, {height_mm} mm higher.",
    "one_bonus": "{soldier} has that bonus already; more of the same adds nothing.",
    "source_used": "{by} already gives {soldier} the other bonus; one thing never gives both.",
    "reaches": "{modified} reaches {needed}: a hit.",
    "falls_short": "{modified} falls short of {needed}: a miss.",
    "gm_hit": "The game master rules a hit: {why}",
    "gm_miss": "The game master rules a miss: {why}",
    "damage": "{soldier} takes damage and loses a die; left: {left}.",
    "damage_below_zero": "{soldier} has no die left to lose: its pool goes to {left}.",
    "death": "Damage brought the pool of {soldier} to {left}: it is dead. Tip it on its side.",
    "one_side_stands": "Only one side is standing.",
    "no_dice_left": "No dice are left in the play area.",
    "winner": "{winners} wins.",
    "winners": "{winners} win together.",
    "shared": "{winners} share the win.",
    "moved": "{soldier} moves {distance_mm} mm.",
    "moved_about": "{soldier} moves.",
    "passed": "{soldier} does nothing this turn.",
    "die_returned": "The attack is taken back: the die returns to the pool of {soldier}, now {left}.",
    "tipped": "{soldier} lies on its side.",
    "repositioned": "The place of {soldier} is put right; this is no move.",
    "gm_alive": "The game master puts {soldier} right: alive, dice: {left}. {why}",
    "gm_dead": "The game master puts {soldier} right: dead. {why}",
    # advice
    "out_of_turn": "It is the turn of {current}; {soldier} acts early and will not act again this round.",
    "friend_attacked": "{target} is on the side of {soldier}. The rules allow it.",
    "melee_gap": "{target} is {gap_mm} mm away; melee is meant up to {limit_mm} mm.",
    "target_hidden": "Nothing of {target} can be seen from {soldier}.",
    "area_left": "{soldier} would stand outside the play area.",
    "base_overlap": "{soldier} would stand on the base of {other}.",
    "move_too_far": "{soldier} moves {distance_mm} mm; {limit_mm} mm are agreed.",
    "stalemate_possible": "Nobody has attacked for two rounds. You may call it a shared win.",
    # refusals
    "too_few": "A game needs 2 soldiers or more, not {count}. Put down another.",
    "same_id": "Two soldiers are called {soldier}. Give one of them another name.",
    "not_inside": "{soldier} stands outside the play area. Move it inside, then start.",
    "only_one_side": "All soldiers are on one side. Put somebody on another side, then start.",
    "no_dice_at_all": "Nobody has a die. Give somebody dice, then start.",
    "already_started": "The game has started. End it before you start another.",
    "not_started": "The game has not started. Start it first.",
    "game_over": "The game is over. Start another, or take back the last step.",
    "die_awaited": "{soldier} has taken a die to attack. Roll it, or take the attack back.",
    "no_attack": "No attack is under way. Declare one first.",
    "tip_awaited": "{soldier} is dead. Tip it on its side and take its last die away, then go on.",
    "tip_awaited_no_die": "{soldier} is dead. Tip it on its side, then go on. It had no die left to take away.",
    "nobody_to_tip": "Nobody has just died, so nobody is tipped. Go on with the turn of {current}.",
    "other_to_tip": "{soldier} has not just died. Tip {fallen}.",
    "unknown_soldier": "There is no soldier {soldier} in this game. There are: {known}.",
    "actor_dead": "{soldier} is dead and takes no more turns. It is the turn of {current}.",
    "attacker_dead": "{soldier} is dead and cannot attack. It is the turn of {current}.",
    "no_dice": "{soldier} has no dice left and cannot attack. It can move.",
    "target_dead": "{target} is already dead. Attack somebody who stands: {standing}.",
    "own_target": "{soldier} cannot attack itself. Attack somebody else: {standing}.",
    "not_your_turn": "It is the turn of {current}, not of {soldier}. Let {current} move, attack or pass.",
    "too_far_for_melee": "{target} is {gap_mm} mm away; melee reaches {limit_mm} mm. Attack at range, or move closer.",
    "out_of_sight": "Nothing of {target} can be seen from {soldier}. Move, or attack somebody else.",
    "outside_area": "{soldier} would stand outside the play area. Move inside it.",
    "on_base": "{soldier} would stand on the base of {other}. Move beside it.",
    "too_far": "{soldier} would move {distance_mm} mm; {limit_mm} mm are allowed. Move less.",
    "living_pool": "A living soldier has 0 dice or more, not {pool}. Give {soldier} dice, or declare it dead.",
    "dead_pool": "A dead soldier has no dice, not {pool}. Take the dice of {soldier} away.",
    "nobody_left": "Somebody has to be left standing. Leave {soldier} alive.",
    # the roll
    "attack_at_range": "{soldier} shoots at {target}.",
    "attack_hand_to_hand": "{soldier} strikes at {target}.",
    "face_hits": "{face} or more on the die hits.",
    "always_hits": "Every face of the die hits.",
    "throw_attack_die": "Throw the die taken from the pool of {soldier}; throw it again if it lies askew or falls off.",
}

CATALOGUE: Final = Catalogue(WORDS)
