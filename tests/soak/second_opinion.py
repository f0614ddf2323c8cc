"""A second opinion on recorded rulings: plain arithmetic after the rule texts, from the journal's own lines.

Written apart from `rules`, of which it imports nothing: what both say is no slip that one of them made. Skuffle Wammer
is followed whole (pools, hits, deaths, the end); of the Quick Skirmish what modifies a roll, what its dice come to,
tokens and damage; of World Saga initiative and what a d20 says.
"""

from __future__ import annotations

from typing import Any

from deskref.recording import Line, LineKind
from tests.soak.program_run import SoakError

State = dict[str, Any]
"""A game, or a part of one, as JSON."""

NEEDED = {"ranged": 4, "melee": 3}
DEGREES = ((15, "great"), (10, "strong"), (5, "success"), (1, "weak"))


def check(lines: list[Line]) -> int:
    """Think each recorded ruling over; gives how many of them were.

    Raises:
        SoakError: the journal says otherwise.
    """
    opinions = 0
    before: State | None = None
    for line in lines:
        if line.kind is not LineKind.GAME:
            continue
        state: State = line.data["game"]
        of_one_game = before is not None and before["type"] == state["type"] and line.data["actions"]
        if before is not None and of_one_game:
            think = {"Game": skuffle, "Scene": skirmish, "Combat": world_saga}[state["type"]]
            try:
                opinions += think(before, line.data["actions"], state)
            except AssertionError as otherwise:
                raise SoakError(f"{line.where}: {otherwise}") from otherwise
        before = state
    return opinions


def same(found: object, own: object, what: str) -> int:
    """Give 1 for an opinion that is the journal's too."""
    assert found == own, f"{what}: the journal says {found!r}, the second opinion {own!r}"
    return 1


def skuffle(before: State, actions: list[State], after: State) -> int:
    """Skuffle Wammer: a die is paid, 4 or more hits at range and 3 hand to hand, each hit costs a die, then a life."""
    pools = {s["id"]: s["pool"] for s in before["soldiers"]}
    dead = {s["id"] for s in before["soldiers"] if s["is_dead"]}
    sides = {s["id"]: s["team"] or s["id"] for s in before["soldiers"]}
    ghouls = {s["id"] for s in before["soldiers"] if s["breed"] == "ghoul"}
    declared = before["attack"]
    bonus = sum(m["amount"] for m in declared["modifiers"]) if declared else 0
    has_acted = False
    for action in actions:
        match action["type"]:
            case "Attack":
                declared = action
                pools[action["by"]] -= 1
                assert pools[action["by"]] >= 0, "an attack without a die"
                bonus = bool(action["attack_bonus"]) - bool(action["defence_bonus"])
            case "Die" | "Overrule":
                needed = 1 if declared["by"] in ghouls else NEEDED[declared["kind"]]
                is_hit = action["value"] + bonus >= needed if action["type"] == "Die" else action["is_hit"]
                if is_hit:
                    pools[declared["target"]] -= 1
                    if pools[declared["target"]] <= 0:
                        dead.add(declared["target"])
                has_acted, declared = True, None
            case "Cancel":
                pools[declared["by"]] += 1
                declared = None
            case "Adjust":
                pools[action["soldier"]] = action["pool"]
                dead = dead - {action["soldier"]} | ({action["soldier"]} if action["is_dead"] else set())
                has_acted = True
            case "Tipped" | "Move" | "Pass":
                has_acted = True
    same({s["id"]: s["pool"] for s in after["soldiers"]}, pools, "pools")
    same({s["id"] for s in after["soldiers"] if s["is_dead"]}, dead, "who is dead")
    standing = [who for who in pools if who not in dead]
    is_over = sum(max(0, pools[who]) for who in standing) == 0 or len({sides[who] for who in standing}) == 1
    if has_acted and after["phase"] != "await_tip":
        same(after["phase"] == "over", is_over, "whether it is over")
        if is_over:
            same(set(after["winners"]), set(standing), "who has won")
    return 1


