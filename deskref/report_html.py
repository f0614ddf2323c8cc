"""The report of a game as HTML with drawings, for the page and for a file that stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Final
from urllib.parse import quote

from deskref.dice_fairness import ColourLuck, Fairness
from deskref.evening import EveningGame
from deskref.game_report import Line, Outcome, Report, Throws
from deskref.inputs import Source
from deskref.language import decimal, now, percent, say
from deskref.luck import Luck, Verdict
from deskref.rule_sets import NAMES
from rules.ruling import listed

WIDTH, HEIGHT = 1000.0, 200.0
"""Of a drawn course in units of its own; it is stretched to the page's width, and its height is as many pixels."""
NAME_PX: Final = 17.0
"""Height of a name at the end of its line."""
NAMES_CH: Final = 22
"""Room of names at the lines' ends, in digits. Longer ones, and all on a narrow screen, stand in full below."""

DASHES: Final = ("", "9 4", "2 4", "12 3 2 3", "5 2", "14 6")
"""A dash of its own for each line, so that nothing hangs on colour."""

APART: Final = 2.5
"""Units by which each line is drawn above the one before it."""

NAMED_FACES: Final = 10
"""Dice with more faces have only 1 and every fifth named below their bars: two digits need 15 px at this size."""

SIDES: Final = 4
"""Colours of sides that the theme has."""

STYLE: Final = """
:root { --ground: #f4f1ea; --panel: #fffdf8; --ink: #1d2430; --soft: #5b6472; --line: #d9d3c5; --accent: #0b5cad;
  --side0: #0b5cad; --side1: #a94a00; --side2: #4a4f57; --side3: #6b2fa0; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161d; --panel: #1b212b; --ink: #eef1f5; --soft: #a4afbd;
  --line: #323b48; --accent: #7ab8ff; --side0: #7ab8ff; --side1: #ffab5e; --side2: #d2d7de; --side3: #cfa3ff; } }
body { background: var(--ground); color: var(--ink); font: 17px/1.45 system-ui, sans-serif; margin: 24px auto;
  max-width: 900px; padding: 0 16px; }
"""
"""The look of a report that stands alone; on the page the theme has it."""


def report_html(
    report: Report | None,
    fairness: Fairness | None,
    *,
    evening: Sequence[EveningGame] = (),
    shown: str = "",
    has_links: bool = True,
    is_recorded: bool = True,
) -> str:
    """Return the report's body, in the table's language.

    Args:
        report: of the game; None where none has been played.
        fairness: of the dice of all games; None where it is not known.
        evening: all games of the evening; one alone is not listed.
        shown: key of the one whose report this is.
        has_links: whether the others' reports can be reached.
        is_recorded: whether this game's dice are among those of all games.
    """
    parts = [_evening(evening, shown, has_links=has_links)] if len(evening) > 1 else []
    parts += [f"<p>{escape(say('report_none'))}</p>"] if report is None else _game(report, is_earlier=bool(shown))
    if fairness is not None:
        parts += _fairness(fairness, has_more=report is not None and not is_recorded)
    return f'<div class="report">{"".join(parts)}</div>'


def report_file(
    report: Report | None,
    fairness: Fairness | None,
    *,
    evening: Sequence[EveningGame] = (),
    shown: str = "",
    is_recorded: bool = True,
) -> str:
    """Return the report as an HTML file that needs nothing else; its arguments are those of `report_html`."""
    title = escape(say("report_title"))
    body = report_html(report, fairness, evening=evening, shown=shown, has_links=False, is_recorded=is_recorded)
    return (
        f'<!doctype html>\n<html lang="{now().code}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{TABLE_STYLE}</style></head><body><main><h1>{title}</h1>"
        f"{body}</main></body></html>\n"
    )


