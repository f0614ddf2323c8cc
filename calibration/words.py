"""Why no table is found, and what could be better about its view, in English.

A message stands under its id; what to do about it under that with `_do`.
"""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "table_no_markers": "No mat in the picture.",
    "table_no_markers_do": "Lay the printed mat flat on the table, with all six black squares in view, or print one.",
    "table_too_few": "Only {count} of the mat's black squares can be seen.",
    "table_too_few_do": "Uncover at least three of them, one at each end of the sheet, and keep them inside the "
    "picture.",
    "table_mirrored": "The picture is mirrored.",
    "table_mirrored_do": "Turn off mirroring (flip) in the camera's own settings or app.",
    "table_wrong_dictionary": "These are markers of another program ({detail}).",
    "table_wrong_dictionary_do": "Print this program's own mat and lay it on the table.",
    "table_other_sheet": "Markers of this program are there, but of another sheet (numbers {detail}).",
    "table_other_sheet_do": "Choose the sheet that lies on the table, in the set-up's second step or with --table mat "
    "or --table tokens; or lay out the chosen one.",
    "table_too_dark": "The picture is too dark.",
    "table_too_dark_do": "Turn on a lamp beside the table, or raise the camera's exposure.",
    "table_too_small": "The mat is too small in the picture.",
    "table_too_small_do": "Bring the camera closer, zoom in, or choose a larger picture size (1280x720 or more).",
    "table_blurred": "The picture is out of focus or shaken.",
    "table_blurred_do": "Fasten the camera, wipe the lens, let it focus on the mat, and add light.",
    "table_not_flat": "The markers are seen, but they do not lie as printed.",
    "table_not_flat_do": "Lay the sheet flat and whole; if it was cut or is a copy at another size, print it again.",
    "table_wrong_size": "The corner tokens do not lie as round a grid of this size.",
    "table_wrong_size_do": "Check the number of squares that you typed, and that each token's black tip lies on its "
    "corner of the grid.",
    "table_wrong_corners": "The four corners are not those of a play area of this size, seen from above.",
    "table_wrong_corners_do": "Check its width and depth, and click its corners again: far left, far right, near "
    "right, near left.",
    "clicked_lost": "The clicked corners are lost from view. Bring the table back, or click its corners again.",
    "clicked_order": "Click the corners in the order far left, far right, near right, near left.",
    "clicked_no_rectangle": "These four corners are not a rectangle seen from above.",
    "view_tilted": "The camera looks from too far aside ({value:.0f}°).",
    "view_tilted_do": "Raise it, or tilt it to look more from above.",
    "view_small": "The table is small in the picture ({value:.1f} px/mm).",
    "view_small_do": "Move the camera closer or choose 1280x720 or more.",
    "view_dark": "The picture is dark.",
    "view_dark_do": "Turn on a lamp beside the table.",
    "view_faint": "The print is faint in the picture.",
    "view_faint_do": "Turn on a lamp, wipe the lens, or print darker.",
    "view_overexposed": "The paper is burnt out.",
    "view_overexposed_do": "Lower the exposure or dim the lamp.",
    "view_glare": "A light is mirrored at the {where} of the picture.",
    "view_glare_do": "Move the lamp aside or turn it to the ceiling.",
    "view_blurred": "The picture is soft ({value:.1f} px).",
    "view_blurred_do": "Let the camera focus on the table, wipe the lens, and choose the camera's own picture size.",
    "view_not_flat": "The sheet does not lie flat.",
    "view_not_flat_do": "Tape its corners down.",
    "view_few_markers": "{value:.0f} of the black squares cannot be seen.",
    "view_few_markers_do": "With all of them places are most exact.",
    "view_one_sided": "All black squares in view are on one side.",
    "view_one_sided_do": "Uncover one on the other side.",
    "view_cut_off": "A part of the play area is outside the picture.",
    "view_cut_off_do": "Move or turn the camera or the mat.",
    "view_stretched": "The picture is stretched ({value:.2f}).",
    "view_stretched_do": "Choose another picture size in the camera's settings.",
    "where_top_left": "top left",
    "where_top": "top",
    "where_top_right": "top right",
    "where_left": "left",
    "where_middle": "middle",
    "where_right": "right",
    "where_bottom_left": "bottom left",
    "where_bottom": "bottom",
    "where_bottom_right": "bottom right",
}
