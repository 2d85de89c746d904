"""OpenSpiel as an outside judge: the same game, move by move, and the same measures."""

import copy
import os
import pickle

import numpy as np
import pyspiel
import pytest
import tictac
from open_spiel.python.algorithms import minimax, value_iteration

N_POLICIES = int(os.environ.get("TICTAC_POLICIES", "100"))


def reachable(game):
    """Return every state of a pyspiel game, once per board."""
    start = game.new_initial_state()
    states, todo = {str(start): start}, [start]
    while todo:
        state = todo.pop()
        for action in state.legal_actions():
            child = state.child(action)
            if str(child) not in states:
                states[str(child)] = child
                todo.append(child)
    return states


def check_lock_step(theirs, rules):
    """Compare every state of their game with ours."""
    states = reachable(theirs)
    assert len(states) == len(tictac.table(rules))
    for text, state in states.items():
        check_state(tictac.State.deserialize(state.serialize(), rules), state, text)


def check_state(ours, state, text):
    """Compare one state of theirs with ours."""
    assert str(ours) == text == ours.to_string()
    for method in (
        "legal_actions returns rewards is_terminal is_chance_node is_simultaneous_node is_player_node is_initial_state history "
        "history_str move_number num_players num_distinct_actions serialize observation_string observation_tensor "
        "information_state_string"
    ).split():
        if state.is_terminal() and method.startswith(("observation", "information")):
            continue  # Theirs are asked for a player, and at the end none is to move.
        assert getattr(ours, method)() == getattr(state, method)(), method
    assert ours.current_player() == int(state.current_player())
    pairs = [(turn.player, turn.action) for turn in state.full_history()]
    assert ours.full_history() == pairs
    if not state.is_terminal():
        assert ours.legal_actions_mask() == list(state.legal_actions_mask())
    for player in (0, 1):
        assert ours.legal_actions(player) == state.legal_actions(player)
        assert ours.player_return(player) == state.player_return(player)
        assert ours.player_reward(player) == state.player_reward(player)
        for method in ("observation_string", "observation_tensor", "information_state_string"):
            assert getattr(ours, method)(player) == getattr(state, method)(player), method
    for action in state.legal_actions():
        name = state.action_to_string(action)
        assert ours.action_to_string(action) == ours.action_to_string(ours.current_player(), action) == name
        assert ours.string_to_action(name) == state.string_to_action(name) == action
    if pairs:
        ours.undo_action(*pairs[-1])
        assert ours.history() == state.history()[:-1]
        ours.apply_action(pairs[-1][1])
        assert str(ours) == text


def test_every_position_of_tic_tac_toe_in_lock_step():
    assert len(tictac.table("3,3,3")) == 5478
    check_lock_step(pyspiel.load_game("tic_tac_toe"), "3,3,3")


# Their m counts columns, and ours counts rows.
@pytest.mark.parametrize(("columns", "rows", "k"), [(3, 3, 3), (4, 3, 3), (2, 5, 3), (5, 2, 2)])
def test_every_position_of_mnk_in_lock_step(columns, rows, k):
    check_lock_step(pyspiel.load_game("mnk", {"m": columns, "n": rows, "k": k}), f"{rows},{columns},{k}")


@pytest.mark.parametrize(("columns", "rows", "k"), [(4, 4, 3), (5, 4, 4), (7, 6, 4), (8, 8, 5)])
def test_random_games_of_larger_mnk_in_lock_step(columns, rows, k):
    theirs, rng = pyspiel.load_game("mnk", {"m": columns, "n": rows, "k": k}), np.random.default_rng(1)
    for _ in range(20):
        state, ours = theirs.new_initial_state(), tictac.State(f"{rows},{columns},{k}")
        while not state.is_terminal():
            check_state(ours, state, str(state))
            action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
            ours.apply_action(action)
        check_state(ours, state, str(state))


RULES = ["3,3,3", "4,4,3 misere", "3,3,3 wild", "notakto", "notakto boards=2", "2,5,2 wild misere"]


@pytest.mark.parametrize("rules", RULES)
def test_the_python_game_passes_the_simulation_test(rules):
    game = tictac.openspiel.load_game(rules)
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    clone = game.new_initial_state().clone()
    clone.apply_action(0)
    assert not clone.is_terminal()


@pytest.mark.parametrize("rules", RULES)
def test_the_python_game_is_loaded_by_its_text_copied_and_pickled(rules):
    game = tictac.openspiel.load_game(rules)
    state = game.new_initial_state()
    state.apply_action(1)
    assert str(pyspiel.load_game(str(game))) == str(game)
    for copied in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert str(copied) == str(game) and str(copied.new_initial_state().child(1)) == str(state)
    for other in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), game.deserialize_state(state.serialize())):
        assert str(other) == str(state) and other.history() == [1]
    ours = tictac.State(rules).child(1)
    assert ours.information_state_tensor() == pytest.approx(state.information_state_tensor())
    assert pickle.loads(pickle.dumps(ours)).serialize() == ours.serialize() == "1\n"


def test_wrong_parameters_of_the_python_game_are_refused():
    name = tictac.openspiel.register()
    for parameters in ({"rows": 99}, {"marks": "red"}, {"boards": 2}):
        with pytest.raises(Exception, match="rules: "):
            pyspiel.load_game(name, parameters)


