"""Measures of play, against sums over all games in plain Python."""

import numpy as np
import pytest
import tictac
from minimax import PLAIN_GAMES


def random_policy(table, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.random(table.legal.shape) * table.legal
    return matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300)


def plain_best_response(plain, rows, matrix, player):
    """Return the first player's value if `player` answers the policy best, by recursion over the game tree."""
    known = {}

    def value(x, o):
        if (x, o) in known:
            return known[x, o]
        ply = (x | o).bit_count()
        children = plain.children(x, o)
        if not children:
            own = plain.solve(x, o)[0]
            result = own if ply % 2 == 0 else -own
        elif ply % 2 == player:
            pick = max if player == 0 else min
            result = pick(value(x, o) for _, x, o in children)
        else:
            row = matrix[rows[x, o]]
            result = sum(row[action] * value(x, o) for action, x, o in children)
        known[x, o] = result
        return result

    return value(0, 0)


@pytest.mark.parametrize("rules", ["3,3,3", "3,3,3 misere", "notakto", "3,3,3 wild"])
def test_exploitability_agrees_with_plain_best_responses(rules):
    table, plain = tictac.table(rules), PLAIN_GAMES[rules]
    rows = {(x, o): row for row, (x, o) in enumerate(table.boards.tolist())}
    for seed in range(3):
        matrix = random_policy(table, seed)
        first, second = (plain_best_response(plain, rows, matrix, player) for player in (0, 1))
        assert tictac.nash_conv(matrix, rules) == pytest.approx(first - second, abs=1e-12)
        assert tictac.exploitability(matrix, rules) == pytest.approx((first - second) / 2, abs=1e-12)


def test_perfect_play_has_no_regret_and_random_play_has_some():
    for rules in ("3,3,3", "4,3,3", "3,3,3 wild misere"):
        assert tictac.exploitability("perfect", rules) == pytest.approx(0.0, abs=1e-12)
        assert tictac.regret("perfect", rules) == 0.0
        assert tictac.perfect_move_rate("perfect", rules) == tictac.good_move_rate("perfect", rules) == 1.0
        assert tictac.regret("random", rules) > 0.1
        assert tictac.perfect_move_rate("random", rules) < tictac.good_move_rate("random", rules) < 1.0


def test_regret_in_play_is_the_value_given_away_per_game():
    # Random play, exactly: the first player wins 737/1260 and the second 121/420 of the games, each from a draw.
    table = tictac.table()
    visits = np.zeros(len(table))
    visits[0] = 1.0
    uniform = tictac.policy_matrix("random")
    for rows in table.layers:
        for row in range(rows.start, rows.stop):
            for action in np.flatnonzero(table.legal[row]):
                visits[table.child[row, action]] += visits[row] * uniform[row, action]
    first_wins = visits[table.over & (table.ply % 2 == 1) & (table.value == -1)].sum()
    assert first_wins == pytest.approx(737 / 1260)
    lost = table.value - np.where(table.legal, uniform * -table.value[table.child], 0.0).sum(axis=1)
    expected = (visits * lost)[~table.over].sum()
    assert tictac.regret("random", weights="play") == pytest.approx(expected)


def test_a_function_is_a_policy():
    def best(position):
        return tictac.best_moves(position)[0]

    assert tictac.regret(best) == 0.0 and tictac.exploitability(best) == 0.0
    first = tictac.policy_matrix(lambda position: position.legal_actions[0])
    assert first[0].tolist() == [1.0] + [0.0] * 8
    mapping = tictac.policy_matrix(lambda position: dict.fromkeys(position.legal_moves, 1 / len(position.legal_moves)))
    assert np.allclose(mapping, tictac.policy_matrix("random"))


def test_progress_is_shown_on_a_terminal_only(monkeypatch, capsys):
    from tictac import _progress

    monkeypatch.setattr(_progress, "_DELAY", 0.0)
    assert list(_progress.shown(range(100), "asking")) == list(range(100))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert list(_progress.shown(range(100), "asking")) == list(range(100))
    shown = capsys.readouterr().err
    assert "asking: 0 %" in shown and shown.endswith("\r")


def test_trembling_values_agree_with_plain_value_iteration():
    plain, epsilon = PLAIN_GAMES["3,3,3"], 0.1
    known = {}

    def value(x, o):
        if (x, o) not in known:
            children = [-value(*child) for _, *child in plain.children(x, o)]
            mean = sum(children) / max(len(children), 1)
            known[x, o] = (1 - epsilon) * max(children) + epsilon * mean if children else plain.solve(x, o)[0]
        return known[x, o]

    found = tictac.trembling_values("3,3,3", epsilon)
    for row, (x, o) in enumerate(tictac.table().boards.tolist()):
        assert found[row] == pytest.approx(value(x, o)), (x, o)
    assert (tictac.trembling_values("3,3,3") == tictac.table().value).all()
    assert np.isfinite(tictac.trembling_values("3,3,3", 1.0)).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tictac.regret("club"), "policy must be"),
        (lambda: tictac.regret(np.zeros((3, 3))), "policy must have the shape"),
        (lambda: tictac.regret(np.zeros((5478, 9))), "add up to 1"),
        (lambda: tictac.regret(lambda position: [1.0]), "9 probabilities"),
        (lambda: tictac.regret(lambda position: 0), "illegal actions"),
        (lambda: tictac.regret("random", epsilon=2.0), "epsilon"),
        (lambda: tictac.regret("random", weights="all"), "weights must be"),
        (lambda: tictac.regret("random", weights=[1.0]), "weights must have the shape"),
        (lambda: tictac.exploitability("random", "8,8,5"), "too large"),
        (lambda: tictac.trembling_values("3,3,3", float("nan")), "epsilon"),
    ],
)
def test_a_wrong_policy_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("function", [tictac.regret, tictac.perfect_move_rate, tictac.good_move_rate])
def test_weights_without_a_meaning_are_refused(function):
    table = tictac.table()
    for weight in (-1.0, 0.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="weights must be 0 or more, with a positive sum"):
            function("random", weights=np.full(len(table), weight))
    with pytest.raises(ValueError, match="weights must be 0 or more"):
        function("random", weights=table.over.astype(float))
    assert function("random", weights=~table.over) > 0
