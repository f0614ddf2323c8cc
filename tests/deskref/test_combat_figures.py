"""Figures on the mat in a World Saga combat: who is who, what a push means, what to put where, and cover."""

from __future__ import annotations

import pytest

from deskref.board_places import Layout, Place
from deskref.combat_figures import cover_of
from deskref.inputs import Choose, CombatSetup, EnterDie, NameFigure, PlayCombat, StartGame, Undo
from deskref.page import world_saga_fields
from deskref.signal import SignalKind
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.sight import Degree, SightRules
from rules.world_saga.actions import EndTurn
from rules.world_saga.initiative import Side
from rules.world_saga.state import Combatant, Settings
from tests.deskref.played_desk import PlayedDesk
from vision import events

SQUARES = SquareBoard(7, 7, walls=((3, 1), (3, 2)))
PLAIN = Settings()


class Mat(PlayedDesk):
    """A combat on the mat: Lokan (first) against a raider."""

    layout: Layout

    def begin_combat(
        self,
        board: SquareBoard | HexBoard | Ground,
        lokan: Place = (1, 2),
        raider: Place = (5, 2),
        *,
        with_figures: bool = True,
        settings: Settings = PLAIN,
        others: tuple[Combatant, ...] = (),
    ) -> Mat:
        fighters = (
            Combatant("Lokan", Side.PC, 10, speed=4, place=lokan),
            Combatant("Raider", Side.NPC, 9, speed=4, place=raider),
            *others,
        )
        setup = CombatSetup(fighters, board, settings)
        self.layout = Layout(board, setup.cell_mm, setup.area_mm)
        self.tell(events.TableFound(frame=0, time_s=0.0, markers=6))
        self.tell(StartGame(setup=setup))
        if with_figures:
            self.put_figure("Lokan", self.layout.mm(lokan))
            self.put_figure("Raider", self.layout.mm(raider))
        self.tell(EnterDie(value=15, time_s=self.time_s))
        self.tell(EnterDie(value=5, time_s=self.time_s))
        for _ in others:
            self.tell(EnterDie(value=1, time_s=self.time_s))
        assert self.session.combat is not None
        assert self.session.combat.turn is not None
        assert self.session.combat.turn.who == "Lokan"
        return self

    def push(self, who: str, place: Place, off_mm: float = 0.0) -> None:
        x, y = self.layout.mm(place)
        self.move(who, (x + off_mm, y))

    def place(self, who: str) -> Place | None:
        assert self.session.combat is not None
        return self.session.combat.get(who).place


def test_figures_put_on_their_squares_are_known() -> None:
    mat = Mat().begin_combat(SQUARES)
    assert {who for _, who in mat.session.bindings} == {"Lokan", "Raider"}


def test_a_figure_far_from_any_square_is_nobody_until_a_player_says_who() -> None:
    mat = Mat().begin_combat(SQUARES, with_figures=False)
    mat.put_figure("Lokan", mat.layout.mm((1, 5)))
    assert mat.session.bindings == ()
    mat.tell(NameFigure(figure=mat.figures["Lokan"], soldier="Lokan", time_s=mat.time_s))
    mat.wait(1)
    assert mat.task_keys() == {"board_moved:Lokan"}


@pytest.mark.parametrize("off_mm", [-9.0, 0.0, 9.0])
def test_a_push_on_the_own_turn_strides_to_the_square_by_the_cheapest_way(off_mm: float) -> None:
    mat = Mat().begin_combat(SQUARES)
    mat.push("Lokan", (2, 3), off_mm)
    assert mat.place("Lokan") == (2, 3)
    assert mat.session.combat is not None
    assert mat.session.combat.turn is not None
    assert mat.session.combat.turn.stride_used_squares == 1
    assert mat.task_keys() == set()


def test_a_nudge_within_the_square_is_no_stride() -> None:
    mat = Mat().begin_combat(SQUARES)
    book = mat.session.book
    mat.push("Lokan", (1, 2), 8.0)
    assert mat.session.book is book
    assert mat.task_keys() == set()


