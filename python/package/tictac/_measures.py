"""Measures of play that are exact, because they look at every position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._progress import shown
from ._table import Table, table
from ._tictac import Position, Rules

Policy = str | npt.NDArray[Any] | Callable[[Position], Any]
"""A policy: "random", "perfect", an array of probabilities by row of the table and action, or a function of a position
that returns a move, an action, probabilities by action, or a mapping from moves or actions to probabilities."""

Matrix = npt.NDArray[np.float64]


def policy_matrix(policy: Policy, rules: Rules | str = "3,3,3", *, epsilon: float = 0.0) -> Matrix:
    """Return the probabilities of a policy by row of `table(rules)` and action; rows of finished games are zero.

    With `epsilon`, the player trembles: with that probability each move is a random legal one instead.

    >>> import tictac
    >>> tictac.policy_matrix("random")[0].round(3)
    array([0.111, 0.111, 0.111, 0.111, 0.111, 0.111, 0.111, 0.111, 0.111])
    """
    return _matrix(policy, table(rules), epsilon)


def _matrix(policy: Policy, positions: Table, epsilon: float) -> Matrix:
    if not 0.0 <= epsilon <= 1.0:
        raise ValueError(f"epsilon must be from 0 to 1, not {epsilon}")
    uniform = _normalised(positions.legal)
    if isinstance(policy, str):
        if policy not in ("random", "perfect"):
            raise ValueError(f"policy must be 'random', 'perfect', an array or a function, not {policy!r}")
        matrix = uniform if policy == "random" else _normalised(positions.best)
    elif callable(policy):
        matrix = np.zeros(positions.legal.shape)
        for row in shown(np.flatnonzero(~positions.over).tolist(), "asking the policy"):
            position = positions.position(row)
            matrix[row] = _probabilities(policy(position), position)
        _check_matrix(matrix, positions)
    else:
        matrix = np.array(policy, dtype=np.float64)
        _check_matrix(matrix, positions)
        matrix[positions.over] = 0.0
    return (1.0 - epsilon) * matrix + epsilon * uniform if epsilon else matrix


def _normalised(mask: npt.NDArray[np.bool_]) -> Matrix:
    counts = mask.sum(axis=1, keepdims=True)
    result: Matrix = np.divide(mask, counts, out=np.zeros(mask.shape), where=counts > 0)
    return result


def _probabilities(answer: Any, position: Position) -> Matrix:
    n_actions = position.rules.n_actions
    row = np.zeros(n_actions)
    if isinstance(answer, str | int | np.integer):
        row[position.action(answer)] = 1.0
    elif isinstance(answer, Mapping):
        for move, probability in answer.items():
            row[position.action(move)] += probability
    else:
        found = np.asarray(answer, dtype=np.float64)
        if found.shape != (n_actions,):
            raise ValueError(f"policy must return {n_actions} probabilities in {position}, not the shape {found.shape}")
        row[:] = found
    return row


def _check_matrix(matrix: Matrix, positions: Table) -> None:
    if matrix.shape != positions.legal.shape:
        raise ValueError(f"policy must have the shape {positions.legal.shape}, not {matrix.shape}")
    at_turn = matrix[~positions.over]
    wrong = (at_turn < 0).any(axis=1) | ~np.isclose(at_turn.sum(axis=1), 1.0, atol=1e-6)
    wrong |= ((at_turn != 0) & ~positions.legal[~positions.over]).any(axis=1)
    if wrong.any():
        row = int(np.flatnonzero(~positions.over)[np.flatnonzero(wrong)[0]])
        raise ValueError(
            f"policy: the probabilities in {positions.position(row)} (row {row}) must be 0 for illegal actions, "
            f"not negative, and add up to 1"
        )


def _first_player_values(positions: Table) -> Matrix:
    """Return the value of every position for the first player."""
    return np.where(positions.ply % 2 == 0, positions.value, -positions.value).astype(np.float64)


def _back_up(positions: Table, combine: Callable[[int, npt.NDArray[np.intp], Matrix], Matrix]) -> Matrix:
    """Return values for the first player, from the last layer to the first.

    `combine` gets the ply, the rows of the layer in which the game goes on, and the values of their children, NaN for illegal actions.
    """
    values = np.where(positions.over, _first_player_values(positions), 0.0)
    for ply in range(len(positions.layers) - 1, -1, -1):
        layer = positions.layers[ply]
        rows = layer.start + np.flatnonzero(~positions.over[layer])
        child = positions.child[rows]
        values[rows] = combine(ply, rows, np.where(child >= 0, values[child], np.nan))
    return values


def _best_response(positions: Table, matrix: Matrix, player: int) -> float:
    """Return the value for the first player if `player` answers the policy as well as possible."""

    def combine(ply: int, rows: npt.NDArray[np.intp], children: Matrix) -> Matrix:
        if ply % 2 != player:
            return np.asarray(np.nansum(matrix[rows] * children, axis=1))
        return _extreme(children, ply)

    return float(_back_up(positions, combine)[0])


def _extreme(children: Matrix, ply: int) -> Matrix:
    """Return the best value among children for the player to move, as a value for the first player."""
    if ply % 2 == 0:
        return np.asarray(np.where(np.isnan(children), -np.inf, children).max(axis=1))
    return np.asarray(np.where(np.isnan(children), np.inf, children).min(axis=1))


def nash_conv(policy: Policy, rules: Rules | str = "3,3,3", *, epsilon: float = 0.0) -> float:
    """Return how much both players together gain if each answers the policy as well as possible.

    It is 0 for a perfect policy and equals OpenSpiel's `nash_conv`.
    """
    positions = table(rules)
    matrix = _matrix(policy, positions, epsilon)
    return _best_response(positions, matrix, 0) - _best_response(positions, matrix, 1)


def exploitability(policy: Policy, rules: Rules | str = "3,3,3", *, epsilon: float = 0.0) -> float:
    """Return half of `nash_conv`: what a perfect opponent wins from the policy on average over both sides.

    >>> import tictac
    >>> tictac.exploitability("perfect"), round(tictac.exploitability("random"), 4)
    (0.0, 0.9598)
    """
    return nash_conv(policy, rules, epsilon=epsilon) / 2.0


def _weights(positions: Table, matrix: Matrix, weights: str | npt.ArrayLike) -> Matrix:
    """Return how much each position counts; the weights of open positions."""
    if isinstance(weights, str):
        if weights == "positions":
            return np.where(positions.over, 0.0, 1.0 / np.count_nonzero(~positions.over))
        if weights != "play":
            raise ValueError(f"weights must be 'positions', 'play' or an array, not {weights!r}")
        visits = np.zeros(len(positions))
        visits[0] = 1.0
        for rows in positions.layers:
            reached = visits[rows, None] * matrix[rows]
            legal = positions.legal[rows]
            np.add.at(visits, positions.child[rows][legal], reached[legal])
        return np.where(positions.over, 0.0, visits)
    found = np.asarray(weights, dtype=np.float64)
    if found.shape != (len(positions),):
        raise ValueError(f"weights must have the shape ({len(positions)},), not {found.shape}")
    weight = np.where(positions.over, 0.0, found)
    if not ((weight >= 0.0).all() and 0.0 < weight.sum() < np.inf):
        raise ValueError("weights must be 0 or more, with a positive sum over the positions in which the game goes on")
    return weight


def _move_values(positions: Table) -> Matrix:
    """Return the value of every legal action for the player who makes it; 0 for illegal actions."""
    return np.where(positions.legal, -positions.value[positions.child].astype(np.float64), 0.0)


def regret(
    policy: Policy, rules: Rules | str = "3,3,3", *, epsilon: float = 0.0, weights: str | npt.ArrayLike = "positions"
) -> float:
    """Return the value that the policy gives away per move: 0 for perfect play, at most 2.

    A move from a win to a draw or from a draw to a loss gives away 1. By default every position in which the game goes on
    counts once. With `weights="play"` it counts as often as it occurs when the policy plays itself, so that the result is
    the value given away per game.

    >>> import tictac
    >>> tictac.regret("perfect"), round(tictac.regret("random"), 4)
    (0.0, 0.6476)
    """
    positions = table(rules)
    matrix = _matrix(policy, positions, epsilon)
    lost = (matrix * (positions.value[:, None] - _move_values(positions))).sum(axis=1)
    return float((lost * _weights(positions, matrix, weights)).sum())


def _rate(
    policy: Policy, positions: Table, good: npt.NDArray[np.bool_], epsilon: float, weights: str | npt.ArrayLike
) -> float:
    matrix = _matrix(policy, positions, epsilon)
    weight = _weights(positions, matrix, weights)
    return float(((matrix * good).sum(axis=1) * weight).sum() / weight.sum())


def perfect_move_rate(
    policy: Policy, rules: Rules | str = "3,3,3", *, epsilon: float = 0.0, weights: str | npt.ArrayLike = "positions"
) -> float:
    """Return how often the policy makes a best move: a quickest win, else a draw, else a slowest loss.

    >>> import tictac
    >>> tictac.perfect_move_rate("perfect")
    1.0
    """
    positions = table(rules)
    return _rate(policy, positions, positions.best, epsilon, weights)


def good_move_rate(
    policy: Policy, rules: Rules | str = "3,3,3", *, epsilon: float = 0.0, weights: str | npt.ArrayLike = "positions"
) -> float:
    """Return how often the policy makes a move that keeps the value of the position."""
    positions = table(rules)
    keeps = positions.legal & (_move_values(positions) == positions.value[:, None])
    return _rate(policy, positions, keeps, epsilon, weights)


def trembling_values(rules: Rules | str = "3,3,3", epsilon: float = 0.0) -> Matrix:
    """Return the value of every row of `table(rules)` for the player to move if both players tremble.

    Each move is a random legal one with the probability `epsilon`, and otherwise the best one, given that both players
    will go on trembling. With 0 these are the values of perfect play.
    """
    if not 0.0 <= epsilon <= 1.0:
        raise ValueError(f"epsilon must be from 0 to 1, not {epsilon}")
    positions = table(rules)

    def combine(ply: int, _rows: npt.NDArray[np.intp], children: Matrix) -> Matrix:
        mean: Matrix = np.nanmean(children, axis=1)
        return (1.0 - epsilon) * _extreme(children, ply) + epsilon * mean

    first = _back_up(positions, combine)
    return np.where(positions.ply % 2 == 0, first, -first)