def skirmish(before: State, actions: list[State], after: State) -> int:
    """The Quick Skirmish: the better die and modifiers against 4; a token for a success, two for a raise."""
    (action,) = actions
    if action["type"] == "Skirmish" and after["roll"] is not None:
        found = sum(m["amount"] for m in after["roll"]["modifiers"])
        return same(found, _modifiers(before, action), "the roll's modifiers")
    roll = before["roll"]
    if action["type"] != "Throw" or roll is None:
        return 0
    values = iter(action["values"])
    open_dice = [not faces or faces[-1] == sides for faces, sides in zip(roll["faces"], roll["sides"], strict=True)]
    faces = [[*f, next(values)] if is_open else f for f, is_open in zip(roll["faces"], open_dice, strict=True)]
    assert next(values, None) is None, "more dice than were to be thrown"
    if any(f[-1] == sides for f, sides in zip(faces, roll["sides"], strict=True)):
        return same(after["roll"]["faces"], faces, "dice of a roll with an ace")
    sums = [sum(f) for f in faces]
    if roll["kind"] == "damage":
        return _damage(before, sum(sums), after)
    total = max(sums) + sum(m["amount"] for m in roll["modifiers"])
    is_snake_eyes = len(faces) > 1 and all(f[0] == 1 for f in faces)
    raises = -1 if total < 4 or is_snake_eyes else (total - 4) // 4
    if roll["kind"] != "skirmish" or roll["kept"] is not None:
        return 0  # a roll that was thrown again keeps the better of the two
    if after["phase"] == "accept":
        kept = after["roll"]["kept"]
        return same(kept["raises"] if kept["is_success"] else -1, raises, "raises")
    tokens = min(before["tokens_left"], max(0, min(raises, 1) + 1))
    return same(before["tokens_left"] - after["tokens_left"], tokens, "tokens taken")


def _modifiers(before: State, action: State) -> int:
    hero = next(f for f in before["fighters"] if f["id"] == action["by"])
    card = hero["card"]
    total: int = before["options"]["competence"] + before["options"]["tactics"] + action["inspired"]
    total += -2 * (card["suit"] == "C") + 2 * (card["rank"] == "J*" or ("J" in card["rank"] and len(card["rank"]) > 1))
    total -= min(3, hero["condition"]["wounds"])
    total -= 2 * bool(before["is_still_shaken"]) + 2 * bool(action["is_untrained"])
    return total + int(hero["next_bonus"])


def _damage(before: State, total: int, after: State) -> int:
    """What the damage does, where the receiver has no benny to soak it with."""
    who = before["receiver"]
    if who is None or after["phase"] == "soak":
        return 0
    was = next(f for f in before["fighters"] if f["id"] == who)["condition"]
    now = next(f for f in after["fighters"] if f["id"] == who)["condition"]
    margin = total - was["toughness"]
    wounds = max(margin // 4, int(was["is_shaken"])) if margin >= 0 else 0
    bears = was["max_wounds"] if was["is_wild_card"] else 0
    same(now["is_incapacitated"], was["is_incapacitated"] or was["wounds"] + wounds > bears, "who is out")
    if not now["is_incapacitated"]:
        same(now["wounds"], was["wounds"] + wounds, "wounds")
        same(now["is_shaken"], was["is_shaken"] or margin >= 0, "who is Shaken")
    return 1


def world_saga(before: State, actions: list[State], after: State) -> int:
    """World Saga: initiative is d20 and Reflexes; a test succeeds with the Target Number or less, never with a 20."""
    action = actions[0]
    if action["type"] == "RollInitiative":
        scores = {s["entry"]: s["score"] for s in after["scores"]}
        reflexes = {c["reflexes"] for c in before["combatants"] if action["entry"] in (c["id"], c["group"])}
        found = scores.get(action["entry"])
        assert found is None or found - action["face"] in reflexes, f"initiative {found} of a {action['face']}"
        return 1
    if action["type"] != "Roll" or len(before["cases"]) != len(after["cases"]):
        return 0
    was, now = before["cases"][-1], after["cases"][-1]
    result = next((now[key] for key in ("result", "answer") if now[key] is not None and was[key] is None), None)
    if result is None:
        return 0
    face, tn = result["face"], result["tn"]
    assert face in action["faces"], f"{face} counts, but {action['faces']} were thrown"
    is_success = face <= tn and face != 20
    same(result["is_success"], is_success, f"{face} against {tn}")
    if is_success:
        same(result["degree"], next(name for least, name in DEGREES if face >= least), f"how well a {face} succeeds")
    return 1
