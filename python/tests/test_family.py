"""Rules, positions, games and records in Python's customs."""

import copy
import inspect
import pickle

import pytest
import tictac
from tictac import Game, IllegalMoveError, ParseError, Position, Record, Rules

VALUES = [
    Rules("4,4,3 misere"),
    Rules("notakto boards=3"),
    Position("X.O/.X./... O"),
    Position("X../.../...+.../.X./... 1", "notakto boards=2"),
    Position("O../.../... X"),
    Record("1 X B2\n2 O A1\n"),
    Record("1 X B2\n", "4,4,3"),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_survives_repr_pickle_and_copy(value):
    for again in (eval(repr(value)), pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert str(again) == str(value)


@pytest.mark.parametrize(
    "game",
    [
        Game(moves=["B2", "A1"]),
        Game("4,4,3 misere", ["B2"]),
        Game(start="X.O/.X./... O", moves=["C3"]),
        Game(start="O../.../... X", moves=["B2"]),
        Game("3,3,3 wild", ["X B2", "O A1"]),
        Game("notakto boards=2", ["2.B2"]),
    ],
    ids=repr,
)
def test_a_game_survives_repr_and_pickle_and_is_not_hashable(game):
    assert eval(repr(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game
    other = copy.copy(game)
    other.undo()
    assert other != game
    with pytest.raises(TypeError):
        hash(game)


def test_a_text_works_wherever_rules_or_a_position_are_expected():
    assert tictac.solve("X.O/.X./... O").value == "draw"
    assert tictac.solve("X.O/.X./... O").value is tictac.Value.DRAW
    assert tictac.solve("..../..../..../.... X", "4,4,3").value == "win"
    assert Rules(Rules("4,4,3")) == Rules("4,4,3")
    assert Rules() == Rules("classic")


def test_moves_and_actions_name_the_same_thing():
    for rules in ("3,3,3", "3,3,3 wild", "notakto boards=2", "8,8,5"):
        position = Rules(rules).start()
        assert position.legal_actions == list(range(Rules(rules).n_actions))
        for action in position.legal_actions:
            assert position.action(position.move(action)) == action
            assert position.play(action) == position.play(position.move(action))


def test_a_position_answers_questions():
    position = Position("XXX/OO./... O")
    assert (position.is_over, position.winner, position.to_move, position.returns) == (True, "X", None, (1.0, -1.0))
    assert position.legal_moves == [] and position["A1"] == "X" and position["C3"] is None
    assert position.bits == [(0b111, 0b011000)]
    assert Position.from_bits(0b111, 0b011000) == position
    assert Position("XOX/XOO/OX. X").is_dead
    assert Rules("notakto").start().to_move == "first"
    assert position._repr_svg_().startswith("<svg")
    assert Game()._repr_svg_().startswith("<svg")


def test_a_square_is_a_name_or_a_row_and_a_column():
    position = Position("X.O/.X./... O")
    assert [position["A1"], position[0, 0], position[(0, 2)], position[2, 2]] == ["X", "X", "O", None]
    boards = Position("X../.../...+.../.X./... 1", "notakto boards=2")
    assert [boards["2.B2"], boards[1, 1, 1], boards[0, 1, 1]] == ["X", "X", None]
    for wrong in [(3, 0), (0, 3), (0, 0, 0)]:
        with pytest.raises(KeyError):
            position[wrong]
    for wrong in [(0, 0), (2, 0, 0)]:
        with pytest.raises(KeyError):
            boards[wrong]


def test_the_package_lists_what_is_public():
    assert dir(tictac) == sorted(tictac.__all__)


def test_the_functions_that_make_environments_have_the_options_of_their_classes():
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from tictac.gymnasium_env import GymEnv
    from tictac.pettingzoo_env import TwoPlayerEnv
    from tictac.vector_env import VectorEnv

    for function, made in [(tictac.gym, GymEnv), (tictac.env, TwoPlayerEnv), (tictac.vector, VectorEnv)]:
        options = {name: option.default for name, option in inspect.signature(function).parameters.items()}
        expected = {name: option.default for name, option in inspect.signature(made).parameters.items()}
        assert list(options) == list(expected)
        assert str(options.pop("autoreset_mode", "NextStep")) == "NextStep"
        expected.pop("autoreset_mode", None)
        assert options == expected


def test_a_game_iterates_over_its_moves():
    game = Game(moves=[4, 0])
    assert list(game) == game.moves == ["B2", "A1"]
    assert (len(game), game[0], game[-1]) == (2, "B2", "A1")
    with pytest.raises(IndexError):
        game[2]
    assert game.undo() == "A1" and game.undo() == "B2" and game.undo() is None


def test_an_error_has_its_line_column_code_and_help():
    with pytest.raises(ParseError, match="line 1, column 6") as caught:
        Record("1 X B4")
    assert (caught.value.line, caught.value.column, caught.value.code) == (1, 6, "E0107")
    with pytest.raises(IllegalMoveError) as caught:
        Game.from_record("1 X B2\n2 O B2\n")
    assert (caught.value.line, caught.value.column, caught.value.code) == (2, 5, "E0207")
    with pytest.raises(ParseError) as caught:
        Position("X.O/.X")
    assert caught.value.column is not None
    error = pickle.loads(pickle.dumps(caught.value))
    assert (str(error), error.column) == (str(caught.value), caught.value.column)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Rules("9,9,5"), ParseError, "rules: "),
        (lambda: Rules(3), TypeError, "rules must be"),
        (lambda: Rules("\ud800"), UnicodeEncodeError, None),
        (lambda: Position("XXX/XXX/... O"), ParseError, "position: "),
        (lambda: Position(3), TypeError, "position must be"),
        (lambda: tictac.solve(3), TypeError, "position must be"),
        (lambda: tictac.solve(Position("X../.../... O"), "4,4,3"), ValueError, "rules: "),
        (lambda: tictac.solve("X../.../... O", seconds=-1.0), ValueError, "seconds"),
        (lambda: tictac.solve("X../.../... O", seconds=float("nan")), ValueError, "seconds"),
        (lambda: Position.from_bits(1, 1), ValueError, "both marks"),
        (lambda: Position.from_bits(1 << 63, 0), ValueError, "outside"),
        (lambda: Position.from_bits(-1, 0), OverflowError, None),
        (lambda: Rules().start().play(9), ValueError, "action 9 is not from 0 to 8"),
        (lambda: Rules().start().play(-1), ValueError, "action -1"),
        (lambda: Rules().start().play(2**70), TypeError, "a move must be"),
        (lambda: Rules().start().play(1.5), TypeError, "a move must be"),
        (lambda: Rules().start().play("D4"), ParseError, "column 1"),
        (lambda: Game(moves=["B2", "B2"]), IllegalMoveError, "already taken"),
        (lambda: Game(moves=[None]), TypeError, "a move must be"),
        (lambda: Game(moves=3), TypeError, None),
        (lambda: Position("XXX/OO./... O").play("C3"), IllegalMoveError, "over"),
        (lambda: tictac.verify("nonsense"), ParseError, "line 1"),
        (lambda: tictac.verify(b"nonsense"), TypeError, None),
        (lambda: tictac.judge(3), TypeError, "game must be"),
        (lambda: tictac.judge("x"), ParseError, "line 1, column 1"),
        (lambda: tictac.judge(Game(), "4,4,3"), ValueError, "rules: "),
        (lambda: tictac.judge(Record("1 X B2"), "4,4,3"), ValueError, "rules: "),
        (lambda: tictac.solve("4,4,33"), ParseError, "rules: "),
        (lambda: tictac.solve("4,4,3", "3,3,3"), ValueError, "rules: the position is one of 4,4,3, not of 3,3,3"),
        (lambda: hash(Game()), TypeError, "unhashable"),
        (lambda: Rules().start()["Z9"], ParseError, "column 1"),
    ],
)
def test_wrong_input_raises_an_exception_that_names_it(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert type(caught.value).__name__ != "PanicException"


def test_a_certificate_is_verified_and_a_changed_one_refuted():
    text = tictac.certificate("X.O/.X./... O")
    assert tictac.verify(text).startswith("3,3,3 from X.O/.X./... O: draw")
    with pytest.raises(ParseError) as caught:
        tictac.verify(text.replace("value draw", "value win"))
    assert caught.value.line == 4


def test_a_game_is_judged():
    judged = tictac.judge(Game(moves=["A1", "A2", "B1", "C1"]))
    assert [ply.verdict for ply in judged] == ["best", "blunder", "best", "best"]
    assert (judged[1].move, judged[1].before, judged[1].after) == ("A2", "draw", "loss")
    assert judged[1].best == ["B2"]


def test_an_archive_becomes_arrays(tmp_path):
    archive = b'[Result "X"]\n1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n\n1 O B2\n2 X B2\n'
    games = tictac.check(archive)
    assert games.ending.tolist() == [0, 4] and games.moves.tolist() == [5, 1] and games.line.tolist() == [1, 8]
    assert games.totals == {"games": 2, "x_won": 1, "o_won": 0, "drawn": 0, "unfinished": 0, "bad": 1, "moves": 6}
    assert (games.faults[0].line, games.faults[0].column, games.faults[0].code) == (9, 5, "E0207")
    path = tmp_path / "games.ttt"
    path.write_bytes(archive)
    from_file = tictac.check(path, threads=2)
    assert from_file.totals == games.totals and from_file.faults[0].file.endswith("games.ttt")
    with pytest.raises(FileNotFoundError, match="no such file"):
        tictac.check(tmp_path / "missing.ttt")
    with pytest.raises(TypeError, match="source must be"):
        tictac.check(3)


@pytest.mark.parametrize(
    ("text", "column"), [("4,4,", 1), ("4,4,3 miser", 7), ("3,3,3  wild x-only", 13), ("", 1), ("notakto wild", 1)]
)
def test_wrong_rules_have_a_place(text, column):
    with pytest.raises(tictac.ParseError) as caught:
        tictac.Rules(text)
    assert (caught.value.line, caught.value.column) == (1, column)


def test_rules_games_and_their_texts_are_positions():
    game = Game(moves=["B2", "A1"])
    for position in (game, game.position, str(game.position)):
        assert tictac.solve(position).position == game.position == Position(position)
    for rules in (Rules("4,4,3 misere"), "4,4,3 misere", Rules("4,4,3 misere").start()):
        assert tictac.solve(rules, seconds=0.0).position == Rules("4,4,3 misere").start()
    assert tictac.solve("notakto").value == "win" and tictac.best_moves("notakto") == ["B2"]
    assert tictac.verify(tictac.certificate(Rules())) == tictac.verify(tictac.certificate("3,3,3"))


def test_records_and_their_texts_are_judged():
    text = "1 X A1\n2 O A2\n3 X B1\n"
    expected = ["best", "blunder", "best"]
    for game in (text, Record(text), Game.from_record(text)):
        assert [ply.verdict for ply in tictac.judge(game)] == expected
    judged = tictac.judge("1 X B2\n", "4,4,3")[0]
    assert judged.verdict == "best" and "B2" in judged.best


def test_a_verdict_that_is_not_proved_is_none():
    judged = tictac.judge(Game("8,8,5", moves=["D4", "A1", "D5"]), seconds=0.05)
    assert [(ply.verdict, ply.best) for ply in judged] == [(None, None)] * 3
    # A line is seen at once; that no other line is as quick takes a proof of every move.
    quick = tictac.judge(Game("8,8,3", moves=["D4", "A1", "D5", "A8", "D6"]), seconds=0.0)
    assert all(ply.best is None or ply.verdict is not None for ply in quick)
    assert repr(judged[0]) == "<D4: not proved>"
