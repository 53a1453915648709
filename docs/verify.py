#!/usr/bin/env python3
"""Checks audit bundles of cardroom with nothing but Python's standard library.

    python3 verify.py [--keys JWKS] FILE…     each a bundle, or an export with one on each line; - for standard input

Form, commitment, chain, chances and signature are checked as docs/fairness.md tells. Whether each action was legal
takes the rules of the games: `cardroom audit` knows them.
"""
import base64, hashlib, hmac, itertools, json, re, struct, sys


def mac(seed, message):
    return hmac.digest(seed, message.encode(), "sha256")


def canonical(value):  # RFC 8785, for whole numbers and names in ASCII, which is what logs have
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def check(ok, what):
    if not ok:
        raise ValueError(what)


# JSON in which no name stands twice in an object, and all numbers are whole and written in one way.
def once(pairs):
    check(len(dict(pairs)) == len(pairs), "form: a name stands twice in an object")
    return dict(pairs)


def whole(digits):
    check(abs(int(digits)) < 2**53 and str(int(digits)) == digits, f"form: {digits} is not how a log writes it")
    return int(digits)


def read(text):
    refuse = lambda number: check(False, f"form: {number} is no whole number")
    return json.loads(text, object_pairs_hook=once, parse_int=whole, parse_float=refuse, parse_constant=refuse)


# What may stand where: each of these tells whether a value is of a form.
def text(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value)


def number(least, most):
    return lambda value: type(value) is int and least <= value <= most


def one_of(*forms):
    return lambda value: any(form(value) for form in forms)


def items(form):
    return lambda value: isinstance(value, list) and all(form(item) for item in value)


def some(form):
    return lambda value: items(form)(value) and value != []


def record(needed, optional={}):  # an object with these names and no others
    forms = needed | optional
    return lambda value: (isinstance(value, dict) and needed.keys() <= value.keys() <= forms.keys()
                          and all(forms[name](value[name]) for name in value))