def test_their_minimax_values_are_ours():
    game = pyspiel.load_game("tic_tac_toe")
    table = tictac.table("3,3,3")
    rows = {str(tictac.State(table.position(row))): row for row in range(len(table))}
    for text, state in reachable(game).items():
        row = rows[text]
        theirs = state.player_return(0)
        if not state.is_terminal():
            theirs, _ = minimax.alpha_beta_search(game, state=state, maximizing_player_id=0)
        assert theirs == (int(table.value[row]) if table.ply[row] % 2 == 0 else -int(table.value[row])), text


def information_states(game, rows):
    """Return every information state in which a player moves, with the row of its board in our table.

    An information state of this game is a history, so there are many for one board.
    """
    found, todo = [], [game.new_initial_state()]
    while todo:
        state = todo.pop()
        if state.is_terminal():
            continue
        found.append((state.information_state_string(), rows[str(state)]))
        todo.extend(state.child(action) for action in state.legal_actions())
    return found


def test_their_best_responses_to_random_policies_are_our_exploitability():
    """Their `nash_conv` is the sum of both best responses; it builds its trees for each policy, so it is asked about three."""
    game = pyspiel.load_game("tic_tac_toe")
    table = tictac.table("3,3,3")
    rows = {str(tictac.State(table.position(row))): row for row in range(len(table))}
    histories = information_states(game, rows)
    start, responses = game.new_initial_state(), []
    rng = np.random.default_rng(1)
    for number in range(N_POLICIES):
        matrix = rng.random(table.legal.shape) * table.legal
        matrix /= np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300)
        by_row = [
            [(action, probability) for action, probability in enumerate(row) if probability > 0]
            for row in matrix.tolist()
        ]
        policy = pyspiel.TabularPolicy({text: by_row[row] for text, row in histories})
        responses = responses or [pyspiel.TabularBestResponse(game, player, policy) for player in (0, 1)]
        for response in responses:
            response.set_policy(policy)
        theirs = sum(response.value_from_state(start) for response in responses)
        assert tictac.nash_conv(matrix) == pytest.approx(theirs, abs=1e-9)
        assert tictac.exploitability(matrix) == pytest.approx(theirs / 2, abs=1e-9)
        if number < 3:
            assert pyspiel.nash_conv(game, policy) == pytest.approx(theirs, abs=1e-9)


def trembling_game(epsilon):
    """Return tic-tac-toe of `pyspiel` in which chance replaces the chosen move by a random one with this probability."""
    plain = pyspiel.load_game("tic_tac_toe")
    game_type = pyspiel.GameType(
        short_name=f"python_trembling_{str(epsilon).replace('.', '_')}",
        long_name="Tic-tac-toe with trembling hands",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )

    class TremblingState(pyspiel.State):
        def __init__(self, game):
            super().__init__(game)
            self.board, self.chosen = plain.new_initial_state(), None

        def current_player(self):
            if self.board.is_terminal():
                return pyspiel.PlayerId.TERMINAL
            return pyspiel.PlayerId.CHANCE if self.chosen is not None else self.board.current_player()

        def _legal_actions(self, player):
            return self.board.legal_actions()

        def chance_outcomes(self):
            legal = self.board.legal_actions()
            return [
                (action, epsilon / len(legal) + (1 - epsilon) * (action == self.chosen)) for action in legal
            ]

        def _apply_action(self, action):
            if self.chosen is None:
                self.chosen = action
            else:
                self.chosen = None
                self.board.apply_action(action)

        def _action_to_string(self, player, action):
            return str(action)

        def is_terminal(self):
            return self.board.is_terminal()

        def returns(self):
            return self.board.returns()

        def __str__(self):
            return str(self.board) + (f" {self.chosen}" if self.chosen is not None else "")

    class TremblingGame(pyspiel.Game):
        def __init__(self, params=None):
            super().__init__(game_type, pyspiel.GameInfo(9, 9, 2, -1.0, 1.0, 0.0, 9), params or {})

        def new_initial_state(self):
            return TremblingState(self)

        def make_py_observer(self, iig_obs_type=None, params=None):
            return None

    pyspiel.register_game(game_type, TremblingGame)
    return pyspiel.load_game(game_type.short_name)


@pytest.mark.parametrize("epsilon", [0.1, 0.5])
def test_their_value_iteration_with_trembling_hands_is_ours(epsilon):
    theirs = value_iteration.value_iteration(trembling_game(epsilon), -1, 1e-9, cyclic_game=True)
    table, ours = tictac.table("3,3,3"), tictac.trembling_values("3,3,3", epsilon)
    for row in range(len(table)):
        sign = 1 if table.ply[row] % 2 == 0 else -1
        assert ours[row] * sign == pytest.approx(theirs[str(tictac.State(table.position(row)))], abs=1e-6)


def test_their_value_iteration_without_trembling_is_our_table():
    theirs = value_iteration.value_iteration(pyspiel.load_game("tic_tac_toe"), -1, 0.01)
    table = tictac.table("3,3,3")
    for row in range(len(table)):
        sign = 1 if table.ply[row] % 2 == 0 else -1
        assert table.value[row] * sign == theirs[str(tictac.State(table.position(row)))]
