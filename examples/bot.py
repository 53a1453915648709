#!/usr/bin/env python3
"""Plays for an account: in every game of every kind at which it sits, for as long as the bot runs.

    CARDROOM_TOKEN=… python3 bot.py http://127.0.0.1:8080 [TOURNAMENT]

The token is a personal access token with the scope `play`. With the id of a tournament the bot enters it, and ends
when it is over. The bot knows no game: each action comes from `legal_actions`. To play better, change `choose`.
"""
import http.client, json, os, random, sys, time, urllib.request, uuid

ROOM, TOKEN = sys.argv[1].rstrip("/"), os.environ["CARDROOM_TOKEN"]
CUP = f"/v1/tournaments/{sys.argv[2]}" if len(sys.argv) > 2 else None
SILENCE = 40  # A stream says something every 15 seconds; one that is silent for longer is dead.
LAST = {}  # The id of the stream's last event, to go on from there.


def choose(game):
    """Any legal action. `game["view"]` shows what this seat may know."""
    line = random.choice(game["legal_actions"])
    return {"type": line["type"]} | {name: draw(domain) for name, domain in line["params"].items()}


def draw(domain):
    if domain["type"] == "integer":
        return random.randint(domain["min"], domain["max"])
    if domain["type"] == "cards":
        return random.sample(domain["from"], random.randint(domain["min"], domain["max"]))
    return random.choice(domain["from"])  # a card, a seat, or a word


class Answered(urllib.request.HTTPErrorProcessor):
    http_response = https_response = lambda self, request, answer: answer  # A refusal is an answer, too.


def call(method, path, body=None, headers={}, read=json.load):
    """The status of an answer and what it holds. As long as there is none, the same request is sent again."""
    data, opener = body if body is None else json.dumps(body).encode(), urllib.request.build_opener(Answered)
    while True:
        wait, own = 1, {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(ROOM + path, data, own | headers, method=method)
        try:
            with opener.open(request, timeout=SILENCE) as answer:
                if answer.status in (401, 403):
                    sys.exit(f"{method} {path}: {json.load(answer)['detail']}")
                if answer.status != 429 and answer.status < 500:
                    return answer.status, read(answer)
                wait = float(answer.headers.get("Retry-After", wait))
        except (OSError, http.client.HTTPException) as error:
            print(f"{method} {path}: {error!r}", file=sys.stderr)
        time.sleep(wait + random.random())


def play(path):
    """Acts for as long as the game waits for this bot."""
    while True:
        status, game = call("GET", path)
        if status >= 300 or game["you"] not in game["to_act"] or not game["legal_actions"]:
            return
        headers = {"If-Match": f'"{game["version"]}"', "Idempotency-Key": str(uuid.uuid4())}
        status, answer = call("POST", f"{path}/actions", choose(game), headers)
        # 409 and 412: the game has gone on. Somebody else, or the clock, was faster.
        if status >= 300 and status not in (409, 412):
            sys.exit(answer["detail"])


def look_around():
    """Plays where it is this bot's turn, and ends with its tournament."""
    for game in call("GET", "/v1/me/games?your_turn=true&limit=200")[1]["items"]:
        play(f"/v1/games/{game['id']}")
    if CUP and call("GET", CUP)[1]["status"] not in ("open", "active"):
        sys.exit()


def follow(stream):
    """Plays whenever the account's stream says so. It ends after an hour, and when the service stops."""
    if stream.status >= 300:  # What happened since is too much to be told: begin anew.
        LAST.clear()
    for line in stream:
        field, _, value = line.decode().rstrip().partition(": ")
        notice = json.loads(value) if field == "data" else {}
        if field == "id":
            LAST["Last-Event-ID"] = value
        elif notice.get("type") == "your_turn":
            play(f"/v1/games/{notice['game']['id']}")
        # At the start, and every few seconds: nobody is told that a game which stood still goes on.
        elif field == ":" or "games" in notice or notice.get("type") == "tournament_over":
            look_around()


if CUP and (entered := call("POST", f"{CUP}/entries", {}))[0] >= 300 and not call("GET", CUP)[1].get("you"):
    sys.exit(entered[1]["detail"])
while True:
    call("GET", "/v1/me/stream", None, LAST, follow)
    time.sleep(1)
