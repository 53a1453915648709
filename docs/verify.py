#!/usr/bin/env python3
"""Checks audit bundles of cardroom with nothing but Python's standard library.

    python3 verify.py [--keys JWKS] FILE      a bundle, or an export with one on each line; - for standard input

Commitment, chain, chances and signature are checked as docs/fairness.md tells. Whether each action was legal
takes the rules of the games: `cardroom audit` knows them.
"""
import base64, hashlib, hmac, itertools, json, struct, sys


def mac(seed, message):
    return hmac.digest(seed, message.encode(), "sha256")


def canonical(value):  # RFC 8785, for whole numbers and names in ASCII, which is what logs have
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def check(ok, what):
    if not ok:
        raise ValueError(what)


def chain(seed, log):
    before = bytes(32)
    for n, entry in enumerate(log, 1):
        rest = {name: value for name, value in entry.items() if name != "hash"}
        before = hashlib.sha256(before + mac(seed, f"salt:{n}") + canonical(rest)).digest()
        check(rest["seq"] == n and entry["hash"] == before.hex(), f"chain: entry {n} is not what was hashed")


def uniform(words, m):
    return next(word for word in words if word < 2**32 - 2**32 % m) % m


def deck(kind, options):
    if kind == "sevens":
        return [number + suit for suit in "CGS" for number in "112233445566"]
    if kind == "knights_heads":
        return [f"{face}{n}" for face in "KQNAMEDJB" for n in range(1, 9 if face == "K" else 13)]
    ranks = "A23456789TJQ" + ("" if options.get("kings") == "removed" else "K")
    return [rank + suit for suit in "CDHS" for rank in ranks]


def chances(seed, bundle):
    game, log, seeds, order, count = bundle["game"], bundle["log"], {}, [], 0
    for entry in log:
        data, kind, where = entry["data"], entry["type"], f"chances: entry {entry['seq']}"
        if kind == "seated":
            seeds[entry["seat"]] = data.get("client_seed", "")
        elif kind == "left":
            del seeds[entry["seat"]]
        elif kind == "started":
            seeds = {seat["seat"]: seeds[seat["was"]] for seat in data["seats"]}
            hashed = ",".join(hashlib.sha256(seeds[n].encode()).hexdigest() for n in range(len(seeds)))
        elif kind == "chance":
            check(data["k"] == count, f"{where} is out of turn")
            prefix = f"cardroom/1:{bundle['fairness']['shuffle_id']}:{count}:{hashed}"
            words = (w for i in itertools.count() for w in struct.unpack(">8I", mac(seed, f"{prefix}:{i}")))
            count += 1
            if "pick" in data:
                check(uniform(words, data["pick"]["of"]) == data["pick"]["result"], f"{where} is another pick")
                continue
            result = data["shuffle"]["result"]
            places = list(range(len(result)))
            for i in range(len(result) - 1, 0, -1):
                j = uniform(words, i + 1)
                places[i], places[j] = places[j], places[i]
            before = [card for _, card in sorted(zip(places, result))]
            # Lucky sevens go back under what is left of the deck, and that is shuffled.
            rest, sevens = before[:-2], before[-2:]
            redealt = rest == order[len(order) - len(rest):] and all(card[0] == "7" for card in sevens)
            check(before == deck(game["kind"], game["options"]) or redealt, f"{where} is another order")
            order = result
    told = [seat["client_seed"] for seat in sorted(game["seats"], key=lambda seat: seat["seat"])]
    check(told == [seeds[n] for n in sorted(seeds)], "game: the client seeds are not those of the log")


# Ed25519 (RFC 8032), points as (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n, p):
    sum = (0, 1, 1, 0)
    while n:
        sum, p, n = add(sum, p) if n & 1 else sum, add(p, p), n >> 1
    return sum


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    check(x * x % P == square, "signature: no point of the curve")
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


def is_signed(key, message, signature):
    half, s = signature[:32], int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(half + key + message).digest(), "little")
    base = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    a, b = times(s, base), add(point(half), times(h % L, point(key)))
    return s < L and a[0] * b[2] % P == b[0] * a[2] % P and a[1] * b[2] % P == b[1] * a[2] % P


def signature(bundle, keys):
    head, body, signed = bundle["signature"].split(".")
    decoded = lambda text: base64.urlsafe_b64decode(text + "==")
    header, claims, log = json.loads(decoded(head)), json.loads(decoded(body)), bundle["log"]
    check(header["alg"] == "EdDSA" and header["typ"] == "cardroom-audit+jwt", "signature: of another type")
    known = {key["kid"]: key for key in keys or [header["jwk"]]}
    check(header["kid"] in known, "signature: by a key that is not the house's")
    key = decoded(known[header["kid"]]["x"])
    check(is_signed(key, f"{head}.{body}".encode(), decoded(signed)), "signature: it does not hold")
    here = {"game": bundle["game"]["id"], "version": len(log), "hash": log[-1]["hash"]}
    check(claims == here, "signature: it was made for another log")


def verify(bundle, keys):
    check(bundle["format"] == "cardroom.audit/1", "this is no bundle")
    game, fairness, log = bundle["game"], bundle["fairness"], bundle["log"]
    seed, made, end = bytes.fromhex(fairness["server_seed"]), log[0]["data"], log[-1]
    commitments = {fairness["commitment"], made["commitment"], hashlib.sha256(seed).hexdigest()}
    check(len(commitments) == 1, "commitment: the seed is not the one that was committed to")
    check(end["data"].get("server_seed") == seed.hex(), "commitment: the game ended with another seed")
    shuffle_id = made.get("tournament", {}).get("shuffle_id", game["id"])
    check(fairness["algorithm"] == "cardroom/1" and fairness["shuffle_id"] == shuffle_id, "chances: unknown scheme")
    chain(seed, log)
    check(all(made[name] == game[name] for name in ("kind", "rules_version", "options")), "game: not the log's")
    chances(seed, bundle)
    check(bundle["outcome"] == end["data"].get("outcome"), "outcome: not the log's")
    signature(bundle, keys)


def main(arguments):
    keys = None
    if arguments[:1] == ["--keys"]:
        keys = json.load(open(arguments[1]))["keys"]
        arguments = arguments[2:]
    text = sys.stdin.read() if arguments == ["-"] else open(arguments[0], encoding="utf-8").read()
    try:
        bundles = [json.loads(text)]
    except ValueError:
        bundles = [json.loads(line) for line in text.splitlines() if line]
    wrong = 0
    for bundle in bundles:
        try:
            verify(bundle, keys)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            wrong += 1
            print(f"{bundle['game']['id']}: WRONG, {error}")
    print(f"{len(bundles) - wrong} of {len(bundles)} bundles are as they claim")
    return wrong > 0


sys.exit(main(sys.argv[1:]))
