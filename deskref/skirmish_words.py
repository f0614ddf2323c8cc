"""The application's English sentences about a Quick Skirmish: what the referee says and what the page shows."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

WORDS: Final = {
    # what the referee says
    "qs_begins": "The skirmish begins: {tokens} tokens stand for the foes.",
    "qs_turn": "{who}, it is your turn.",
    "qs_dealt": "Round {round}: the cards are dealt.",
    "qs_thrown_again": "{who}: the highest face! Throw that die again and add.",
    "qs_recovered": "{who} is no longer Shaken.",
    "qs_still_shaken": "{who} stays Shaken.",
    "qs_declared": "{who} rolls {trait}.",
    "qs_reroll": "{who} spends a Benny and rolls again.",
    "qs_failure": "{who} fails: {dice}d6 damage.",
    "qs_success": "{who} takes a token: {left} left. {dice}d6 damage.",
    "qs_raise": "{who} makes a raise and takes {taken}: {left} left.",
    "qs_may_reroll": "{who} makes {total}. Keep it, or spend a Benny?",
    "qs_receiver": "{who} takes the damage: {dice}d6.",
    "qs_unhurt": "{who} is not hurt.",
    "qs_shaken": "{who} is Shaken.",
    "qs_may_soak": "{who} is about to take wounds: {wounds}. Soak them?",
    "qs_soaking": "{who} rolls Vigor to soak.",
    "qs_soaked": "{who} soaks every wound.",
    "qs_wounded": "{who} takes wounds: {wounds}.",
    "qs_incapacitated": "{who} is incapacitated.",
    "qs_delayed": "{who} waits with a Joker.",
    "qs_stepped_in": "{who} steps in.",
    "qs_left": "{who} leaves the fight.",
    "qs_adjusted": "The game master puts {who} right.",
    "qs_circumstances": "The game master changes the circumstances.",
    "qs_awarded": "{who} has most tokens and gets a Benny.",
    "qs_victory": "Victory: no tokens are left.",
    "qs_defeat": "Defeat: nobody is left to fight, and tokens remain: {left}.",
    # what may be done
    "qs_do_receive": "{who} takes the damage",
    "qs_do_accept": "Keep the roll",
    "qs_do_reroll": "Benny: roll again",
    "qs_do_soak": "Benny: soak",
    "qs_do_take": "Take the wounds",
    "qs_do_delay": "{who} waits (Joker)",
    "qs_do_step_in": "{who} steps in now",
    "qs_do_unshake": "Benny: {who} is no longer Shaken",
    "qs_do_leave": "{who} leaves the fight",
    "qs_do_award": "Benny for {who}",
    # the page
    "qs_card_turn": "Turn",
    "qs_card_heroes": "Heroes",
    "qs_card_gm": "Game master",
    "qs_round": "Round {round} · tokens left: {tokens}",
    "qs_over_victory": "The heroes have won in round {round}.",
    "qs_over_defeat": "The heroes are beaten in round {round}.",
    "qs_deal": "Deal the action cards.",
    "qs_deal_button": "Deal from the deck (C)",
    "qs_deal_typed": "Dealt by hand",
    "qs_deal_hint": "Rank and suit, as 9C, 10H or AS; J*B and J*R are the Jokers.",
    "qs_declare": "{who}: choose a trait that fits the story, then roll.",
    "qs_trait": "Trait",
    "qs_die": "Die",
    "qs_inspired": "Inspired",
    "qs_untrained": "Lacks the skill",
    "qs_roll_button": "Roll {trait} (Enter)",
    "qs_chances": "Raise {raise_} %, success {success} %, failure {failure} %.",
    "qs_chance": "Chance: {chance} %.",
    "qs_damage_chances": "Unhurt {nothing} %, Shaken {shaken} %, wounds {wounds} %, incapacitated {out} %.",
    "qs_soak_chances": "Chance to cancel {chances}.",
    "qs_soak_chance": "{count} or more: {chance} %",
    "qs_competence": "Competence",
    "qs_tactics": "Tactics",
    "qs_change": "Change",
    "qs_why": "Why",
    "qs_gm_failure": "GM: failure",
    "qs_gm_success": "GM: success",
    "qs_gm_raise": "GM: raise",
    "qs_gm_decides": "So decided.",
    "qs_who": "Who",
    "qs_wounds": "Wounds",
    "qs_shaken_flag": "Shaken",
    "qs_out_flag": "Incapacitated",
    "qs_bennies": "Bennies",
    "qs_tokens": "Tokens",
    "qs_put_right": "Put right",
    "qs_state": "{card} tokens {tokens} · wounds {wounds} · Bennies {bennies}",
    "qs_state_shaken": "Shaken",
    "qs_state_out": "incapacitated",
    "qs_state_left": "has left",
    # the form
    "qs_form": "New Quick Skirmish",
    "qs_foes": "Tokens of the foes",
    "qs_edition": "Edition",
    "qs_swade": "Adventure Edition",
    "qs_swd": "Deluxe",
    "qs_name": "Name",
    "qs_toughness": "Toughness",
    "qs_spirit": "Spirit",
    "qs_vigor": "Vigor",
    "qs_ally_of": "Ally of",
    "qs_hero": "(a hero)",
    "qs_milestone_leave": "May leave at tokens (0: never)",
    "qs_milestone_bonus": "+1 to the next roll at tokens (0: never)",
    "qs_benny_most": "A Benny for most tokens",
    "qs_add": "Add a hero",
    "qs_start": "Start",
    "qs_cancel": "Cancel",
    "qs_remove": "Remove {who}",
    "qs_wrong_name": "Every hero needs a name.",
    "qs_wrong_twice": "Two heroes are called {who}.",
    "qs_wrong_number": "Fill in every number.",
    "qs_wrong_none": "A skirmish needs a hero who is nobody's ally.",
    "qs_wrong_ally": "{who} is the ally of somebody who is no hero here.",
}

CATALOGUE: Final = Catalogue(WORDS)


def say(code: str, **params: str | int) -> str:
    """Return a sentence of the page."""
    return CATALOGUE.text(code, params)


def percent(chance: float) -> int:
    """Return a chance in whole percent, as the page shows it."""
    return round(100 * chance)
