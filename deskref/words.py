"""The application's own English sentences: what the referee asks, tells and instructs."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

WORDS: Final = {
    # what the referee says
    "set_up": "Put the soldiers on the mat, each with its dice beside it.",
    "all_there": "Everybody is there: the game begins.",
    "your_turn": "{soldier}, it is your turn.",
    "rolled": "{soldier} rolled {value}.",
    "roll_unread": "{soldier} has rolled, but the die cannot be read. What does it show?",
    "hit": "{soldier} hits {target}.",
    "miss": "{soldier} misses {target}.",
    "saved": "Cover saves {target}: {value} would have hit.",
    "dies": "{target} is dead. Tip it on its side.",
    "wins": "{winners}: the winner.",
    "shared_win": "{winners} share the win.",
    "undone": "Taken back: {what}",
    "redone": "Done again: {what}",
    "nothing_to_undo": "There is nothing to take back.",
    "nothing_to_redo": "There is nothing to do again.",
    "corrected": "Corrected: {soldier} rolled {value}, not {before}.",
    "correction_ends": "What came after the corrected roll no longer follows and is taken back: {why}",
    "no_such_roll": "That die has not been counted as a roll. Roll it on a turn, or type a value.",
    "refused": "{why}",
    "advice": "{why}",
    "game_master": "{why}",
    "no_game": "No game is set up. Choose a game first.",
    "die_told": "{who}: the d{sides} shows {value}.",
    "no_die_awaited": "No die is awaited now.",
    "no_such_face": "A d{sides} shows 1 to {sides}, not {value}.",
    "desk_moves": "No die now: {soldier} does something else. Do as told, then press Enter.",
    "no_plan": "The desk does not play the one whose turn it is.",
    "not_here": "That is not done in the game that is played.",
    "no_card": "{card} is no card. Write rank and suit, as 9C, 10H or AS, and J*B or J*R for the Jokers.",
    "no_roll_awaited": "A die came to rest, but no roll is awaited. It is not counted.",
    "emulating": "Dice of other kinds are thrown with six-sided ones.",
    "one_at_a_time": "Throw one six-sided die at a time: each throw has a meaning of its own.",
    "pips_told": "{who}: a six-sided die shows {value} for the d{sides}.",
    "tray_unread": "A die in the tray cannot be read. Type its value, or throw it again.",
    "loose_die": "A die came to rest that nobody took from a pool. It is not counted.",
    "bound": "{soldier} stands on the mat.",
    "table_lost": "The mat cannot be seen. {why}",
    "table_found": "The mat is found.",
    "camera_moved": "The camera or the mat was pushed; places are measured anew.",
    "agree": "Desk and book agree again.",
    "call_draw": "The players end the game.",
    "declared_cover": "Cover, as the players say.",
    "declared_vantage": "A vantage point, as the players say.",
    # what to put where
    "task_place": "Put {soldier} on the mat.",
    "task_put_dice": "Put {count} more {dice} beside {soldier}.",
    "task_take_dice": "Take {count} {dice} away from beside {soldier}.",
    "task_back_dice": "Put {count} {dice} back beside {soldier}.",
    "task_tip": "Tip {soldier} on its side: it is dead.",
    "task_stand": "Stand {soldier} up: it is alive.",
    "task_back": "Put {soldier} back on the mat.",
    "task_dead_dice": "Take away the {dice} beside {soldier}: it is dead.",
    "task_moved": "{soldier} has moved, but it is the turn of {current}. Put it back, or say that it stays.",
    "task_read_die": "What does the die of {soldier} show?",
    "task_lost_die": "The die that {soldier} took is not in view. Throw it, or say what it shows.",
    "task_own_roll": "A die of {soldier} landed beside it showing {value}. Was that the roll?",
    "task_whose_roll": "A die landed showing {value}: it is the turn of {current}, but {soldier} is a die short.",
    "task_whom": "{soldier} has rolled, and its nearest enemies are equally near as far as the camera can tell. "
    "Whom does it attack?",
    "task_how_near": "{soldier} and {target} stand about {gap_mm} mm apart, and the camera may be {doubt_mm} mm off. "
    "Hand to hand reaches {limit_mm} mm. Which attack is it?",
    "task_who": "Figures may have changed places. Say who is who.",
    "task_put_die": "A die was put down showing {value}, and not thrown. Is it the roll of {who}?",
    "task_other_die": "A six-sided die shows {value}, but a d{sides} is awaited.",
    "task_which_die": "A six-sided die shows {value}. Is it a die of the roll itself, or thrown for the d{sides}?",
    "task_withdraw": "{who} has left {enemies}. How did the Withdraw go?",
    "task_board_moved": "Put {who} back on {place}, or say that it stays where it stands.",
    "task_board_back": "Put {who} back on the board, on {place}.",
    "cannot_stride": "{who} cannot stride to {place} now.",
    "place_stays": "It stays where it was put.",
    "a_wall": "a wall",
    "an_obstacle": "the obstacle {number}",
    "task_too_many": "{count} dice came to rest and {awaited} are awaited. Take away what does not count.",
    # dice that are entered
    "dice_now": "Die {number} of {count}: {role}, d{sides}.",
    "dice_entered": "Entered so far: {faces}.",
    "dice_simulate": "Simulate (S)",
    "dice_keys_to": "Keys 1 to {sides} enter the die.",
    "dice_keys_ten": "Keys 1 to 9 enter the die, 0 means 10.",
    "dice_keys_two": "Two digits enter the die, as 07 or 15; or one digit and Enter.",
    # against the desk
    "breed_label": "Played by",
    "breed_player": "A player",
    "breed_ghoul": "The desk: ghoul",
    "breed_zombie": "The desk: zombie",
    "breed_robot": "The desk: robot",
    "do_plan": "Done as told (Enter)",
    "solo_board_hint": "Click where your soldier goes, or aim with the arrow keys, then Move (V).",
    "solo_board_label": "The table from above",
    # choices
    "choice_leave": "It stays there",
    "choice_yes": "Yes, count it",
    "choice_no": "No",
    "choice_count_for": "Count it for {soldier}",
    "choice_melee": "Hand to hand",
    "choice_ranged": "At range",
    "choice_ignore": "Not a roll",
    "choice_value": "{value}",
    "choice_succeeded": "It succeeded",
    "choice_failed": "It failed",
    "choice_emulate": "Thrown for the d{sides}, with six-sided dice",
    "choice_own_die": "A die of the roll",
    "choice_throw_again": "None counts: throw again",
}

CATALOGUE: Final = Catalogue(WORDS)


def dice_word(count: int) -> str:
    """Name one die or several."""
    return "die" if count == 1 else "dice"
