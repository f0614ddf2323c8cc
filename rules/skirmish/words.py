"""The English sentences of the Quick Skirmish, and the names of its rules."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

QUICK_SKIRMISH: Final = "Quick Skirmish"
MILESTONES: Final = "Quick Skirmish, milestones"
ACTION_CARDS: Final = "Savage Worlds, Action cards"
TRAIT_ROLLS: Final = "Savage Worlds, Trait rolls"
DAMAGE: Final = "Savage Worlds, Damage"
SOAK: Final = "Savage Worlds, Soak rolls"
BENNIES: Final = "Savage Worlds, Bennies"
GAME_MASTER: Final = "the game master"
"""Source of a decision that a person took in place of the rules."""

WORDS: Final = {
    # trait rolls
    "trait_die": "Trait die d{sides}: {faces}.",
    "trait_die_lower": "Trait die d{sides}: {faces}, which is lower and does not count.",
    "wild_die": "Wild die d{sides}: {faces}.",
    "wild_die_lower": "Wild die d{sides}: {faces}, which does not count.",
    "critical_failure": "Both dice show a natural 1: a critical failure, whatever is added.",
    "trait_failure": "{total} is below {target}: a failure.",
    "trait_success": "{total} reaches {target}: a success.",
    "trait_raise": "{total} reaches {target}; full steps of 4 above it: {raises}. A raise.",
    # modifiers
    "competence": "How the foes compare with the heroes.",
    "tactics": "A tactical advantage.",
    "clubs": "Complication: the action card is of Clubs.",
    "joker": "The action card is a Joker.",
    "still_shaken": "{who} is still Shaken.",
    "wound_penalty": "Wounds of {who}: {wounds}; the penalty is at most 3.",
    "inspired": "An inspiring description.",
    "untrained": "{who} lacks the skill.",
    "milestone_bonus": "A milestone of {who}.",
    # damage
    "damage_die": "Damage die: {faces}.",
    "below_toughness": "{damage} is below Toughness {toughness}: nothing happens.",
    "becomes_shaken": "{damage} is {margin} over Toughness {toughness}: Shaken.",
    "shaken_twice": "{damage} is {margin} over Toughness {toughness}, and who is Shaken already takes a wound.",
    "wounds_dealt": "{damage} is {margin} over Toughness {toughness}: Shaken, and a wound for every full 4: {wounds}.",
    "wounds_soaked": "The Soak roll cancels wounds: {cancelled}; left to take: {left}.",
    "soaked_all": "No wound is left, so Shaken goes too.",
    "wounds_taken": "Wounds taken: {new_wounds}; now {wounds}.",
    "incapacitated": "A Wild Card bears wounds up to {bears}: incapacitated.",
    "extra_out": "An Extra is out at the first wound.",
    # the scene
    "drawn": "{who} draws the {card}.",
    "deck_ran_out": "The deck has run out: the discards are shuffled.",
    "joker_bennies": "{who} has a Joker: every player gets a Benny.",
    "recovered": "{who} is no longer Shaken and acts as usual.",
    "not_recovered": "{who} stays Shaken: -2 to the skirmish roll.",
    "token_taken": "{who} takes tokens: {taken}; left on the table: {left}.",
    "takes_damage": "Damage: {dice}d6.",
    "receives": "{who} takes the damage of {dice}d6.",
    "unhurt": "Nobody is hurt.",
    "may_leave": "Milestone of {who} at {tokens}: may leave the fight.",
    "milestone_next_roll": "Milestone of {who} at {tokens}: {bonus} to the next skirmish roll.",
    "milestone_note": "Milestone of {who} at {tokens}: {note}",
    "benny_spent": "{who} spends a Benny; left: {left}.",
    "unshaken": "{who} is no longer Shaken.",
    "kept": "The new roll makes {made}; the better one of {total} is kept.",
    "delays": "{who} has a Joker and waits for the right moment.",
    "steps_in": "{who} steps in.",
    "leaves": "{who} leaves the fight.",
    "pile_empty": "No tokens are left: the heroes are victorious.",
    "nobody_fights": "Nobody is left to fight and tokens remain: the heroes are beaten.",
    "most_tokens": "{who} has most tokens and gets a Benny.",
    "most_tokens_tie": "Most tokens: {who}. The game master chooses who gets a Benny.",
    "reshuffle": "A Joker was dealt: shuffle the whole deck.",
    "gm_decides": "The game master decides: {level}. {why}",
    "gm_adjusts": "The game master puts {who} right. {why}",
    "gm_circumstances": "The game master sets competence to {competence} and tactics to {tactics}. {why}",
    # advice
    "incapacitated_swade": "Vigor roll: death on a critical failure; else an injury, permanent and Bleeding Out on a "
    "failure, until healed on a success, for 24 hours on a raise. A person settles that.",
    "incapacitated_swd": "Vigor roll: death on a total of 1 or less, a permanent injury and Bleeding Out on a failure. "
    "A person settles that.",
    # refusals
    "scene_over": "The scene is over. Start another, or take back the last step.",
    "awaits_deal": "The round begins with action cards. Deal one to each: {who}.",
    "awaits_turn": "It is the turn of {who}. Declare a skirmish roll.",
    "awaits_spirit": "{who} is Shaken. Roll Spirit first, or spend a Benny.",
    "awaits_dice": "The dice of {who} are awaited. Throw them.",
    "awaits_accept": "Keep the roll of {who}, or spend a Benny on another.",
    "awaits_receiver": "Choose who takes the damage: {who}.",
    "awaits_soak": "{who} is about to take wounds. Soak them for a Benny, or take them.",
    "wrong_hands": "Cards go to {who}, one each. Deal them so.",
    "card_gone": "The {card} is not in the deck. Deal another.",
    "card_twice": "The {card} is dealt twice. Deal another.",
    "unknown_fighter": "There is nobody called {who} in this scene. There are: {known}.",
    "not_your_card": "It is the turn of {current}, not of {who}. Let {current} act.",
    "unknown_trait_die": "A trait is d4, d6, d8, d10 or d12, not d{sides}. Choose one of those.",
    "untrained_die": "Without the skill the die is a d4, not a d{sides}. Roll a d4.",
    "inspired_range": "A description gives 0, +1 or +2, not {inspired}. Choose one of those.",
    "no_benny": "{who} has no Benny. Go on without.",
    "not_shaken": "{who} is not Shaken. Keep the Benny.",
    "not_receiver": "{who} cannot take this damage. Choose one of: {able}.",
    "no_joker": "{who} holds no Joker and cannot wait. Take the turn now.",
    "nobody_to_wait_for": "Nobody else has a turn to come. Take the turn now.",
    "not_waiting": "{who} is not waiting with a Joker. It is the turn of {current}.",
    "turn_begun": "{current} has begun this turn. Step in after it.",
    "cannot_leave": "{who} may leave only when a milestone says so. Fight on.",
    "has_gone": "{who} takes no more part. Choose somebody who does.",
    "adjust_wounds": "{who} bears wounds from 0 to {bears}, not {wounds}. Declare more as incapacitated.",
    "adjust_numbers": "Bennies and tokens are 0 or more. Change the numbers of {who}.",
    "adjust_pile": "Only {left} {left:token is|tokens are} left on the table. "
    "Give {who} no more than {left:that|those}.",
    "modifier_range": "Competence and tactics go from -2 to +2. Choose within that.",
    "no_award": "No Benny is to be given now. Play the scene to its end.",
    "not_most": "{who} does not have most tokens. Choose one of: {most}.",
    # rolls
    "roll_spirit": "{who} rolls Spirit to recover from Shaken.",
    "roll_skirmish": "{who} rolls {trait}.",
    "roll_soak": "{who} rolls Vigor to soak wounds.",
    "roll_damage": "Damage to {who}.",
    "spirit_success": "{target} or more on the better die, with {modifier}: no longer Shaken.",
    "skirmish_success": "{target} or more on the better die, with {modifier}: a success; {raised} or more: a raise.",
    "soak_success": "{target} or more on the better die, with {modifier}, cancels a wound, and every 4 more another.",
    "damage_success": "{toughness} or more: Shaken; every full 4 above: a wound.",
    "step_trait": "The trait die d{sides}:",
    "step_wild": "The wild die, of its own colour or apart from the other:",
    "step_damage": "{count:Throw 1 six-sided die|Throw {count} six-sided dice together}.",
    "step_damage_again": "Throw the sixes again and add: {count}.",
}

CATALOGUE: Final = Catalogue(WORDS)
