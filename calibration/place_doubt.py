"""How far off places on the table may be: what the markers in view leave open, and what a sheet that bends adds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.mat import PAPER_MM
from calibration.pose import LensGuess, fit_points
from calibration.table import fit_of_view, view_of_fit
from calibration.table_view import TableView
from calibration.target import FloatArray, Target

BEND_MM = 1.0
"""How far the far and near edges of a printed sheet rise off the table, one standard deviation: a choice for paper that
was taped down or has lain under a book. Edges up by 2 mm put places off by 0.3 to 1.6 mm with all six markers in view,
and by 0.8 to 2.7 mm with those of one end (simulated); `Concern.NOT_FLAT` sees a sheet bend only from 8 mm on."""


def place_doubt_mm(
    view: TableView, *, width_mm: float = 200.0, depth_mm: float = 200.0, sheet: Target | None = None
) -> float:
    """Return how far off a place may be: two standard deviations at the corner of the play area known least.

    What depends on places by less than this is a question for the players, such as which of two enemies is nearer.

    Args:
        view: of the table.
        width_mm: of the play area, centred on the table's origin.
        depth_mm: of the play area.
        sheet: the printed sheet whose markers are in view, where it is paper in one piece and may bend; None for what
            lies flat, such as tokens or a hard mat.

    Returns:
        In mm; NaN where the pose's covariance is unknown, as for clicked corners without a fit.
    """
    x, y = width_mm / 2, depth_mm / 2
    corners = np.array([(-x, y), (x, y), (x, -y), (-x, -y)])
    spreads = np.array([view.uncertainty_mm((float(a), float(b))) for a, b in corners])
    if sheet is not None and view.marker_ids:
        spreads = np.hypot(spreads, _bent(view, sheet, corners))
    return 2 * float(spreads.max())


def _bent(view: TableView, sheet: Target, points_mm: npt.NDArray[np.float64]) -> FloatArray:
    """How far off points come out, shape (n,) in mm, where the sheet's far and near edges rise by `BEND_MM`.

    The pose is fitted once more to markers that lie that much higher; the lens stays, for it takes up little of it.
    """
    drawing = sheet.scaled(view.print_scale)
    markers = drawing.corners_3d(view.marker_ids)
    raised = markers.copy()
    raised[:, 2] = BEND_MM * (markers[:, 1] / (PAPER_MM["a4"][1] / 2)) ** 2
    pixels = view.to_frame(raised)
    lens = LensGuess(view.camera_matrix, view.distortion, True, np.zeros((4, 4)))
    fit, _ = fit_points(fit_of_view(view), markers, pixels, lens)
    away = view_of_fit(fit, view.size, ids=()).to_table(view.to_frame(points_mm)) - points_mm
    return np.asarray(np.linalg.norm(away, axis=1), dtype=np.float64)
