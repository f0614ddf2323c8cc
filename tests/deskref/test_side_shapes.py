"""A side has one shape: in the list of everybody and in the drawn plan."""

from __future__ import annotations

import re

from deskref.inputs import StartGame
from deskref.page.panel import CORNERS, badge, shape_of
from deskref.page.solo_board import _drawing
from deskref.play import Play
from deskref.program import PRACTICE

POINTS = re.compile(r'points="([^"]*)"')


def test_the_plan_draws_everybody_in_the_shape_that_the_list_has() -> None:
    play = Play()
    play.happened(StartGame(setup=PRACTICE))
    game = play.session.game
    assert game is not None
    plan = _drawing(play.session, game, None)
    kinds = re.findall(r'<(\w+) class="token', plan)
    listed = [re.findall("<(circle|polygon)", badge(play.session, s.id))[0] for s in game.soldiers]
    assert kinds == listed == ["circle", "circle", "polygon", "polygon"]


def test_every_side_has_a_shape_of_its_own_within_its_square() -> None:
    drawn = [shape_of(side, 11.0, 11.0, 9.0) for side in range(len(CORNERS))]
    assert len(set(drawn)) == 4
    for points in POINTS.findall(" ".join(drawn)):
        assert all(0.0 <= float(value) <= 22.0 for value in re.split("[ ,]", points))