TABLE_STYLE: Final = """
.report section { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 16px;
  margin: 0 0 16px; overflow-x: auto; }
.report h2 { font-size: 22px; line-height: 1.3; margin: 0 0 8px; font-weight: 700; }
.report table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.report th, .report td { text-align: left; padding: 6px 10px 6px 0; border-top: 1px solid var(--line);
  vertical-align: top; }
.report th { color: var(--soft); font-weight: 650; border-top: 0; }
.report .hint { color: var(--soft); }
.report-page { max-width: 1000px; margin: 0 auto; padding: 16px; width: 100%; box-sizing: border-box; }
.report-page .bar { margin-bottom: 16px; }
.report .plot { position: relative; height: 200px; margin: 22px calc(var(--names) + 14px) 4px 34px; font-size: 14px; }
.report .plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.report .plot span { position: absolute; transform: translateY(-50%); line-height: 1.2; white-space: nowrap; }
.report .plot .tick { right: 100%; margin-right: 8px; color: var(--soft); font-variant-numeric: tabular-nums; }
.report .plot .end { left: 100%; margin-left: 8px; max-width: var(--names); overflow: hidden; text-overflow: ellipsis; }
.report .steps { color: var(--soft); font-size: 14px; margin: 0 0 4px 34px; }
.report .lines { display: none; flex-wrap: wrap; gap: 2px 18px; list-style: none; margin: 8px 0 0; padding: 0; }
.report .lines li { display: flex; gap: 8px; align-items: center; overflow-wrap: anywhere; }
.report .lines svg { width: 44px; height: 10px; flex: none; }
.report .course-line { fill: none; stroke-width: 2.5; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.report .axis { stroke: var(--line); fill: none; vector-effect: non-scaling-stroke; }
.report .evening a { color: var(--accent); } .report .evening tr.here { font-weight: 700; }
@media (max-width: 600px) { .report .plot { margin-right: 6px; } .report .plot .end { display: none; }
  .report .lines { display: flex; } }
.report .lines.long { display: flex; } .report > p { margin: 0 0 12px; }
@media (max-width: 600px) { .report table, .report tbody, .report tr, .report td { display: block; }
  .report thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .report tr { border-top: 1px solid var(--line); padding: 8px 0; } .report td { border: 0; padding: 2px 0; }
  .report td::before { content: attr(data-label) ": "; color: var(--soft); } }
.report svg.faces { width: 150px; height: 58px; overflow: visible; }
.report svg.faces text { fill: var(--soft); font-size: 11px; text-anchor: middle; }
.report svg.faces rect { fill: var(--accent); }
.report svg.faces .fair { stroke: var(--ink); stroke-dasharray: 3 3; }
"""


def _game(report: Report, *, is_earlier: bool) -> list[str]:
    state = _state(is_over=report.is_over, is_earlier=is_earlier, rounds=report.rounds)
    parts = [f"<p>{escape(f'{state} {_won(report)}'.strip())}</p>"]
    measures = dict.fromkeys(line.measure for line in report.lines)
    for measure in measures:
        lines = [line for line in report.lines if line.measure == measure]
        title = say(f"report_{measure}")
        parts.append(_section(say("report_course", what=title), course_html(lines, title)))
    parts.append(_section(say("report_rolls"), _attempts(report)))
    parts.append(_section(say("report_dice"), _dice(report.throws) + _meaning()))
    return parts


def _evening(evening: Sequence[EveningGame], shown: str, *, has_links: bool) -> str:
    """The games of the evening, each with its end and the way to its report."""
    head = ("report_number", "report_when", "report_game", "report_end")
    rows = []
    for number, game in enumerate(evening, start=1):
        outcome = game.outcome
        is_here = game.key == shown
        words = _state(is_over=outcome.is_over, is_earlier=bool(game.key), rounds=outcome.rounds)
        words = f"{_won(outcome)} {words}".strip()
        name = escape(NAMES.get(outcome.game, outcome.game))
        if has_links and not is_here:
            address = f"/report?game={quote(game.key)}" if game.key else "/report"
            name = f'<a href="{address}">{name}</a>'
        when = f"{game.began:%H:%M}" if game.began is not None else "–"
        rows.append(_row(head, (str(number), escape(when), name, escape(words)), is_here=is_here))
    return f'<div class="evening">{_section(say("report_evening"), _table(head, rows))}</div>'


def _won(game: Report | Outcome) -> str:
    return won_words(game.winners, game.side) if game.winners else ""


def won_words(winners: Sequence[str], side: Sequence[str] = ()) -> str:
    """Say who has won.

    Args:
        winners: their names, at least one.
        side: names of all who played on their side, where not all of them have won; otherwise empty.
    """
    if side:
        return say("over_won_side", winners=listed(winners), members=listed(side), count=len(winners))
    return say("over_won", winners=listed(winners), count=len(winners))


def _state(*, is_over: bool, is_earlier: bool, rounds: int) -> str:
    """How a game stands; an earlier one of the evening that did not end was given up."""
    code = "report_over" if is_over else "report_given_up" if is_earlier else "report_on"
    return say(code, rounds=rounds)


