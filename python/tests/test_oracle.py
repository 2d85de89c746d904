"""The oracle for batches, the table, and wrong arrays."""

import numpy as np
import pytest
import tictac
from minimax import PLAIN_GAMES


@pytest.mark.parametrize("rules", PLAIN_GAMES)
def test_every_position_agrees_with_a_plain_minimax(rules):
    plain = PLAIN_GAMES[rules]
    table = tictac.table(rules)
    rows = {(x, o): row for row, (x, o) in enumerate(table.boards.tolist())}
    assert sorted(rows) == plain.positions()
    columns = (table.value, table.distance, table.over, table.best, table.child)
    ours = zip(*(column.tolist() for column in columns), strict=True)
    for (x, o), (value, distance, over, best, child) in zip(rows, ours, strict=True):
        expected = plain.solve(x, o)
        assert (value, distance) == expected[:2], (x, o)
        assert {action for action, is_best in enumerate(best) if is_best} == expected[2], (x, o)
        children = {action: rows[child_x, child_o] for action, child_x, child_o in plain.children(x, o)}
        assert {action: row for action, row in enumerate(child) if row >= 0} == children
        assert over == (not children)


@pytest.mark.parametrize("rules", ["3,3,3", "3,3,3 wild", "notakto"])
def test_batches_agree_with_the_table_as_bits_and_as_planes(rules):
    table = tictac.table(rules)
    n, size = len(table), tictac.Rules(rules)
    shifts = np.arange(size.n_squares, dtype=np.uint64)
    planes = (table.boards[:, :, None] >> shifts & np.uint64(1)).astype(np.int8).reshape(n, 2, size.rows, size.columns)
    for boards in (table.boards, planes, planes.astype(np.float32), planes.astype(bool)):
        for threads in (0, 1, 3):
            assert (tictac.values(boards, rules, threads=threads) == table.value).all()
        assert (tictac.distances(boards, rules) == table.distance).all()
        assert (tictac.optimal_mask(boards, rules) == table.best).all()
        assert (tictac.legal_mask(boards, rules) == table.legal).all()
    assert tictac.values(table.boards[:6].reshape(2, 3, 2), rules).shape == (2, 3)
    assert tictac.optimal_mask(table.boards[0], rules).shape == (size.n_actions,)
    assert (tictac.values(np.asfortranarray(table.boards), rules) == table.value).all()
    assert (tictac.values(table.boards[::-7], rules) == table.value[::-7]).all()
    assert tictac.values(np.zeros((0, 2), np.uint64), rules).shape == (0,)


def test_single_answers_agree_with_the_table():
    for rules in ("3,3,3", "3,3,3 misere", "3,3,3 wild"):
        table = tictac.table(rules)
        for row in range(0, len(table), 97):
            solution = tictac.solve(table.position(row))
            assert solution.value.score == table.value[row]
            assert (solution.distance if solution.distance is not None else -1) == table.distance[row]
            names = [table.position(row).move(int(action)) for action in np.flatnonzero(table.best[row])]
            assert sorted(solution.best_moves) == sorted(names)
            assert sorted(name for name, *_ in solution.moves) == sorted(table.position(row).legal_moves)


def test_a_line_of_best_play_has_the_proved_length():
    solution = tictac.solve(tictac.Rules("4,4,3").start())
    assert (solution.value, solution.distance, len(solution.line)) == ("win", 5, 5)
    assert repr(solution) == "<Solution of ..../..../..../.... X: win, distance=5>"


def test_the_table_of_4x4_x_only_has_its_known_size():
    table = tictac.table("4,4,4 x-only misere")
    assert (len(table), int(table.over.sum())) == (61950, 23796)


def test_a_table_is_written_to_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    tictac.table().to_parquet(tmp_path / "positions.parquet")
    read = parquet.read_table(tmp_path / "positions.parquet")
    assert read.num_rows == 5478 and read.schema.metadata[b"rules"] == b"3,3,3"
    assert (read["value"].to_numpy() == tictac.table().value).all()


BITS = np.zeros((2, 2), np.uint64)


@pytest.mark.parametrize(
    ("boards", "rules", "error", "words"),
    [
        (np.zeros((2, 3), np.uint64), "3,3,3", ValueError, r"boards must have the shape \(\.\.\., 2\)"),
        (np.uint64(3), "3,3,3", ValueError, "boards must have the shape"),
        (np.zeros((2, 2), np.int64), "3,3,3", ValueError, "boards must be uint64"),
        (np.full((2, 3, 3), 0.5), "3,3,3", ValueError, "1 for a mark and 0 for none, not 0.5"),
        (np.full((2, 3, 3), np.nan), "3,3,3", ValueError, "1 for a mark and 0 for none, not nan"),
        (np.full((2, 3, 3), 2), "3,3,3", ValueError, "1 for a mark and 0 for none, not 2"),
        (np.zeros((2, 2, 3, 4)), "3,3,3", ValueError, r"planes of the shape \(\.\.\., 2, 3, 3\)"),
        (np.array(["a"]), "3,3,3", TypeError, "boards must be an array"),
        (np.array([object()]), "3,3,3", TypeError, "boards must be an array"),
        (np.array([[0, 0], [1, 1]], np.uint64), "3,3,3", ValueError, r"boards\[1\].*both marks"),
        (np.array([[1 << 9, 0]], np.uint64), "3,3,3", ValueError, r"boards\[0\].*outside"),
        (np.array([[2**64 - 1, 2**64 - 1]], np.uint64), "3,3,3", ValueError, r"boards\[0\]"),
        (np.array([[3, 0]], np.uint64), "3,3,3", ValueError, r"boards\[0\].*take turns"),
        (np.array([[0, 1]], np.uint64), "3,3,3", ValueError, r"boards\[0\]"),
        (np.zeros((1_000_000, 2), np.uint64), "8,8,5", ValueError, "rules: 8,8,5 is too large for a table"),
        (BITS, "5,5,4", ValueError, "up to 16 squares"),
        (BITS, "4,4,4 wild", ValueError, "12 in wild games"),
        (BITS, "notakto boards=2", ValueError, "several boards"),
        (BITS, 7, TypeError, "rules must be"),
    ],
)
def test_a_wrong_array_is_refused_by_name(boards, rules, error, words):
    for function in (tictac.values, tictac.distances, tictac.optimal_mask, tictac.legal_mask):
        with pytest.raises(error, match=words):
            function(boards, rules) if not isinstance(rules, int) else function(boards, tictac.Rules(rules))


def test_wrong_threads_are_refused():
    with pytest.raises(ValueError, match="threads"):
        tictac.values(BITS, threads=-1)
    with pytest.raises(ValueError, match="too large"):
        tictac.table("8,8,5")
