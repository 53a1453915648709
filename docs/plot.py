#!/usr/bin/env python3
"""Draws the figures of docs/performance.md: docs/plot.py FIGURES writes docs/moves.svg and docs/work.svg.

FIGURES is what `cargo bench --bench moves` adds to the file that CARDROOM_FIGURES names."""

import json
import pathlib
import sys
from html import escape

FOLDER = pathlib.Path(__file__).parent
COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#9c6b4e"]
WIDTH, LEFT, ROW = 640, 200, 34


def page(title, rows, most, unit, legend):
    """Horizontal bars: each row has a name and parts of (value, colour), and perhaps a range over the whole."""
    height = 70 + ROW * len(rows)
    scale = (WIDTH - LEFT - 90) / most
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="10" y="20" font-weight="bold">{escape(title)}</text>',
    ]
    x = 10
    for name, colour in legend:
        out.append(f'<rect x="{x}" y="32" width="10" height="10" fill="{colour}"/>')
        out.append(f'<text x="{x + 14}" y="41">{escape(name)}</text>')
        x += 30 + 8 * len(name)
    for at, (name, parts, spread) in enumerate(rows):
        y, x = 56 + ROW * at, LEFT
        out.append(f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        for value, colour in parts:
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{value * scale:.1f}" height="22" fill="{colour}"/>')
            x += value * scale
        if spread:
            least, greatest = (LEFT + value * scale for value in spread)
            out.append(f'<path d="M{least:.1f} {y + 11}H{greatest:.1f}" stroke="black"/>')
            x = max(x, greatest)
        whole = sum(value for value, _ in parts)
        text = f"{whole:.2f}" if most < 10 else f"{whole:,.0f}"
        out.append(f'<text x="{x + 6:.1f}" y="{y + 16}">{text} {unit}</text>')
    return "\n".join([*out, "</svg>\n"])


def main():
    figures = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]

    ratios = [f for f in figures if f.get("ratio") and f.get("pgbench")]
    rows = [(f["part"], [(f["ratio"][1], COLOURS[0])], (f["ratio"][0], f["ratio"][2])) for f in ratios]
    most = max(1.0, *(f["ratio"][2] for f in ratios))
    title = "Moves a second over HTTP, as a part of pgbench's inserts"
    (FOLDER / "moves.svg").write_text(page(title, rows, most, "", []), encoding="utf-8")

    worked = [f for f in figures if f.get("work")]
    names = list(dict.fromkeys(name for f in worked for name in f["work"]))
    colour = dict(zip(names, COLOURS))
    rows = [(f["part"], [(f["work"].get(name, 0), colour[name]) for name in names], None) for f in worked]
    most = max(sum(f["work"].values()) for f in worked)
    title = "Work of the processor for one move or look, in microseconds"
    (FOLDER / "work.svg").write_text(page(title, rows, most, "µs", list(colour.items())), encoding="utf-8")


if __name__ == "__main__":
    main()
