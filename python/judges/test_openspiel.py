"""OpenSpiel as an outside judge: the same game, move by move, and the same measures."""

import os

import numpy as np
import pyspiel
import pytest
import tictac
from open_spiel.python.algorithms import minimax

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


def check_lock_step(theirs, rules, n_expected):
    """Compare every state of their game with ours."""
    states = reachable(theirs)
    assert len(states) == n_expected
    for text, state in states.items():
        ours = tictac.State(rules)
        for action in state.history():
            ours.apply_action(action)
        assert str(ours) == text
        assert ours.legal_actions() == state.legal_actions()
        assert ours.returns() == state.returns()
        assert ours.is_terminal() == state.is_terminal()
        assert ours.current_player() == int(state.current_player())
        if not state.is_terminal():
            assert ours.legal_actions_mask() == list(state.legal_actions_mask())
        for player in (0, 1):
            assert ours.observation_string(player) == state.observation_string(player)
            assert ours.observation_tensor(player) == state.observation_tensor(player)
        for action in state.legal_actions():
            assert ours.action_to_string(ours.current_player(), action) == state.action_to_string(action)


def test_every_position_of_tic_tac_toe_in_lock_step():
    check_lock_step(pyspiel.load_game("tic_tac_toe"), "3,3,3", 5478)


def test_every_position_of_mnk_in_lock_step():
    if "mnk" not in pyspiel.registered_names():
        pytest.skip("this OpenSpiel has no mnk")
    check_lock_step(pyspiel.load_game("mnk", {"m": 3, "n": 3, "k": 3}), "3,3,3", 5478)


@pytest.mark.parametrize("rules", ["3,3,3", "4,4,3 misere", "3,3,3 wild", "notakto", "notakto boards=2"])
def test_the_python_game_passes_the_simulation_test(rules):
    game = pyspiel.load_game(tictac.openspiel.register(), {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=20, serialize=False, verbose=False)
    clone = game.new_initial_state().clone()
    clone.apply_action(0)
    assert not clone.is_terminal()


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


def test_their_nash_conv_of_random_policies_is_ours():
    game = pyspiel.load_game("tic_tac_toe")
    table = tictac.table("3,3,3")
    rows = {str(tictac.State(table.position(row))): row for row in range(len(table))}
    histories = information_states(game, rows)
    rng = np.random.default_rng(1)
    for _ in range(N_POLICIES):
        matrix = rng.random(table.legal.shape) * table.legal
        matrix /= np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300)
        by_row = [
            [(action, probability) for action, probability in enumerate(row) if probability > 0]
            for row in matrix.tolist()
        ]
        theirs = pyspiel.nash_conv(game, pyspiel.TabularPolicy({text: by_row[row] for text, row in histories}))
        assert tictac.nash_conv(matrix) == pytest.approx(theirs, abs=1e-9)
        assert tictac.exploitability(matrix) == pytest.approx(theirs / 2, abs=1e-9)
