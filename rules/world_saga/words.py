"""The English sentences of World Saga's combat mode, and the names of its rules."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

ROUNDS: Final = "World Saga, Combat Mode, Combat Rounds"
INITIATIVE: Final = "World Saga, Combat Mode, Rolling Initiative"
OPTIONS: Final = "World Saga, Combat Mode, Alternative Initiative Options"
ACTIONS: Final = "World Saga, Combat Mode, Combat Actions"
MOVEMENT: Final = "World Saga, Combat Mode, Movement"
NON_LETHAL: Final = "World Saga, Combat Mode, Special Circumstances, Non-Lethal Attacks"
SHOOTING: Final = "World Saga, Combat Mode, Special Circumstances, Shooting in Melee"
SURROUNDING: Final = "World Saga, Combat Mode, Special Circumstances, Surrounding Bonus"
DETECTION: Final = "World Saga, Combat Mode, Detection and Hidden"
COVER: Final = "World Saga, Combat Mode, Concealment and Cover"
FEAR: Final = "World Saga, Combat Mode, Fear Tests"
TESTS: Final = "World Saga, Test Types"
SPECIAL: Final = "World Saga, Special Outcomes"
OPPOSED: Final = "World Saga, Opposed Test"
ATTACK_TEST: Final = "World Saga, Attack Test"
MODIFIERS: Final = "World Saga, Modifiers"
CONDITIONS: Final = "World Saga, Conditions and Effects"
DELAYING: Final = "World Saga, Basic Action: Delay"
STRIDING: Final = "World Saga, Basic Action: Stride"
GAME_MASTER: Final = "the Game Master"
"""Source of what a person decides where the rules leave it open."""

WORDS: Final = {
    # how a target number comes about
    "ws_rank": "{skill} Rank {rank}.",
    "ws_modifier": "{why}: {modifier}, {kind}.",
    "ws_not_stacked": "{why}: {modifier} does not count: only the best bonus and the worst penalty of a type do.",
    "ws_surrounding": "{count} engaged with {target}: one for each additional ally, at most 4",
    "ws_distracted": "Distracted {count}",
    "ws_exposed": "Exposed {count}",
    "ws_weary": "Weary",
    "ws_non_lethal": "Non-lethal attack without a Subdued weapon",
    # boons and banes
    "ws_boon_cover": "{who} gains {count} {count:Boon|Boons} from cover.",
    "ws_bane_cover": "{target} has {degree}: {count} {count:Bane|Banes}.",
    "ws_bane_concealed": "{target} is concealed: 1 Bane.",
    "ws_typed_boons": "The table gives {count} {count:Boon|Boons}.",
    "ws_typed_banes": "The table gives {count} {count:Bane|Banes}.",
    "ws_net_boons": "That leaves {count} {count:Boon|Boons}.",
    "ws_net_banes": "That leaves {count} {count:Bane|Banes}.",
    "ws_even": "Boons and Banes cancel out.",
    # what a roll means
    "ws_roll": "{who} rolls {face} against Target Number {tn}.",
    "ws_critical_failure": "A natural 20 fails critically.",
    "ws_critical_success": "Exactly the Target Number: a critical success.",
    "ws_complication": "A natural 1 succeeds with a complication, normally at a cost.",
    "ws_no_chance": "With a Target Number under 1 even a 1 fails.",
    "ws_success": "At or under the Target Number: success.",
    "ws_degree": "The die shows {face}; {least} to {most} is a {degree} success.",
    "ws_failure": "Over the Target Number: failure.",
    "ws_opposed": "{attacker} counts {attacker_final}, {defender} {defender_final}: {winner} wins.",
    "ws_opposed_tie": "Both count {final}: ties go to the defender, {winner}.",
    "ws_opposed_critical": "{winner} has a critical success and wins outright.",
    "ws_opposed_both_critical": "Both have a critical success: the defender, {winner}, wins.",
    "ws_conflict": "The table says that {winner} wins the Conflict.",
    "ws_conflict_degree": "The table says that {winner} wins the Conflict with degree {degree}.",
    # initiative and turns
    "ws_initiative": "{who}: {roll} + Reflexes {reflexes} = {total}.",
    "ws_card": "{who} is dealt {card}.",
    "ws_pc_first": "{pc} ties with {npc}: the PC goes before the NPC.",
    "ws_pcs_choose": "{who} tie: the players choose who goes first.",
    "ws_npc_tie": "{first} ties with {second}: the higher Reflexes, then who was entered first.",
    "ws_order": "The order of this round: {order}.",
    "ws_same_order": "The order of the first round holds for the whole combat.",
    "ws_floating": "{who} delayed past the end of the round: no roll, and a turn at any time in this one.",
    "ws_turn": "{who} takes a turn.",
    "ws_delays": "{who} delays and may act after any other turn.",
    "ws_turn_over": "The turn of {who} is over.",
    "ws_distracted_ends": "{who} is no longer Distracted at the end of the turn.",
    "ws_round_over": "Everybody has had a turn or let it pass: the round is over.",
    "ws_combat_over": "The combat is over: the field belongs to {winners}.",
    "ws_combat_ended": "The Game Master ends the combat.",
    "ws_joins": "{who} joins the combat and has a place in the order from the next round on.",
    # moving
    "ws_stride": "{who} strides {squares} {squares:square|squares}.",
    "ws_stride_left": "{left} {left:square|squares} of the Stride {left:is|are} left.",
    "ws_move_action": "{who} takes the Move action {name}.",
    "ws_second_move": "It is the second Move action, in place of another Action.",
    "ws_withdraws": "{who} withdraws from {enemies}.",
    "ws_held": "{who} fails to withdraw from {enemies}.",
    # attacks
    "ws_attacks": "{who} uses {name} against {target}.",
    "ws_pays": "{who} pays {cost} Stamina: {left} left.",
    "ws_may_strike": "{who} is engaged with the shooter and may Strike at once.",
    "ws_declines": "{who} lets the chance to Strike go.",
    "ws_shot_lost": "{who} can no longer shoot.",
    "ws_miss": "{who} misses {target}.",
    "ws_no_defence": "{who} is unconscious and makes no Defense Roll.",
    "ws_base": "Base damage for a {degree} success.",
    "ws_base_typed": "Base damage, told by the table.",
    "ws_attribute": "Attribute modifier.",
    "ws_item": "Item bonus.",
    "ws_at_least_zero": "Damage is never less than nothing.",
    "ws_reduced": "The defence takes off for its {degree} success.",
    "ws_reduced_typed": "The defence takes off what the table says.",
    "ws_defence_critical": "A critical success in defence takes off everything.",
    "ws_loses": "{who} loses {lost} {reserve}: {left} left.",
    "ws_overflow": "{lost} more than {who} had left {lost:becomes|become} {overflow}.",
    "ws_untracked": "{who} takes {lost} damage to {reserve}, which the table keeps.",
    "ws_endure": "{who} must take the Endure Wounds reaction.",
    "ws_endured": "Endure Wounds, told by the table: {who} {result}.",
    "ws_knockout_test": "{who} is Weary and the attack non-lethal: a Basic Resilience Test instead of Endure Wounds.",
    "ws_stays_up": "{who} stays conscious.",
    "ws_knocked_out": "{who} is knocked unconscious.",
    "ws_effect_open": "What that does, the table decides.",
    # hiding
    "ws_hides": "{who} is Hidden.",
    "ws_hide_fails": "{who} fails to hide.",
    "ws_found": "{seeker} finds {hidden}.",
    "ws_not_found": "{seeker} does not find {hidden} and cannot target it.",
    "ws_revealed": "{hidden} no longer has cover from {seeker} and is revealed.",
    # fear
    "ws_fear_holds": "{who} holds against the fear.",
    "ws_fear_fails": "{who} gives way to the fear.",
    "ws_horror": "The horror costs 1 Courage even on a success.",
    # the table
    "ws_adjusted": "The table puts {who} right. {why}",
    "ws_engaged_set": "The table says that {who} and {other} are {state}.",
    # advice
    "ws_advice_critical": "(older edition) A critical failure on an attack leaves {who} Exposed 2 until the next turn.",
    "ws_advice_friendly": "(older edition) A critical failure of a shot also hits an ally engaged with the target.",
    "ws_advice_seek": "(older edition) A critical failure leaves the seeker, {who}, Distracted 2.",
    "ws_advice_not_engaged": "{who} is not engaged with {target}; hand to hand usually needs that.",
    "ws_advice_no_sight": "{who} has no line of sight to {target}; shooting usually needs that or a known place.",
    "ws_advice_friend": "{target} is on the side of {who}. The rules allow it.",
    "ws_advice_crosses_wall": "The way of {who} crosses a wall.",
    # what is waited for
    "ws_for_initiative": "Initiative for {who}: 1d20 + Reflexes {reflexes}",
    "ws_for_card": "An action card for {who}",
    "ws_for_attack": "Attack Roll of {who} against {target} ({name})",
    "ws_for_defence": "Defense Roll of {who} against {by} ({skill})",
    "ws_for_resilience": "Resilience Test of {who} to stay conscious",
    "ws_for_fear": "Fear Test of {who} (Resolve)",
    "ws_for_hide": "Hide: Stealth Test of {who}",
    "ws_for_seek": "Seek: Investigate Test of {who} for {target}",
    "ws_for_unseen": "Stealth Test of {who} to stay hidden from {by}",
    "ws_for_test": "{name}: {skill} Test of {who}",
    "ws_for_opposed": "{name}: opposed {skill} Test of {who}",
    "ws_for_strike": "Whether to Strike at {target}: {who}",
    "ws_for_base": "The base damage of {name} against {who}",
    "ws_for_reduction": "What the defence of {who} takes off",
    "ws_for_endure": "How Endure Wounds goes for {who}",
    "ws_for_conflict": "Who wins the Conflict Test {name} against {who}",
    "ws_for_courage": "How much Courage {who} loses",
    "ws_for_choice": "The order of {tied}, who tie: the players choose",
    "ws_told": "The table decides and tells it",
    "ws_needs": "{tn} or less succeeds, and of these the higher the better",
    "ws_needs_one": "Only a 1 succeeds",
    "ws_needs_no_20": "1 to 19 succeed, the higher the better; a 20 always fails",
    "ws_needs_nothing": "Only chance of failure: the Target Number {tn} is under 1",
    "ws_highest": "The highest total goes first",
    "ws_throw_one": "Throw one d20.",
    "ws_throw_best": "Throw {count} d20: the best one counts.",
    "ws_throw_worst": "Throw {count} d20: the worst one counts.",
    "ws_with_six_sided": "Without a d20 at hand throw each with a six-sided die, as follows.",
    "ws_table_boons": "{count} {count:Boon|Boons}: roll as your table plays them and tell the die that counts.",
    "ws_table_banes": "{count} {count:Bane|Banes}: roll as your table plays them and tell the die that counts.",
    # refusals
    "ws_not_begun": "The combat has not begun. Begin it first.",
    "ws_begun": "The combat has begun already. Go on with it, or end it first.",
    "ws_over": "The combat is over. Begin another, or take back the last step.",
    "ws_too_few": "A combat needs two sides; put somebody on another side first.",
    "ws_group_is_somebody": "The group {who} is called like somebody who is not in it. Give it another name.",
    "ws_same_id": "Two combatants are called {who}. Give one of them another name.",
    "ws_unknown": "There is no combatant {who} in this combat. There are: {known}.",
    "ws_no_initiative_due": "{who} has no initiative to roll now. Waiting for: {due}.",
    "ws_initiative_due": "Initiative comes first. Waiting for: {due}.",
    "ws_cards_played": "Initiative is by cards here: deal one to {who}.",
    "ws_dice_played": "Initiative is by dice here: roll a d20 for {who}.",
    "ws_no_such_card": "{card} is no card of the 54: write rank and suit, as 9C or 10H or AS, or J*R and J*B.",
    "ws_card_dealt": "{card} has been dealt to {who} already this round; a deck holds it once.",
    "ws_no_choice": "No tied players have their order to choose. Go on with the combat.",
    "ws_wrong_choice": "The players who tie are {tied}; name each of them once.",
    "ws_choice_due": "{tied} tie: choose who goes first.",
    "ws_not_your_turn": "It is the turn of {current}, not of {who}. Let {current} act or end the turn.",
    "ws_no_turn": "Nobody's turn is on: start the next round, or let somebody who delayed act.",
    "ws_cannot_act": "{who} cannot act now. Choose somebody who can.",
    "ws_roll_due": "Finish this first: {due}.",
    "ws_nothing_due": "No roll is waited for. It is the turn of {current}.",
    "ws_not_that": "That is not what is waited for: {due}.",
    "ws_wrong_count": "{count} d20 {count:is|are} waited for, and {given} came.",
    "ws_no_face": "A d20 shows 1 to 20, not {face}.",
    "ws_no_action": "{who} has used the Action of this turn. Move, or end the turn.",
    "ws_no_move": "{who} has used the Move action and the Action of this turn. End the turn.",
    "ws_stride_used": "{who} has made the Stride of this turn. Another Move action is possible.",
    "ws_no_board": "There is no board to stride on. Lay one, or move by word of mouth.",
    "ws_no_place": "{who} has no place on the board. Put the figure down first.",
    "ws_not_a_square": "A place on this board is two whole numbers, not {place}.",
    "ws_too_far": "The way costs {cost} {cost:square|squares} and {who} has {left} left. Choose a shorter one.",
    "ws_crosses_wall": "The way of {who} crosses a wall. Go round it.",
    "ws_requires_withdraw": "{who} leaves {enemies} behind: take the Withdraw reaction and tell how it went.",
    "ws_nobody_to_leave": "{enemies} is no enemy of {who} that could hold anybody; there is no need to withdraw.",
    "ws_acted": "{who} has begun the turn and can no longer delay. End the turn instead.",
    "ws_not_delaying": "{who} is not waiting to act. Waiting are: {waiting}.",
    "ws_turn_begun": "{current} has begun the turn; {who} may act after it.",
    "ws_round_goes_on": "{current} is still to act this round. Finish that turn first.",
    "ws_own_target": "{who} cannot target itself. Choose somebody else.",
    "ws_target_out": "{target} is out of the combat. Choose somebody else.",
    "ws_unknown_presence": "{who} does not know that {target} is there. Choose somebody else.",
    "ws_unlocated": "{who} does not know where {target} is. Seek it first.",
    "ws_no_sight": "{who} has no line of sight to {target}. Move, or choose somebody else.",
    "ws_not_engaged": "{who} is not engaged with {target}. Move next to it first.",
    "ws_no_rank": "No Rank in {skill} is known for {who}. Tell it with the action.",
    "ws_no_stamina": "{who} has {left} Stamina and {name} costs {cost}. Do something that costs less.",
    "ws_no_strike": "{who} has no Strike to take now. It is offered to: {offered}.",
    "ws_strike_only": "The chance is for a Strike at {target} hand to hand, and nothing else.",
    "ws_no_hiding_place": "{who} needs cover, concealment or darkness from somebody to hide.",
    "ws_not_hidden": "{target} is not hidden from {who}. No Seek is needed.",
    "ws_walk_reveals_not": "{target} is hidden by {by}: walking round does not reveal it. Seek it.",
    "ws_no_damage": "Damage is 0 or more, not {value}.",
    "ws_no_wounds": "Wounds are 0 or more, not {value}.",
    "ws_no_winner": "The Conflict is between {who} and {target}; one of them wins.",
    "ws_not_enemies": "{who} and {other} are on one side and are not engaged. Name two enemies.",
}
"""Every sentence by its code."""

CATALOGUE: Final = Catalogue(WORDS)
