#!/usr/bin/env python3
"""Draws docs/modules.svg: the folders of the code, and which imports which.

A box is a folder, or a file beside the folders. It stands above all that it imports. An arrow is left out where others
lead the same way. An arrow that goes up, because folders import each other, is red.

    python3 docs/modules.py > docs/modules.svg
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES = {"cardroom": "src", "cardroom_core": "crates/cardroom-core/src", "local_postgres": "crates/local-postgres/src"}
WIDTH, HEIGHT, ACROSS, DOWN = 116, 44, 20, 40


def modules():
    """Each module, with the modules that it imports."""
    imports = {}
    for crate, folder in CRATES.items():
        for path in sorted((ROOT / folder).rglob("*.rs")):
            code = re.sub(r"//.*", "", path.read_text().split("mod tests {")[0])
            found = re.findall(rf"\b(crate|{'|'.join(CRATES)})::(\w+)", code)
            found = {module(crate if root == "crate" else root, (first, "")) for root, first in found}
            imports.setdefault(module(crate, path.relative_to(ROOT / folder).parts), set()).update(found)
    imports = {name: found for name, found in imports.items() if not name.endswith("::lib")}
    return {name: (found & imports.keys()) - {name} for name, found in imports.items()}


def module(crate, parts):
    first = parts[0].removesuffix(".rs")
    if crate == "local_postgres":
        return crate
    return f"{crate}::{first}"


def floors(imports):
    """How far each module is above the ground; a circle counts as its first member."""
    floor = {}

    def of(name, above):
        if name not in floor:
            below = [of(other, above | {name}) for other in sorted(imports[name]) if other not in above | {name}]
            floor[name] = 1 + max(below, default=-1)
        return floor[name]

    for name in sorted(imports):
        of(name, frozenset())
    return floor


def reachable(imports, start, floor):
    """All that is below a module, by whichever way."""
    found, left = set(), [start]
    while left:
        below = {other for other in imports[left.pop()] if floor[other] < floor[start]} - found
        found |= below
        left += below
    return found


def plain(imports, floor):
    """The imports without those that others imply."""
    kept = {}
    for name, found in imports.items():
        implied = set().union(*(reachable(imports, other, floor) for other in found if floor[other] < floor[name]))
        kept[name] = found - implied
    return kept


def draw(imports):
    floor = floors(imports)
    imports = plain(imports, floor)
    rows = [[name for name in sorted(imports) if floor[name] == n] for n in range(max(floor.values()), -1, -1)]
    # Two rounds of putting each box near the middle of those above it.
    at = {name: n for row in rows for n, name in enumerate(row)}
    for _ in range(2):
        for row in rows:
            above = {name: [at[other] for other in imports if name in imports[other]] for name in row}
            row.sort(key=lambda name: sum(above[name]) / len(above[name]) if above[name] else at[name])
            at.update({name: n + (max(map(len, rows)) - len(row)) / 2 for n, name in enumerate(row)})
    across = (max(map(len, rows)) + 0.3) * (WIDTH + ACROSS) + ACROSS
    down = len(rows) * (HEIGHT + DOWN) + 10
    # Every second row is moved, so that an arrow that passes a row is seen beside its boxes.
    spot = {name: (ACROSS + (at[name] + n % 2 * 0.3) * (WIDTH + ACROSS), 10 + n * (HEIGHT + DOWN)) for n, row in enumerate(rows) for name in row}
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:.0f} {down}" font-family="sans-serif">')
    print('<rect width="100%" height="100%" fill="white"/>')
    for name, found in sorted(imports.items()):
        for other in sorted(found):
            (x, y), (to_x, to_y) = spot[name], spot[other]
            style = 'stroke="#c00" stroke-width="2"' if to_y <= y else 'stroke="#8ab"'
            x, to_x, y = x + WIDTH / 2, to_x + WIDTH / 2, y + HEIGHT
            middle = (y + to_y) / 2
            curve = f"M{x:.0f} {y} C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y}"
            print(f'<path d="{curve}" fill="none" {style}/>')
    for name in sorted(spot):
        (x, y), core = spot[name], not name.startswith("cardroom::")
        print(f'<rect x="{x:.0f}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{"#e8f4e8" if core else "#eef2fa"}" stroke="#567"/>')
        crate, _, title = name.partition("::")
        where = {"cardroom": "src", "cardroom_core": "cardroom-core", "local_postgres": "crates"}[crate]
        print(f'<text x="{x + WIDTH / 2:.0f}" y="{y + 19}" text-anchor="middle" font-size="14">{title or "local-postgres"}</text>')
        print(f'<text x="{x + WIDTH / 2:.0f}" y="{y + 35}" text-anchor="middle" font-size="11" fill="#567">{where}</text>')
    print("</svg>")


draw(modules())