NULL, ANY, OBJECT = (lambda value: value is None), text("(?s).*"), (lambda value: isinstance(value, dict))
HEX, ID = text("[0-9a-f]{64}"), text("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = text(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
SEAT, BYTE, WORD, MANY = number(0, 15), number(0, 2**8 - 1), number(0, 2**32 - 1), number(1, 2**32 - 1)
SCORE, COUNT, POLICY = number(-(2**53), 2**53), number(0, 2**16 - 1), text("random|novice|steady|skilled|expert")
FALSE, TRUE = (lambda value: value is False), (lambda value: value is True)
PLAYER = record({"type": text("player"), "player": ANY})
BOT = record({"type": text("bot"), "bot": POLICY})
CLOCK, SYSTEM = record({"type": text("clock")}), record({"type": text("system")})
PLACING = record({"seat": SEAT, "place": BYTE, "score": SCORE})
OUTCOME = record({"places": items(PLACING), "winners": items(SEAT)})
STARTED = record({"seat": SEAT, "was": SEAT, "player": one_of(NULL, ANY), "bot": one_of(NULL, POLICY)})
TOURNAMENT = record(
    {"id": ID, "round": COUNT, "table": COUNT, "scoring": OBJECT}, {"spectator_delay_hands": MANY, "shuffle_id": ID})
CREATED = record(
    {"kind": ANY, "rules_version": COUNT, "options": OBJECT, "seats": BYTE, "visibility": text("public|private"),
     "account": ID, "commitment": HEX},
    {"turn_seconds": WORD, "bank_seconds": MANY, "bot_delay_ms": MANY, "rated": FALSE, "tournament": TOURNAMENT})
SEATED = one_of(
    record({"player": ANY, "account": ID, "client_seed": ANY}, {"program": TRUE}),
    record({"bot": POLICY, "client_seed": text("")}))
CHANCE = one_of(
    record({"k": WORD, "pick": record({"of": BYTE, "result": BYTE})}),
    record({"k": WORD, "shuffle": record({"result": items(ANY)})}))
ENTRIES = {  # by whom, at which seat, and what else
    "created": (PLAYER, NULL, CREATED),
    "seated": (PLAYER, SEAT, SEATED),
    "left": (PLAYER, SEAT, record({})),
    "removed": (PLAYER, SEAT, record({}, {"account": ID})),
    "moved": (PLAYER, SEAT, record({"to": SEAT})),
    "invite_renewed": (PLAYER, NULL, record({})),
    "started": (one_of(PLAYER, SYSTEM), NULL, record({"seats": items(STARTED)})),
    "chance": (SYSTEM, NULL, CHANCE),
    "acted": (one_of(PLAYER, BOT, CLOCK), SEAT, record({"action": OBJECT}, {"granted_ms": MANY})),
    "resigned": (PLAYER, SEAT, record({})),
    "abort_agreed": (PLAYER, SEAT, record({})),
    "paused": (PLAYER, NULL, record({}, {"granted_ms": some(WORD)})),
    "resumed": (PLAYER, NULL, record({})),
    "time_added": (PLAYER, one_of(NULL, SEAT), record({"seconds": MANY})),
    "finished": (SYSTEM, NULL, record({"outcome": OUTCOME, "server_seed": HEX})),
    "aborted": (one_of(PLAYER, SYSTEM), NULL, record({"server_seed": HEX}, {"admin": TRUE})),
}
FAIRNESS = record({"algorithm": text("cardroom/1"), "commitment": HEX, "server_seed": HEX, "shuffle_id": ID})
BUNDLE = record(
    {"format": text("cardroom.audit/1"), "game": OBJECT, "fairness": FAIRNESS, "log": items(OBJECT),
     "outcome": one_of(NULL, OUTCOME), "signature": ANY})
COURSE = (
    "created( seated| left| removed| moved| invite_renewed)*"
    "( started( chance| acted| resigned| abort_agreed| paused| resumed| time_added)*( finished| aborted)| aborted)")


def form(bundle):
    check(BUNDLE(bundle), "form: this is no bundle")
    log = bundle["log"]
    for n, entry in enumerate(log, 1):
        by, seat, data = ENTRIES.get(entry.get("type"), (NULL, NULL, NULL))
        whole = {"seq": WORD, "at": TIME, "type": ANY, "by": by, "seat": seat, "data": data, "hash": HEX}
        check(record(whole)(entry), f"form: entry {n} is not as logs have it")
        check(n == 1 or log[n - 2]["at"] <= entry["at"], f"legality: at entry {n} time runs backwards")
    check(re.fullmatch(COURSE, " ".join(entry["type"] for entry in log)), "legality: no game goes like this")
    is_directed = any(entry["type"] in ("paused", "resumed", "time_added") for entry in log)
    check(not is_directed or "tournament" in log[0]["data"], "legality: nobody directs the clocks of this game")
    by_house = log[-1]["type"] == "aborted" and log[-1]["by"]["type"] == "system"
    was_played = any(entry["type"] == "started" for entry in log)
    check(not (by_house and was_played), "legality: the house calls no game off that is being played")


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
    game, log, seats, resigned, order, count = bundle["game"], bundle["log"], {}, set(), [], 0
    made = log[0]["data"]
    for entry in log:
        data, kind, seat = entry["data"], entry["type"], entry["seat"]
        where = f"entry {entry['seq']}"
        if kind == "seated":
            check(seat not in seats, f"legality: {where} takes a seat that is taken")
            seats[seat] = {name: data.get(name) for name in ("player", "bot", "client_seed")}
        elif kind in ("left", "removed"):
            check(seats.pop(seat, None), f"legality: {where} leaves a seat that is free")
        elif kind == "moved":
            check(seat in seats and 0 <= data["to"] < made["seats"], f"legality: {where} moves nobody, or nowhere")
            moved, other = seats.pop(seat), seats.pop(data["to"], None)
            seats |= {data["to"]: moved} | ({seat: other} if other else {})
        elif kind == "started":
            sat, seats = sorted(seats), dict(enumerate(seats[seat] for seat in sorted(seats)))
            names = [{"seat": n, "was": sat[n], "player": seats[n]["player"], "bot": seats[n]["bot"]} for n in seats]
            check(canonical(data["seats"]) == canonical(names), f"legality: {where} seats others than sat down")
            hashed = ",".join(hashlib.sha256(seats[n]["client_seed"].encode()).hexdigest() for n in seats)
        elif kind in ("acted", "resigned", "abort_agreed"):
            sits = seat in seats and seats[seat]["bot"] == entry["by"].get("bot")
            check(sits, f"legality: {where} is by somebody who does not sit there")
            gone = seat in resigned and entry["by"]["type"] != "clock"
            check(not gone, f"legality: {where} is by somebody who has resigned")
            if kind == "resigned":
                resigned.add(seat)
        elif kind == "chance":
            check(data["k"] == count, f"chances: {where} is out of turn")
            prefix = f"cardroom/1:{bundle['fairness']['shuffle_id']}:{count}:{hashed}"
            words = (w for i in itertools.count() for w in struct.unpack(">8I", mac(seed, f"{prefix}:{i}")))
            count += 1
            if "pick" in data:
                of, result = data["pick"]["of"], data["pick"]["result"]
                check(of > 0 and uniform(words, of) == result, f"chances: {where} is another pick")
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
            check(before == deck(made["kind"], made["options"]) or redealt, f"chances: {where} is another order")
            order = result
    told = {name: made[name] for name in ("kind", "rules_version", "options")}
    told |= {"id": game.get("id"), "seats": [{"seat": seat, **seats[seat]} for seat in sorted(seats)]}
    check(canonical(game) == canonical(told), "game: it is not the log's")


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


def decoded(part):
    data = base64.urlsafe_b64decode(part + "==")
    check(base64.urlsafe_b64encode(data).decode().rstrip("=") == part, "signature: no base64url")
    return data


def signature(bundle, keys):
    head, body, signed = bundle["signature"].split(".")
    header, log = read(decoded(head).decode()), bundle["log"]
    check(header["alg"] == "EdDSA" and header["typ"] == "cardroom-audit+jwt", "signature: of another type")
    known = {key["kid"]: key for key in ([header["jwk"]] if keys is None else keys)}
    check(header["kid"] in known, "signature: by a key that is not the house's")
    key = known[header["kid"]]
    check(key["kty"] == "OKP" and key["crv"] == "Ed25519", "signature: by a key of another sort")
    message, signed = f"{head}.{body}".encode(), decoded(signed)
    check(len(signed) == 64 and is_signed(decoded(key["x"]), message, signed), "signature: it does not hold")
    here = {"game": bundle["game"]["id"], "version": len(log), "hash": log[-1]["hash"]}
    check(canonical(read(decoded(body).decode())) == canonical(here), "signature: it was made for another log")


def verify(bundle, keys):
    form(bundle)
    game, fairness, log = bundle["game"], bundle["fairness"], bundle["log"]
    seed, made, end = bytes.fromhex(fairness["server_seed"]), log[0]["data"], log[-1]["data"]
    commitments = {fairness["commitment"], made["commitment"], hashlib.sha256(seed).hexdigest()}
    check(len(commitments) == 1, "commitment: the seed is not the one that was committed to")
    check(end["server_seed"] == seed.hex(), "commitment: the game ended with another seed")
    place = made.get("tournament", {})
    shuffle_id = place.get("shuffle_id", place.get("id", game.get("id")))
    check(fairness["shuffle_id"] == shuffle_id, "chances: they are another game's")
    chain(seed, log)
    chances(seed, bundle)
    check(canonical(bundle["outcome"]) == canonical(end.get("outcome")), "outcome: it is not the log's")
    signature(bundle, keys)


def bundles(name):
    """The texts of a file, each with where it stands."""
    data = (sys.stdin.buffer if name == "-" else open(name, "rb")).read()
    lines = [(f"{name}:{n}", line) for n, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    is_export = all(line.strip()[:1] == b"{" and line.strip()[-1:] == b"}" for _, line in lines)
    return lines if is_export else [(name, data)]


def main(names):
    keys = None
    if names[:1] == ["--keys"]:
        keys = json.load(open(names[1]))["keys"]
        names = names[2:]
    wrong = count = 0
    for name in names:
        for where, data in bundles(name):
            count += 1
            try:
                verify(read(data.decode()), keys)
            except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
                wrong += 1
                print(f"{where}: WRONG, {error}")
    print(f"{count - wrong} of {count} bundles are as they claim")
    return wrong > 0 or count == 0


sys.exit(main(sys.argv[1:]))
