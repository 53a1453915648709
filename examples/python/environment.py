"""An environment for learning to play, shaped like PettingZoo's AEC environments, with action masks. It needs the
program `cardroom` and Python's standard library.

    python3 environment.py 100 sevens player steady     plays 100 games with any legal action, and tells the mean reward

Each seat is a `player`, for which the caller acts, or a policy of the house. The rules stay in one place: a process of
`cardroom selfplay --interactive`, which tells each seat what a client of the card room sees there, and nothing else.

An action is a number below `ACTIONS`. It follows from what the action says, so that a number means the same in every
state; where two actions of a menu share one, the later takes the next that is free. The mask has a 1 for each action
that is legal now, and `infos[agent]["actions"]` tells what they are. A menu can allow more than is worth trying: of chips
there are four steps (`STEPS`), and cards are laid down in one order alone. A seat acts in its own turn only.
"""

import itertools
import json
import random
import subprocess
import sys
import zlib

ACTIONS = 4096
STEPS = ("least", "eighth", "half", "most")  # of what may be bet


class Environment:
    """`seats`: a word for each seat, `player` or a policy. `agents` are the players, by the names of their seats."""

    def __init__(self, kind, seats, options=None, program="cardroom"):
        self.metadata = {"name": f"cardroom/{kind}", "is_parallelizable": False}
        self.possible_agents = [f"seat_{n}" for n, word in enumerate(seats) if word == "player"]
        self.agents = []
        command = [program, "selfplay", kind, *seats, "--interactive", "--options", json.dumps(options or {})]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def reset(self, seed=None):
        """Begins a game. All its chance follows from the seed; without one, from chance."""
        answer = self._ask({"reset": random.getrandbits(63) if seed is None else seed})
        players = [f"seat_{n}" for n in answer["players"]]
        if players != self.possible_agents:
            raise ValueError(f"the players are {players}, not {self.possible_agents}: name each seat of this kind")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"actions": {}} for agent in self.agents}
        self._take(answer)

    def observe(self, agent):
        """What the agent's seat sees, and a mask with a 1 for each action that it can take now. When the game is over, a
        seat sees nothing any more."""
        mask = bytearray(ACTIONS)
        for number in self.infos[agent]["actions"]:
            mask[number] = 1
        is_over = self.terminations[agent]
        seen = None if is_over else self._ask({"observe": int(agent.removeprefix("seat_"))})["observation"]
        return {"observation": seen, "action_mask": mask}

    def step(self, action):
        """Acts for `agent_selection`. At the end, each agent takes one more step, with None."""
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError("the game is over: this agent's action is None")
            self.agents.remove(agent)
            self.agent_selection = next(iter(self.agents), None)
            return
        actions = self.infos[agent]["actions"]
        if action not in actions:
            raise ValueError(f"action {action} is masked")
        self._take(self._ask({"act": actions[action]}))

    def last(self):
        """Of `agent_selection`: observation, reward, termination, truncation, info."""
        agent = self.agent_selection
        return (self.observe(agent), self.rewards[agent], self.terminations[agent], self.truncations[agent],
                self.infos[agent])

    def agent_iter(self):
        """The agents in the order of their turns, until the game is over for all of them."""
        while self.agents:
            yield self.agent_selection

    def action_space(self, agent):
        """The numbers that can be actions."""
        return range(ACTIONS)

    def close(self):
        self._process.stdin.close()
        self._process.wait()

    def _take(self, answer):
        """Notes whose turn it is; or the end: the winners share a reward of 1."""
        for agent in self.agents:
            self.infos[agent] = {"actions": {}}
        if answer["outcome"] is None:
            self.agent_selection = f"seat_{answer['turn']}"
            menu = answer["observation"]["legal_actions"]
            self.infos[self.agent_selection] = {"actions": numbered(menu)}
            return
        winners = answer["outcome"]["winners"]
        for place in answer["outcome"]["places"]:
            agent = f"seat_{place['seat']}"
            if agent in self.agents:
                self.rewards[agent] = 1 / len(winners) if place["seat"] in winners else 0.0
                self.terminations[agent] = True
                self.infos[agent] |= {"place": place["place"], "score": place["score"]}
        self.agent_selection = self.agents[0]

    def _ask(self, request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the program has ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{answer['error']['code']}: {answer['error']['detail']}")
        return answer


def numbered(menu):
    """The actions of a menu by their numbers."""
    actions = {}
    for line in menu:
        names, domains = list(line["params"]), line["params"].values()
        for values in itertools.product(*map(choices, domains)):
            label = json.dumps([line["type"], *(label for label, _ in values)])
            number = zlib.crc32(label.encode()) % ACTIONS
            while number in actions:
                number = (number + 1) % ACTIONS
            actions[number] = {"type": line["type"]} | dict(zip(names, (value for _, value in values)))
            if len(actions) == ACTIONS:
                return actions
    return actions


def choices(domain):
    """The values of a parameter that are worth trying, each with what it is called in every state."""
    if domain["type"] == "integer":
        least, most = domain["min"], domain["max"]
        steps = {}
        for name, value in zip(STEPS, (least, least + (most - least) // 8, least + (most - least) // 2, most)):
            if value not in steps.values():
                steps[name] = value
        return list(steps.items())
    if domain["type"] == "cards":
        # Cards that look the same are the same, and their order hardly ever matters.
        counts = range(domain["min"], domain["max"] + 1)
        found = (cards for count in counts for cards in itertools.combinations(sorted(domain["from"]), count))
        return [(cards, list(cards)) for cards in dict.fromkeys(found)]
    return [(value, value) for value in domain["from"]]


def main(games, kind, *seats):
    environment = Environment(kind, seats)
    rewards = {agent: 0.0 for agent in environment.possible_agents}
    luck = random.Random(1)
    for seed in range(int(games)):
        environment.reset(seed)
        for agent in environment.agent_iter():
            observation, reward, is_over, _, _ = environment.last()
            rewards[agent] += reward if is_over else 0.0
            legal = [number for number, is_legal in enumerate(observation["action_mask"]) if is_legal]
            environment.step(None if is_over else luck.choice(legal))
    environment.close()
    for agent, reward in rewards.items():
        print(f"{agent}: {reward / int(games):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