def _section(title: str, inside: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{inside}</section>"


def course_html(lines: Sequence[Line], label: str) -> str:
    """Draw the courses of one measure; every line has a dash of its own and its name at its end.

    Only the lines are drawn and stretched to the page's width. Names and numbers are words beside them, so that they
    can be read at any width; where there is no room at the lines' ends, the names stand below.
    """
    pages = max((len(line.values) for line in lines), default=1)
    highest = max((max(line.values) for line in lines), default=1)
    lowest = min(0, *(min(line.values) for line in lines))
    highest = max(highest, lowest + 1)
    step = max(1, -(-(highest - lowest) // 5))
    lowest = -step * -(lowest // step)  # so that 0 is among the numbers beside
    across, down = WIDTH / max(1, pages - 1), HEIGHT / (highest - lowest)

    def height(value: int) -> float:
        return HEIGHT - (value - lowest) * down

    drawn = [f'<path class="axis" d="M0 0V{HEIGHT:g}H{WIDTH:g}"/>']
    beside: list[str] = []
    for value in range(lowest, highest + 1, step):
        y = height(value)
        drawn.append(f'<path class="axis" d="M0 {y:.1f}H{WIDTH:g}" stroke-opacity=".5"/>')
        beside.append(f'<span class="tick" style="top:{y:.1f}px">{value}</span>')
    names = [line.name or say(f"report_{line.measure}") for line in lines]
    ends = _spread([height(line.values[-1]) for line in lines], least=NAME_PX)
    below: list[str] = []
    for n, (line, name, end) in enumerate(zip(lines, names, ends, strict=True)):
        lift = n * APART  # lines of equal courses would hide each other
        places = [(i * across, height(value) - lift) for i, value in enumerate(line.values)]
        way = f"{places[0][0]:.1f} {places[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in places[1:])
        look, colour = _look(n, line.side), f"color:var(--side{line.side % SIDES})"
        told = escape(f"{name}: {line.values[0]} → {line.values[-1]}")
        drawn.append(f'<path class="course-line" {look} d="M{way}"/>')
        beside.append(
            f'<span class="end" style="top:{end:.1f}px;{colour}" title="{escape(name, quote=True)}">'
            f"{escape(name)}</span>"
        )
        sample = f'<svg viewBox="0 0 44 10"><path class="course-line" {look} d="M0 5H44"/></svg>'
        below.append(f'<li style="{colour}">{sample}{told}</li>')
    longest = max(map(len, names), default=0)
    wide = longest * 5 // 4 + 1  # in digits, as CSS counts; some letters are wider
    listed = "lines long" if wide > NAMES_CH else "lines"
    words = "; ".join(f"{line.name or label}: {line.values[0]} → {line.values[-1]}" for line in lines)
    spoken = escape(f"{label}. {words}", quote=True)
    return (
        f'<div class="plot" style="--names:{min(NAMES_CH, wide)}ch">'
        f'<svg class="course" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'preserveAspectRatio="none" role="img" aria-label="{spoken}">{"".join(drawn)}</svg>'
        f'<div aria-hidden="true">{"".join(beside)}</div></div>'
        f'<p class="steps">{escape(say("report_pages", count=pages - 1))}</p>'
        f'<ul class="{listed}" aria-hidden="true">{"".join(below)}</ul>'
    )


def _look(number: int, side: int) -> str:
    """The colour of a line's side, and a dash by its number."""
    dash = DASHES[number % len(DASHES)]
    return f'stroke="var(--side{side % SIDES})"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _spread(places: list[float], *, least: float) -> list[float]:
    """Move names apart that would lie on each other, keeping their order."""
    order = sorted(range(len(places)), key=lambda n: places[n])
    spread = list(places)
    for before, after in pairwise(order):
        spread[after] = max(spread[after], spread[before] + least)
    over = max(spread, default=0.0) - HEIGHT
    return [place - max(0.0, over) for place in spread]


def _attempts(report: Report) -> str:
    if not report.attempts:
        return f"<p>{escape(say('report_no_rolls'))}</p>"
    head = ("report_who", "report_count", "report_successes", "report_expected", "report_difference")
    rows = []
    for a in report.attempts:
        more = a.successes - a.expected
        words = say("report_as_expected" if abs(more) < 0.5 else "report_better" if more > 0 else "report_worse")
        expected, difference = decimal(a.expected, 1), decimal(more, 1, is_signed=True)
        cells = (a.name, a.rolls, a.successes, expected, f"{difference} · {words}")
        rows.append(_row(head, [escape(str(cell)) for cell in cells]))
    return _table(head, rows) + f'<p class="hint">{escape(say("report_expected_why"))}</p>'


def _dice(throws: Sequence[Throws]) -> str:
    if not throws:
        return f"<p>{escape(say('report_no_dice'))}</p>"
    rows = []
    for each in throws:
        sources = ", ".join(say(f"report_by_{source.value}", count=count) for source, count in each.by_source)
        name = each.name or say("report_table_dice")
        who = f"{name}, {say('report_die', sides=each.luck.sides)}"
        is_simulated = all(source is Source.SIMULATED for source, _ in each.by_source)
        rows.append(_luck_row(_LUCK_HEAD, who, each.luck, sources, is_simulated=is_simulated))
    return _table(_LUCK_HEAD, rows)


_LUCK_HEAD: Final = ("report_who", "report_faces", "report_mean", "report_test", "report_source")


def _luck_row(head: Sequence[str], name: str, luck: Luck, last: str, *, is_simulated: bool = False) -> str:
    mean, fair = decimal(luck.mean, 2), decimal(luck.expected_mean, 1)
    told = say("report_mean_of", mean=mean, expected=fair, count=luck.throws)
    verdict = verdict_words(luck, is_simulated=is_simulated)
    cells = (escape(name), faces_svg(luck), escape(told), escape(verdict), escape(last))
    return _row(head, cells)


def verdict_words(luck: Luck, *, is_simulated: bool = False) -> str:
    """Say what the test of dice means; of simulated ones, that there is nothing to watch."""
    if luck.verdict is Verdict.TOO_FEW:
        return say("luck_too_few", count=luck.throws)
    least = f"< {decimal(0.1, 1)}"
    share = percent(luck.p) if luck.p >= 0.01 else decimal(100 * luck.p, 1) if luck.p >= 0.001 else least
    code = "luck_chance" if is_simulated and luck.verdict is not Verdict.FAIR else f"luck_{luck.verdict.value}"
    words = say(code, share=share, chi=decimal(luck.chi_square, 1), freedom=luck.sides - 1)
    return words if luck.is_exact else f"{words} {say('luck_rough')}"


def faces_svg(luck: Luck) -> str:
    """Draw how often each face was seen, with a line where fair dice would be."""
    most = max(*luck.counts, luck.throws / luck.sides, 1)
    width = 150 / luck.sides
    bars = "".join(
        f'<rect x="{n * width + 1:.1f}" y="{42 - 40 * count / most:.1f}" width="{width - 2:.1f}" '
        f'height="{40 * count / most:.1f}"/>'
        for n, count in enumerate(luck.counts)
    )
    named = [n for n in range(1, luck.sides + 1) if luck.sides <= NAMED_FACES or n == 1 or n % 5 == 0]
    below = "".join(f'<text x="{(n - 0.5) * width:.1f}" y="55">{n}</text>' for n in named)
    fair = 42 - 40 * luck.throws / luck.sides / most
    seen = ", ".join(f"{face}: {count}" for face, count in enumerate(luck.counts, start=1))
    return (
        f'<svg class="faces" viewBox="0 0 150 58" role="img" aria-label="{escape(seen, quote=True)}">'
        f'<title>{escape(seen)}</title>{bars}{below}<path class="fair" d="M0 {fair:.1f}H150"/></svg>'
    )


def _meaning() -> str:
    return f'<p class="hint">{escape(say("luck_meaning"))}</p>'


def _fairness(fairness: Fairness, *, has_more: bool) -> list[str]:
    """The dice of all recorded games; `has_more` says that those of the game above are not among them."""
    apart = f'<p class="hint">{escape(say("report_not_recorded"))}</p>' if has_more else ""
    if not fairness.colours:
        code = "report_no_fairness" if fairness.games else "report_no_games"
        return [_section(say("report_fairness"), f"<p>{escape(say(code, games=fairness.games))}</p>{apart}")]
    head = ("report_colour", "report_faces", "report_mean", "report_test", "report_games")
    rows = [_luck_row(head, _colour(c), c.luck, str(c.games)) for c in fairness.colours]
    return [_section(say("report_fairness"), _table(head, rows) + apart + _meaning())]


def _colour(colour: ColourLuck) -> str:
    code = f"colour_{colour.colour or 'unknown'}"
    return say(code) if code in now().words else colour.colour


def _table(head: Sequence[str], rows: Sequence[str]) -> str:
    cells = "".join(f'<th scope="col">{escape(say(code))}</th>' for code in head)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(head: Sequence[str], cells: Sequence[str], *, is_here: bool = False) -> str:
    """Make a row of cells that are HTML already; on a narrow screen each bears its column's name."""
    labels = (escape(say(code), quote=True) for code in head)
    drawn = "".join(f'<td data-label="{label}">{cell}</td>' for label, cell in zip(labels, cells, strict=True))
    return f'<tr class="here" aria-current="page">{drawn}</tr>' if is_here else f"<tr>{drawn}</tr>"