def test_a_push_that_is_too_far_is_refused_and_asked_back() -> None:
    mat = Mat().begin_combat(SQUARES)
    mat.push("Lokan", (6, 6))
    assert mat.place("Lokan") == (1, 2)
    assert mat.kinds(SignalKind.ILLEGAL) == [SignalKind.ILLEGAL]
    assert mat.task_keys() == {"board_moved:Lokan"}
    mat.push("Lokan", (1, 2))
    assert mat.task_keys() == set()


def test_a_push_out_of_turn_is_asked_back_or_left_by_the_players() -> None:
    mat = Mat().begin_combat(SQUARES)
    mat.push("Raider", (5, 4))
    assert mat.place("Raider") == (5, 2)
    assert mat.task_keys() == {"board_moved:Raider"}
    mat.tell(Choose(task="board_moved:Raider", choice="leave", time_s=mat.time_s))
    mat.wait(1)
    assert mat.place("Raider") == (5, 4)
    assert mat.task_keys() == set()


def test_after_undo_the_figure_is_asked_back() -> None:
    mat = Mat().begin_combat(SQUARES)
    mat.push("Lokan", (2, 3))
    mat.tell(Undo(time_s=mat.time_s))
    mat.wait(1)
    assert mat.place("Lokan") == (1, 2)
    assert mat.task_keys() == {"board_moved:Lokan"}


def test_a_figure_that_is_gone_is_asked_back() -> None:
    mat = Mat().begin_combat(SQUARES)
    mat.hand(over=True)
    figure = mat.figures["Raider"]
    mat._figure_event(events.FigureLeft, "Raider", mat.places[figure])
    mat.hand(over=False)
    mat.wait(1)
    assert mat.task_keys() == {"board_back:Raider"}


@pytest.mark.parametrize(("choice", "place"), [("yes", (1, 5)), ("no", (2, 3))])
def test_leaving_an_engaged_enemy_asks_how_the_withdraw_went(choice: str, place: Place) -> None:
    mat = Mat().begin_combat(SQUARES, lokan=(2, 3), raider=(3, 3))
    mat.push("Lokan", (1, 5))
    figure = mat.figures["Lokan"]
    assert f"withdraw:{figure}" in mat.task_keys()
    mat.tell(Choose(task=f"withdraw:{figure}", choice=choice, time_s=mat.time_s))
    mat.wait(1)
    assert mat.place("Lokan") == place
    assert mat.task_keys() == (set() if choice == "yes" else {"board_moved:Lokan"})


def test_a_push_on_hexes_strides() -> None:
    mat = Mat().begin_combat(HexBoard(7, 8), lokan=(1, 2), raider=(4, 4))
    mat.push("Lokan", (1, 4))
    assert mat.place("Lokan") == (1, 4)


def test_a_push_on_the_free_table_is_measured() -> None:
    mat = Mat().begin_combat(Ground(), lokan=(50.0, 100.0), raider=(150.0, 60.0))
    mat.push("Lokan", (50.0, 150.0))
    assert mat.place("Lokan") == (50.0, 150.0)
    assert mat.session.combat is not None
    assert mat.session.combat.turn is not None
    assert mat.session.combat.turn.stride_used_squares == pytest.approx(50 / 25.4, abs=0.1)


def test_the_next_ones_push_counts_after_the_turn_has_ended() -> None:
    mat = Mat().begin_combat(SQUARES)
    mat.tell(PlayCombat(action=EndTurn("Lokan"), time_s=mat.time_s))
    mat.push("Raider", (5, 4))
    assert mat.place("Raider") == (5, 4)


