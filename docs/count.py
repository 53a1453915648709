#!/usr/bin/env python3
"""Counts the results of a tournament again, from its audit bundle and those of its games.

    python3 count.py FILE       both in one file, a bundle on each line; - for standard input

It reads who sat where from the tournament's log and how each game ended from the games' bundles, adds that up, and
compares the sums with the standings. `cardroom audit` checks much more: how the rounds were drawn, each move, each
point. A tournament by chips, or by places, in rounds that are not duplicate, can be counted here.
"""
import json, sys
from fractions import Fraction


def read(lines):
    bundles = [json.loads(line) for line in lines if line.strip()]
    of = lambda form: [bundle for bundle in bundles if bundle["format"] == form]
    (tournament,) = of("cardroom.tournament-audit/1")
    return tournament, {game["game"]["id"]: game for game in of("cardroom.audit/1")}


def follow(log):
    """The tables as they were played last, what organisers changed, who is out, and the last round of each entrant."""
    tables, results, penalties, out, names, byes, last = {}, {}, {}, set(), {}, [], {}
    for entry in log:
        data = entry["data"]
        match entry["type"]:
            case "entered" | "replaced":
                names[data["entrant"]] = data["who"]["player"]
            case "round_began":
                byes.extend(data["byes"])
                last.update(dict.fromkeys(data["byes"], data["round"]))
                for table in data["tables"]:
                    tables[data["round"], table["table"]] = table
                    last.update(dict.fromkeys(table["seats"], data["round"]))
            case "table_redone":
                tables[data["round"], data["table"]]["game"] = data["game"]
                results.pop((data["round"], data["table"]), None)
            case "result_set":
                results[data["round"], data["table"]] = data
            case "result_cancelled":
                results.pop((data["round"], data["table"]), None)
            case "penalised":
                penalties[data["penalty"]] = data
            case "penalty_cancelled":
                del penalties[data["penalty"]]
            case "disqualified":
                out.add(data["entrant"])
            case "reinstated":
                out.discard(data["entrant"])
    return tables, results, penalties, out, names, byes, last


def ended(game, result, highest):
    """Scores and places, seat 0 first; None where the game counts for nothing."""
    if result:
        scores, places = result["scores"], result.get("places")
        ahead = lambda one, other: other > one if highest else other < one
        return scores, places or [1 + sum(ahead(one, other) for other in scores) for one in scores]
    if game["outcome"] is None:
        return None
    seats = sorted(game["outcome"]["places"], key=lambda placing: placing["seat"])
    return [placing["score"] for placing in seats], [placing["place"] for placing in seats]


def count(tournament, games):
    setup = tournament["log"][0]["data"]["setup"]
    by_chips = setup["result_by"]["type"] == "chips"
    is_summed = setup["format"]["type"] in ("rounds", "arena")
    if setup["duplicate"] or not is_summed or setup["result_by"]["type"] not in ("chips", "places"):
        sys.exit("this tournament is counted by `cardroom audit` alone")
    tables, results, penalties, out, names, byes, last = follow(tournament["log"])
    earned = {number: [] for number in names}
    seated = [number for table in tables.values() for number in table["seats"]]
    rounds_of = {number: byes.count(number) + seated.count(number) for number in names}
    if (setup["late_entry"] or {}).get("missed") == "mean":
        rounds_of = {number: last.get(number, 0) for number in names}
    for place, table in tables.items():
        end = ended(games[table["game"]], results.get(place), setup["kind"] != "ricketts_hearts")
        if end is None:
            continue
        scores, places = end
        for seat, number in enumerate(table["seats"]):
            if number is None or number in out:
                continue
            if by_chips:
                earned[number].append(Fraction(scores[seat] - setup["options"]["buy_in"]))
                continue
            others = [other for at, other in enumerate(places) if at != seat and table["seats"][at] not in out]
            beaten = sum(Fraction(1 if other > places[seat] else 0 if other < places[seat] else Fraction(1, 2)) for other in others)
            if others:
                earned[number].append(beaten / len(others))
    sums = {}
    for number, parts in earned.items():
        # By places, a round without a game counts as the mean of the others; such rounds are left to `cardroom audit`.
        exact = by_chips or len(parts) == rounds_of[number]
        fines = sum(Fraction(fine["result_thousandths"], 1000) for fine in penalties.values() if fine["entrant"] == number)
        sums[number] = sum(parts) + fines if exact else None
    return sums, out


def main(path):
    with sys.stdin if path == "-" else open(path, encoding="utf-8") as lines:
        tournament, games = read(lines)
    sums, out = count(tournament, games)
    wrong = left = 0
    for row in tournament["standings"]:
        told, counted = row["result"], sums[row["entrant"]]
        if row["entrant"] in out or counted is None:
            left += 1
            continue
        ok = abs(told - float(counted)) < 1e-9
        wrong += not ok
        print(f"{'ok   ' if ok else 'WRONG'} {row['player']}: {float(counted):g}" + ("" if ok else f", not {told:g}"))
    if left:
        print(f"left to `cardroom audit`: {left}")
    sys.exit(1 if wrong or left == len(tournament["standings"]) else 0)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 2 else sys.exit(__doc__)
