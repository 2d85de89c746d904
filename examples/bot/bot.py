#!/usr/bin/env python3
"""A bot for `tictac serve`, with nothing but Python's standard library.

    python3 bot.py http://127.0.0.1:8470                      # play the computer
    python3 bot.py http://127.0.0.1:8470 --rules notakto --level club --games 3
    python3 bot.py http://127.0.0.1:8470 --invite             # print a link and wait for a friend
    python3 bot.py http://127.0.0.1:8470 --token GAME.SECRET  # play the seat of a token
    python3 bot.py http://127.0.0.1:8470 --tournament LINK    # enter a tournament and play all of it

The bot waits for its turn with a long poll, asks the server which moves are good, and plays one of the best. Every request
can be repeated safely: an action names the number of the event that it should become, so it is stored once at most.
"""

import argparse
import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# How long the server may hold a request that waits for an event, in seconds; 30 is its limit.
WAIT = 25
# How often a request is tried before the bot gives up.
TRIES = 8


class Problem(Exception):
    """An answer of the server that is not a success, with its `code` and, for a conflict, the current `update`."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['message']}")
        self.code = problem["code"]
        self.update = problem.get("update")


class Client:
    """The API of one server, with or without a seat."""

    def __init__(self, origin, token=None):
        self.api = origin.rstrip("/") + "/api/v1"
        self.token = token

    def call(self, method, path, body=None):
        """Sends a request, and sends it again after a lost connection or when the server asks to wait."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(TRIES):
            request = urllib.request.Request(self.api + path, data, method=method)
            if self.token:
                request.add_header("Authorization", f"Bearer {self.token}")
            try:
                with urllib.request.urlopen(request, timeout=WAIT + 10) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                # 408, 429 and 503 are temporary; `Retry-After` says when to try again.
                if error.code not in (408, 429, 503) or attempt == TRIES - 1:
                    raise Problem(json.load(error)) from None
                pause = float(error.headers.get("Retry-After", 1))
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if attempt == TRIES - 1:
                    raise
                pause = 0.1 * 2**attempt
            # A little chance keeps many bots from returning at the same moment.
            time.sleep(pause * random.uniform(1, 1.2))
        raise AssertionError("the last attempt returns or raises")

    def create(self, **settings):
        return self.call("POST", "/games", settings)

    def join(self, game, name):
        joined = self.call("POST", f"/games/{game}/join", {"name": name, "key": new_key()})
        # The token of the invitation is used up, so that its creator cannot play for the bot.
        self.token = joined["you"]["token"]

    def events(self, game, since, wait=WAIT):
        return self.call("GET", f"/games/{game}?since={since}&wait={wait}")

    def act(self, game, seq, kind, move=None):
        action = {"seq": seq, "kind": kind}
        if move is not None:
            action["move"] = move
        return self.call("POST", f"/games/{game}/events", action)

    def analyse(self, state):
        query = urllib.parse.urlencode({"rules": state["rules"], "position": state["position"]})
        return self.call("GET", f"/analyse?{query}")


def new_key():
    """Returns a new secret for a seat, with which a request can be repeated."""
    return "".join(secrets.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(26))


def choose(client, state):
    """Returns one of the best moves that the server can prove, or a random one."""
    legal = state["legal_moves"]
    try:
        moves = client.analyse(state)["moves"]
    except Problem:
        return random.choice(legal)
    rank = {"win": 2, "draw": 1, None: 0, "loss": -1}

    def key(move):
        # A quick win is better than a slow one; a slow loss is better than a quick one.
        distance = move["distance"] or 0
        return rank[move["value"]], -distance if move["value"] == "win" else distance

    best = max(map(key, moves))
    return random.choice([move["move"] for move in moves if key(move) == best and move["move"] in legal])


def play(client, game):
    """Plays a game to its end and returns the last update."""
    update = client.events(game, 0, wait=0)
    while update["state"]["status"] == "playing":
        state, you = update["state"], update["you"]
        offer = state["offer"]
        try:
            if offer and offer["by"] != you:
                answer = "accept" if offer["kind"] == "draw" and state["dead"] else "decline"
                update = client.act(game, update["seq"], answer)
            elif state["to_move"] == you or you == "both":
                update = client.act(game, update["seq"], "move", choose(client, state))
            else:
                update = client.events(game, update["seq"])
        except Problem as problem:
            # Another event has the number, such as an offer that came at the same time.
            if problem.code != "conflict":
                raise
            update = problem.update
    return update


def play_tournament(arguments):
    """Enters a tournament, plays every game to which it leads, and returns the bot's line of the standings."""
    path = "/tournaments/" + arguments.tournament.rstrip("/").split("/")[-1]
    client = Client(arguments.origin)
    # With a key of its own, a repeated request enters no second player.
    entered = client.call("POST", path + "/join", {"name": arguments.name, "key": new_key()})
    # The token is valid in the tournament and in all games of the player.
    client.token = entered["player"]["token"]
    update, played = entered["update"], None
    while update["state"]["phase"] != "finished":
        you = update["you"]
        if update["state"]["players"][you["player"]]["dropped"]:
            sys.exit("bot: removed from the tournament")
        if you["game"] and you["game"] != played:
            played = you["game"]
            report(played, play(client, played))
        update = client.call("GET", f"{path}?since={update['seq']}&wait={WAIT}")
    player = update["you"]["player"]
    return next(line for line in update["state"]["standings"] if line["player"] == player)


def result(update):
    state, you = update["state"], update["you"]
    if state["status"] == "drawn":
        return "draw"
    return "won" if state["winner"] == you else "lost"


def start(arguments):
    """Creates a game, or takes the seat of a token; returns the client of the seat and the game."""
    if arguments.token:
        game = arguments.token.split(".")[0]
        client = Client(arguments.origin, arguments.token)
        client.join(game, arguments.name)
        return client, game
    settings = {"rules": arguments.rules, "name": arguments.name, "begins": "chance"}
    settings |= {"opponent": "friend"} if arguments.invite else {"opponent": "computer", "level": arguments.level}
    created = Client(arguments.origin).create(**settings)
    if arguments.invite:
        print("Play against the bot:", created["friend"]["link"], flush=True)
    return Client(arguments.origin, created["you"]["token"]), created["game"]


def report(game, update):
    moves = " ".join(move.split()[-1] for move in update["state"]["moves"])
    print(f"{game}: {result(update)} ({moves})", flush=True)


def main():
    parser = argparse.ArgumentParser(description="A bot for tictac serve.")
    parser.add_argument("origin", help="address of the server, such as http://127.0.0.1:8470")
    parser.add_argument("--rules", default="3,3,3", help="rules of new games")
    parser.add_argument("--level", default="casual", help="level of the computer")
    parser.add_argument("--games", type=int, default=1, help="number of games to play")
    parser.add_argument("--invite", action="store_true", help="wait for a friend instead of playing the computer")
    parser.add_argument("--token", help="seat to play, from an invitation link or from the API")
    parser.add_argument("--tournament", metavar="LINK", help="tournament to enter, by its link or identifier")
    parser.add_argument("--name", default="Bot")
    arguments = parser.parse_args()
    if arguments.tournament:
        line = play_tournament(arguments)
        print(f"rank {line['rank']} with {line['points']:g} points")
        return
    for _ in range(arguments.games):
        client, game = start(arguments)
        report(game, play(client, game))


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as error:
        sys.exit(f"bot: {error}")