def test_walls_of_the_board_give_cover_and_nothing_between_gives_none() -> None:
    """The wall on column 3, rows 1 and 2 stands between (1, 2) and (5, 2)."""
    mat = Mat().begin_combat(SQUARES, with_figures=False)
    seen = cover_of(mat.session, "Lokan", "Raider")
    assert seen is not None
    assert seen.degree is not Degree.NONE
    assert "a wall" in seen.message.text
    mat = Mat().begin_combat(SQUARES, lokan=(1, 5), raider=(5, 5), with_figures=False)
    seen = cover_of(mat.session, "Lokan", "Raider")
    assert seen is not None
    assert seen.degree is Degree.NONE


def test_what_stands_on_the_mat_gives_cover() -> None:
    mat = Mat().begin_combat(SquareBoard(7, 7))
    (x, y) = mat.layout.mm((3, 2))
    outline = ((x - 10, y - 40), (x + 10, y - 40), (x + 10, y + 40), (x - 10, y + 40))
    mat.tell(
        events.ObstacleMoved(frame=1, time_s=mat.time_s, obstacle=4, outline_mm=outline, height_mm=80.0),
    )
    seen = cover_of(mat.session, "Lokan", "Raider")
    assert seen is not None
    assert seen.degree is Degree.NO_SIGHT
    assert "the obstacle 4" in seen.message.text


@pytest.mark.parametrize(("is_agreed", "degree"), [(False, Degree.NONE), (True, Degree.NO_SIGHT)])
def test_who_stands_in_between_gives_cover_where_that_is_agreed_on(is_agreed: bool, degree: Degree) -> None:
    """Of three equal figures in a row the one in the middle hides the others from each other."""
    between = Combatant("Vesta", Side.PC, 8, speed=4, place=(3, 2))
    settings = Settings(sight=SightRules(creatures_cover=is_agreed))
    mat = Mat().begin_combat(SquareBoard(7, 7), with_figures=False, settings=settings, others=(between,))
    seen = cover_of(mat.session, "Lokan", "Raider")
    assert seen is not None
    assert seen.degree is degree
    assert [hider.name for hider in seen.hiders] == (["Vesta"] if is_agreed else [])


def test_cover_begins_where_it_was_agreed_to() -> None:
    """A block that hides a half of the raider: cover by the usual shares, none where it begins at three quarters."""
    degrees = []
    for rules in (SightRules(), SightRules(cover_from=0.75, greater_from=0.9)):
        mat = Mat().begin_combat(SquareBoard(7, 7), settings=Settings(sight=rules))
        x, y = mat.layout.mm((3, 2))
        outline = ((x - 10, y), (x + 10, y), (x + 10, y + 40), (x - 10, y + 40))
        mat.tell(events.ObstacleMoved(frame=1, time_s=mat.time_s, obstacle=4, outline_mm=outline, height_mm=80.0))
        seen = cover_of(mat.session, "Lokan", "Raider")
        assert seen is not None
        assert seen.hidden_share == pytest.approx(0.5, abs=0.1)
        degrees.append(seen.degree)
    assert degrees == [Degree.COVER, Degree.NONE]


@pytest.mark.parametrize("cell_mm", [25.4, 50.0])
def test_a_base_is_as_large_as_its_squares_whatever_a_square_measures(cell_mm: float) -> None:
    """A base of three squares by three stands across the straight line from (0, 3) to (10, 3)."""
    fields = world_saga_fields.first_fields()
    fields.ground.walls = fields.ground.difficult = ""
    fields.ground.cell_mm = cell_mm
    fields.agreed.creatures_cover = True
    del fields.rows[1]
    for row, place, base in zip(fields.rows, ((0, 3), (10, 3), (4, 2)), (1, 1, 3), strict=True):
        (row.column, row.row), row.base = place, base
    assert world_saga_fields.wrong(fields) == ""
    mat = PlayedDesk()
    mat.tell(events.TableFound(frame=0, time_s=0.0, markers=6))
    mat.tell(StartGame(setup=world_saga_fields.setup_of(fields)))
    seen = cover_of(mat.session, "Lokan", "Raider")
    assert seen is not None
    assert (seen.degree, [hider.name for hider in seen.hiders]) == (Degree.NO_SIGHT, ["Brute"])
