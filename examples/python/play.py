"""Plays a game of every kind and a tournament, and knows none of them: it reads `legal_actions`.

The client is made by openapi-python-client. `python play.py http://127.0.0.1:8080`
"""

import random
import secrets
import sys
import time
from collections.abc import Sequence
from typing import Protocol, TypeVar
from uuid import UUID

import httpx
from cardroom_client import AuthenticatedClient, Client
from cardroom_client.api.accounts import guest, register
from cardroom_client.api.audit import get_audit, verify_audit
from cardroom_client.api.games import act, create_game, get_game, seat_bot, sit_down
from cardroom_client.api.kinds import list_kinds
from cardroom_client.api.tournaments import (
    create_tournament,
    enter_bot,
    enter_tournament,
    get_standings,
    get_tournament,
    start_tournament,
)
from cardroom_client.models import (
    Action,
    AuditBundle,
    AuditReport,
    CreateGame,
    Credentials,
    DomainCards,
    DomainInteger,
    DomainSeat,
    Enter,
    EnterBot,
    FormatRounds,
    KindSummary,
    KindSummaryOptionsSchema,
    LegalAction,
    NewTournament,
    Options,
    PageKindSummary,
    Policy,
    Problem,
    Seat,
    SeatBot,
    Seating,
    Session,
    SitDown,
    Standings,
    Status,
    Tournament,
    TournamentStatus,
)


class Patient(httpx.HTTPTransport):
    """Waits as long as the service says (429, 503), and asks again."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        while True:
            answer = super().handle_request(request)
            if answer.is_success or "Retry-After" not in answer.headers:
                return answer
            answer.close()
            time.sleep(float(answer.headers["Retry-After"]))


ROOM = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
PATIENT = {"transport": Patient()}
ANYBODY = Client(base_url=ROOM, httpx_args=PATIENT)


class Player:
    """Somebody who is signed in."""

    def __init__(self, session: Session) -> None:
        self.name = session.account.username
        self.api = AuthenticatedClient(base_url=ROOM, token=session.access_token, httpx_args=PATIENT)


class Game(Protocol):
    """What this player looks at in a game of any kind."""

    id: UUID
    status: Status
    seats: list[Seat]
    to_act: list[int]
    legal_actions: list[LegalAction]


def seen(answer: Game | Problem | None) -> Game:
    """The game that an answer shows; a refusal is an error."""
    if answer is None or isinstance(answer, Problem):
        raise RuntimeError(answer)
    return answer


T = TypeVar("T")


def given(shape: type[T], answer: T | Problem | None) -> T:
    """What an answer holds; a refusal is an error."""
    if not isinstance(answer, shape):
        raise RuntimeError(answer)
    return answer


def choose(menu: Sequence[LegalAction]) -> Action:
    """An action from one line of the menu, each parameter drawn from its domain. Every such action is legal."""
    line = random.choice(menu)
    action = Action(type_=line.type_)
    for name, domain in line.params.additional_properties.items():
        if isinstance(domain, DomainInteger):
            action[name] = random.randint(domain.min_, domain.max_)
        elif isinstance(domain, DomainCards):
            action[name] = random.sample(domain.from_, random.randint(domain.min_, domain.max_))
        elif isinstance(domain, DomainSeat):
            action[name] = random.choice(domain.from_)
        else:
            action[name] = random.choice(domain.from_)
    return action


def shortest(schema: KindSummaryOptionsSchema) -> dict[str, int]:
    """The options that make a game of any kind a short one: the fewest hands, the lowest target."""
    known = schema["properties"]
    return {name: known[name]["minimum"] for name in ("hands", "target_score") if name in known}


def play_out(game_id: UUID, players: Sequence[Player]) -> None:
    """Plays for all players at this table until the game is over."""
    watcher = players[0].api
    game = seen(get_game.sync(game_id, client=watcher))
    while game.status == Status.ACTIVE:
        turn = {seat.player for seat in game.seats if seat.seat in game.to_act}
        player = next((player for player in players if player.name in turn), None)
        if player is None:
            time.sleep(0.1)  # A bot is thinking.
            game = seen(get_game.sync(game_id, client=watcher))
            continue
        game = seen(get_game.sync(game_id, client=player.api))
        if game.legal_actions:  # Otherwise the clock was faster.
            game = seen(act.sync(game_id, client=player.api, body=choose(game.legal_actions)))


def one_game(kind: KindSummary, players: Sequence[Player]) -> None:
    """One game of a kind among these players, and whether the house has kept its word."""
    creator, *others = players[: kind.seats.max_]
    seats = max(kind.seats.min_, len(others) + 1)
    body = CreateGame(kind=kind.kind, seats=seats, sit=True, options=Options.from_dict(shortest(kind.options_schema)))
    game = seen(create_game.sync(client=creator.api, body=body))
    for other in others:
        seen(sit_down.sync(game.id, client=other.api, body=SitDown(client_seed=f"luck of {other.name}")))
    for _ in range(len(others) + 1, seats):
        seen(seat_bot.sync(game.id, client=creator.api, body=SeatBot(policy=Policy.STEADY)))
    play_out(game.id, players)

    bundle = given(AuditBundle, get_audit.sync(game.id, client=creator.api))
    report = given(AuditReport, verify_audit.sync(client=ANYBODY, body=bundle))
    for row in bundle.outcome.places if bundle.outcome else []:
        seat = bundle.game.seats[row.seat]
        print(f"  {row.place}. {seat.player or seat.bot}: {row.score}")
    failed = [check.detail for check in report.checks if not check.ok]
    print(f"  {len(bundle.log)} entries, {len(report.checks)} checks, {len(failed)} failed")
    if not report.ok:
        raise RuntimeError(f"the audit failed: {'; '.join(failed)}")


def tournament(kind: KindSummary, players: Sequence[Player]) -> None:
    """A tournament of two rounds among these players and two bots, and its standings."""
    account = Credentials(username=f"py_{secrets.token_hex(4)}", password=secrets.token_hex(16))
    api = Player(given(Session, register.sync(client=ANYBODY, body=account))).api
    body = NewTournament(
        name="Cup of the strangers",
        kind=kind.kind,
        options=Options.from_dict(shortest(kind.options_schema)),
        format_=FormatRounds(type_="rounds", rounds=2, seating=Seating.SWISS),
    )
    cup = given(Tournament, create_tournament.sync(client=api, body=body))
    for player in players:
        given(Tournament, enter_tournament.sync(cup.id, client=player.api, body=Enter()))
    for policy in Policy:
        given(Tournament, enter_bot.sync(cup.id, client=api, body=EnterBot(policy=policy)))
    cup = given(Tournament, start_tournament.sync(cup.id, client=api))
    while cup.status == TournamentStatus.ACTIVE:
        for table in (table for round_ in cup.rounds for table in round_.tables):
            play_out(table.game, players)
        time.sleep(0.1)  # The next round begins.
        cup = given(Tournament, get_tournament.sync(cup.id, client=api))
    standings = given(Standings, get_standings.sync(cup.id, client=api))
    print(f"{cup.setup.name}: {cup.status}")
    for row in standings.items:
        print(f"  {row.place or '-'}. {row.player}: {row.result:g}, score {'-' if row.score is None else row.score}")


def main() -> None:
    players = [Player(given(Session, guest.sync(client=ANYBODY))) for _ in range(3)]
    kinds = given(PageKindSummary, list_kinds.sync(client=ANYBODY)).items
    for kind in kinds:
        print(f"{kind.name}: {kind.summary}")
        one_game(kind, players)
    tournament(kinds[-1], players)


if __name__ == "__main__":
    main()
