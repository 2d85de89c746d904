"""The environments: Gymnasium, its vector API, PettingZoo, and the OpenSpiel-like state."""

import copy
import json
import pickle
import signal
import warnings

import numpy as np
import pytest
import tictac

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")
tictac.register()

RULES = ["3,3,3", "4,4,3 misere", "3,3,3 wild", "notakto", "notakto boards=2"]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("observation", ["planes", "flat", "text", "json"])
def test_gymnasium_checks_the_environment(rules, observation):
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("tictac/TicTacToe-v0", rules=rules, observation=observation, side=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_the_environments_are_registered():
    env = gymnasium.make("tictac/TicTacToe-v0", opponent="perfect")
    env.reset(seed=1)
    assert env.unwrapped.rules == tictac.Rules("3,3,3")
    assert gymnasium.make("tictac/Mnk443-v0").unwrapped.rules == tictac.Rules("4,4,3")
    assert gymnasium.make("tictac/TicTacToe-v0", rules="5,5,4").unwrapped.rules == tictac.Rules("5,5,4")
    envs = gymnasium.make_vec("tictac/Misere-v0", 4, vectorization_mode="vector_entry_point")
    assert envs.unwrapped.rules == tictac.Rules("misere") and envs.reset(seed=1)[0].shape == (4, 2, 3, 3)


def test_a_registered_vector_plays_the_same_game_as_the_registered_environment():
    envs = gymnasium.make_vec("tictac/TicTacToe-v0", 8, vectorization_mode="vector_entry_point")
    envs.reset(seed=1)
    assert (envs.step(np.full(8, 4))[0].sum(axis=(2, 3)) == [[1, 1]] * 8).all()
    envs = gymnasium.make_vec("tictac/TicTacToe-v0", 8, vectorization_mode="vector_entry_point", opponent=None)
    envs.reset(seed=1)
    assert (envs.step(np.full(8, 4))[0].sum(axis=(2, 3)) == [[0, 1]] * 8).all()
    assert (gymnasium.make("tictac/TicTacToe-v0").unwrapped.reset(seed=1)[0] == 0).all()


@pytest.mark.parametrize("make", [tictac.gym, lambda *rules, **options: tictac.vector(*rules, num_envs=2, **options)])
def test_an_opponent_who_could_end_the_game_during_reset_is_refused(make):
    near = {"start": "XX./OO./... X", "opponent": "random"}
    for side in (1, None):
        with pytest.raises(ValueError, match="start: the opponent would move first"):
            make(side=side, **near)
    with pytest.raises(ValueError, match="start: the opponent would move first"):
        make("1,1,1", side=1, opponent="random")
    make(side=0, **near).reset(seed=1)
    make(side=1, **{**near, "opponent": None}).reset(seed=1)
    make(side=1, start="X../.../... O", opponent="random").reset(seed=1)
    if make is tictac.gym:
        with pytest.raises(ValueError, match="start: the opponent would move first"):
            make(side=1, **{**near, "opponent": lambda position: "A3"})


def test_a_subclass_overrides_step():
    class Doubled(type(tictac.gym())):
        def step(self, action):
            observation, reward, *rest = super().step(action)
            return observation, 2.0 * reward, *rest

    env = Doubled("3,3,3", start="XX./OO./... X")
    env.reset()
    assert env.step(2)[1] == 2.0


def test_an_exception_of_an_opponent_takes_back_the_step():
    answers = iter(["B2", KeyboardInterrupt(), "Z9", "C1", "C2"])

    def opponent(position):
        answer = next(answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    env = tictac.gym("3,3,3", opponent=opponent, side=1)
    env.reset()
    before = env.position
    for error in (KeyboardInterrupt, ValueError):
        with pytest.raises(error):
            env.step(0)
        assert env.position == before and env.action_masks()[0]
    assert env.step(0)[0].sum() == 3
    env.reset()
    with pytest.raises(StopIteration):
        env.reset()
    with pytest.raises(ValueError, match="action: no game is started"):
        env.step(0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_signal_while_the_opponents_think_takes_back_the_step(mode):
    envs = tictac.vector("7,7,5", 8, opponent="perfect", autoreset_mode=mode, copy=False)
    observations, info = envs.reset(seed=1)
    before = envs.boards(), observations.copy(), info["action_mask"].copy()

    def interrupt(*_):
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            envs.step(np.zeros(8, int))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    for left, right in zip(before, (envs.boards(), observations, info["action_mask"]), strict=True):
        assert (left == right).all()


@pytest.mark.parametrize("opponent", ["random", "beginner", "club", "perfect", lambda position: position.legal_moves[-1]])
@pytest.mark.parametrize("side", [0, 1, None])
def test_a_perfect_agent_never_loses(opponent, side):
    env = tictac.gym("3,3,3", opponent=opponent, side=side)
    for seed in range(20):
        env.reset(seed=seed)
        terminated = False
        while not terminated:
            observation, reward, terminated, truncated, info = env.step(
                env.position.action(tictac.best_moves(env.position)[0])
            )
            assert (info["action_mask"] == env.action_masks()).all()
            assert info["action_mask"].sum() == len(env.position.legal_actions)
        assert reward >= 0 and not truncated


def test_an_observation_shows_the_own_marks_first():
    env = tictac.gym("3,3,3", opponent=lambda position: "B2", side=1)
    observation, _ = env.reset()
    assert observation.reshape(2, 9).tolist() == [[0] * 9, [0, 0, 0, 0, 1, 0, 0, 0, 0]]
    env = tictac.gym("3,3,3", opponent=None)
    env.reset()
    observation = env.step(0)[0]
    assert observation.reshape(2, 9).tolist() == [[0] * 9, [1] + [0] * 8]


def test_text_and_json_say_what_can_be_played():
    env = tictac.gym("3,3,3", observation="json", opponent="random")
    seen = json.loads(env.reset(seed=3)[0])
    assert seen["legal_moves"] == env.position.legal_moves and seen["to_move"] == "X"
    assert tictac.gym("3,3,3", observation="text").reset()[0] == ".../.../... X"


def test_an_illegal_action_loses_or_raises():
    for rules in RULES:
        env = tictac.gym(rules, opponent=None)
        env.reset()
        for action in (-1, tictac.Rules(rules).n_actions, 2**40):
            before = env.position
            with pytest.raises(ValueError, match=f"action {action} is not from 0"):
                env.step(action)
            assert env.position == before
        env.step(4)
        _, reward, terminated, _, info = env.step(4)
        assert (reward, terminated, info["illegal_action"], info["action_mask"].sum()) == (-1.0, True, 4, 0)
        with pytest.raises(ValueError, match="over; call reset"):
            env.step(0)
        env = tictac.gym(rules, opponent=None, illegal="raise")
        env.reset()
        with pytest.raises(ValueError, match="action -1 is not from 0"):
            env.step(-1)
        env.step(4)
        with pytest.raises(tictac.IllegalMoveError, match="taken"):
            env.step(4)
        env.step(0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opponent": "grandmaster"}, "opponent: there is no level"),
        ({"side": 2}, "side must be 0, 1 or None"),
        ({"side": -1}, "side must be 0, 1 or None, not -1"),
        ({"start": "XXX/OO./... O"}, "start: the game is over"),
        ({"start": "X../.../... O", "rules": "4,4,3"}, "position: "),
        ({"observation": "pixels"}, "observation must be one of"),
        ({"illegal": "ignore"}, "illegal must be"),
        ({"render_mode": "window"}, "render_mode must be one of"),
        ({"rules": "notakto boards=1000000"}, "an environment takes up to"),
        ({"opponent": lambda position: "Z9"}, "column 1"),
        ({"opponent": lambda position: None}, "opponent: None is not a legal move"),
        ({"opponent": lambda position: "B2", "start": "..." + "/.X./... O"}, "opponent: 'B2' is not a legal move"),
    ],
)
def test_wrong_options_are_refused_by_name(options, words):
    with pytest.raises(ValueError, match=words):
        env = tictac.gym(**options)
        env.reset()
        env.step(env.position.legal_actions[0])


def play_lock_step(rules, mode, opponent, side, n=64, n_steps=60):
    """Step a VectorEnv and check every game against positions played one by one."""
    envs = tictac.vector(rules, n, autoreset_mode=mode, opponent=opponent, side=side)
    start = tictac.Rules(rules).start()
    envs.reset(seed=5)
    before = [envs.position(game) for game in range(n)]
    over = np.zeros(n, bool)
    for _ in range(n_steps):
        actions = envs.sample_actions()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        after = [envs.position(game) for game in range(n)]
        assert not truncations.any()
        for game in range(n):
            position, now = before[game], after[game]
            if over[game]:
                assert not terminations[game] and rewards[game] == 0.0
                continue
            played = position.play(int(actions[game]))
            if opponent is None:
                assert rewards[game] == played.returns[position.player]
                if mode != "SameStep" or not played.is_over:
                    assert played == now
                    assert terminations[game] == played.is_over
                else:
                    assert terminations[game] and now == start
                    assert infos["_final_obs"][game]
                    assert infos["final_obs"][game].sum() == played.n_moves
            mask = np.zeros(envs.single_action_space.n, int)
            mask[now.legal_actions] = 1
            assert infos["action_mask"][game].tolist() == mask.tolist()
            assert observations[game].sum() == now.n_moves
        over = terminations if mode == "NextStep" else np.zeros(n, bool)
        if mode == "Disabled" and terminations.any():
            with pytest.raises(ValueError, match="the game is over; reset it first"):
                envs.step(envs.sample_actions())
            envs.reset(options={"reset_mask": terminations})
        before = [envs.position(game) for game in range(n)]


@pytest.mark.parametrize("rules", [*RULES, "5,5,4", "notakto boards=7", "2,2,2 x-only boards=3"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_the_vector_environment_plays_by_the_rules(rules, mode):
    play_lock_step(rules, mode, None, 0)


@pytest.mark.parametrize("opponent", ["random", "perfect", "casual"])
@pytest.mark.parametrize("side", [0, 1, None])
def test_the_vector_environment_answers_with_its_opponent(opponent, side):
    play_lock_step("3,3,3", "NextStep", opponent, side, n=16, n_steps=20)


def test_a_perfect_opponent_in_the_vector_environment_never_loses():
    envs = tictac.vector("3,3,3", 256, opponent="perfect", side=None)
    envs.reset(seed=2)
    rewards = np.concatenate([envs.step(envs.sample_actions())[1] for _ in range(40)])
    assert rewards.max() == 0.0 and rewards.min() == -1.0


def same(left, right):
    """Return whether two infos are equal: arrays of numbers, arrays of objects, dictionaries."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if left.dtype == object:
        return all(type(one) is type(two) and np.array_equal(one, two) for one, two in zip(left, right, strict=True))
    return left.shape == right.shape and (left == right).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("rules", ["3,3,3", "4,4,3 misere", "3,3,3 wild", "notakto", "notakto boards=2", "2,2,2 x-only boards=3"])
@pytest.mark.parametrize(("opponent", "side"), [(None, 0), ("random", None), ("beginner", 1), ("perfect", None)])
def test_gymnasium_steps_its_own_vector_of_environments_like_ours(mode, rules, opponent, side):
    if opponent == "perfect" and rules in ("4,4,3 misere", "2,2,2 x-only boards=3"):
        pytest.skip("takes a table of seconds, or ends at once")
    rng, options = np.random.default_rng(1), {"opponent": opponent, "side": side}
    for observation, seed in (("planes", 7), ("flat", [5, 2**40, 0, 5, 1, 2**64 + 1])):
        makes = [lambda: tictac.gym(rules, observation=observation, **options)] * 6
        theirs = gymnasium.vector.SyncVectorEnv(makes, autoreset_mode=gymnasium.vector.AutoresetMode(mode))
        ours = tictac.vector(rules, 6, observation=observation, autoreset_mode=mode, **options)
        assert theirs.single_observation_space == ours.single_observation_space
        assert theirs.observation_space == ours.observation_space and theirs.action_space == ours.action_space
        (one, one_info), (two, two_info) = theirs.reset(seed=seed), ours.reset(seed=seed)
        assert (one == two).all() and same(one_info, two_info)
        for _ in range(40):
            actions = ours.sample_actions()
            if rng.random() < 0.2:
                actions[3] = rng.integers(ours.single_action_space.n)
            one, two = theirs.step(actions), ours.step(actions)
            for left, right in zip(one[:4], two[:4], strict=True):
                assert (left == right).all() and left.shape == right.shape
            assert same(one[4], two[4])
            assert two[0] in ours.observation_space
            if mode == "Disabled" and two[2].any():
                (one, one_info), (two, two_info) = (
                    each.reset(options={"reset_mask": two[2].copy()}) for each in (theirs, ours)
                )
                assert (one == two).all() and same(one_info["_action_mask"], two_info["_action_mask"])


def test_a_seed_of_none_lets_a_game_go_on():
    envs = tictac.vector("3,3,3", 3, opponent="random", side=1)
    envs.reset(seed=[1, 2, 3])
    first = envs.boards()
    envs.reset(seed=[1, None, 3])
    again = envs.boards()
    assert (first[[0, 2]] == again[[0, 2]]).all()
    envs.reset(seed=[1, 2, 3])
    assert (envs.boards() == first).all()


def test_illegal_actions_are_named_in_the_infos():
    envs = tictac.vector("3,3,3", 3)
    envs.reset(seed=1)
    envs.step([0, 1, 2])
    infos = envs.step([0, 2, 2])[4]
    assert infos["illegal_action"].tolist() == [0, 0, 2] and infos["_illegal_action"].tolist() == [True, False, True]
    assert "illegal_action" not in envs.step([0, 3, 0])[4]


@pytest.mark.parametrize("illegal", ["lose", "raise"])
@pytest.mark.parametrize("opponent", [None, "random"])
def test_an_action_that_does_not_exist_is_an_error_and_nothing_is_played(illegal, opponent):
    envs = tictac.vector("3,3,3", 3, illegal=illegal, opponent=opponent)
    envs.reset(seed=1)
    for action in (-1, 9, 42, 2**62):
        with pytest.raises(ValueError, match=rf"actions\[2\]: {action} is not from 0 to 8"):
            envs.step([0, 1, action])
    assert not envs.boards().any()


def test_a_taken_square_raises_where_illegal_actions_are_errors():
    envs = tictac.vector("3,3,3", 3, illegal="raise")
    envs.reset(seed=1)
    envs.step([0, 1, 2])
    with pytest.raises(ValueError, match=r"actions\[2\]: 2 is not a legal action"):
        envs.step([1, 0, 2])


def test_strong_opponents_on_large_boards_are_the_same_for_the_same_seed():
    def game(env):
        env.reset(seed=4)
        env.step(24)
        return str(env.position)

    env = tictac.gym("7,7,5", opponent="perfect")
    first = game(env)
    assert first == game(env) == game(copy.copy(env)) == game(tictac.gym("7,7,5", opponent="perfect"))


def test_random_play_in_the_vector_environment_has_the_exact_frequencies():
    envs = tictac.vector("3,3,3", 4096, copy=False)
    envs.reset(seed=7)
    games = np.zeros(3)
    for _ in range(200):
        _, rewards, terminations, _, _ = envs.step(envs.sample_actions())
        plies = np.unpackbits(envs.boards().view(np.uint8).reshape(-1, 16), axis=1).sum(axis=1)
        games += [
            (terminations & (rewards == 1) & (plies % 2 == 1)).sum(),
            (terminations & (rewards == 1) & (plies % 2 == 0)).sum(),
            (terminations & (rewards == 0)).sum(),
        ]
    assert np.allclose(games / games.sum(), [737 / 1260, 121 / 420, 8 / 63], atol=0.01)


def test_results_are_written_into_the_arrays_of_the_caller():
    buffers = {
        "observations": np.ones((16, 2, 3, 3), np.int8),
        "action_masks": np.zeros((16, 9), np.int8),
        "rewards": np.ones(16, np.float32),
        "terminations": np.ones(16, bool),
        "truncations": np.ones(16, bool),
    }
    envs = tictac.vector("3,3,3", 16, buffers=buffers, copy=False)
    observations, info = envs.reset(seed=1)
    assert observations is buffers["observations"] and not observations.any()
    assert info["action_mask"] is buffers["action_masks"] and info["action_mask"].all()
    found = envs.step(np.full(16, 4))
    assert found[1] is buffers["rewards"] and observations[:, 1, 1, 1].all() and not buffers["truncations"].any()


def after_reset(env):
    env.reset()
    return env


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tictac.vector("3,3,3", 0), "num_envs must be from 1"),
        (lambda: tictac.vector("3,3,3", 2**40), "num_envs must be from 1"),
        (lambda: tictac.vector("notakto boards=8", 4), "72 squares; a VectorEnv takes up to 64.*SyncVectorEnv"),
        (lambda: tictac.vector("3,3,3", 4, observation="text"), "observation must be 'planes' or 'flat'.*SyncVectorEnv"),
        (lambda: tictac.vector("3,3,3", 4, render_mode="human"), "render_mode must be one of ansi"),
        (lambda: tictac.vector("3,3,3", 4, start="O../.../... X"), "start: X must have opened"),
        (lambda: tictac.vector("3,3,3", 4, side=5), "side must be"),
        (lambda: tictac.vector("3,3,3", 4, autoreset_mode="never"), "never"),
        (lambda: tictac.vector("3,3,3", 4, buffers={"rewards": np.zeros(4)}), "rewards must be float32"),
        (lambda: tictac.vector("3,3,3", 4, buffers={"rewards": np.zeros(8, np.float32)[::2]}), "contiguous and writable"),
        (lambda: tictac.vector("3,3,3", 4, buffers={"reward": np.zeros(4)}), "there is no 'reward'"),
        (lambda: tictac.vector("3,3,3", 4).step(np.zeros(3, int)), r"actions must have the shape \(4,\)"),
        (lambda: tictac.vector("3,3,3", 4).step(np.zeros((4, 1), int)), "actions must have the shape"),
        (lambda: tictac.vector("3,3,3", 4).reset(seed=[1, 2, 3]), "seed must be a number or a list of 4, not of 3"),
        (lambda: tictac.vector("3,3,3", 4).reset(seed=[1, 2, 3, -4]), "seed must be 0 or more, not -4"),
        (lambda: tictac.vector("3,3,3", 4).reset(options={"reset_mask": np.zeros(4)}), "reset_mask must be bool"),
        (lambda: after_reset(tictac.vector("1,1,1", 2, illegal="raise")).step([0, 1]), r"actions\[1\]: 1 is not from 0 to 0"),
        (lambda: tictac.vector("3,3,3", -1), "num_envs must be from 1 to .*, not -1"),
        (lambda: tictac.vector("3,3,3", 4, side=-1), "side must be 0, 1 or None, not -1"),
        (lambda: tictac.vector("3,3,3", 4).step([0, 1, 2, 3]), r"actions: no game is started; call reset\(\)"),
    ],
)
def test_wrong_arguments_of_the_vector_environment_are_refused_by_name(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_read_only_and_overlapping_arrays_are_refused():
    locked = np.zeros(4, np.float32)
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="contiguous and writable"):
        tictac.vector("3,3,3", 4, buffers={"rewards": locked})
    late = np.zeros(4, np.float32)
    envs = tictac.vector("3,3,3", 4, buffers={"rewards": late})
    envs.reset()
    late.flags.writeable = False
    with pytest.raises(ValueError, match="rewards"):
        envs.step(np.zeros(4, int))
    flags = np.zeros(4, bool)
    with pytest.raises(ValueError, match="truncations and terminations must not overlap"):
        tictac.vector("3,3,3", 4, buffers={"terminations": flags, "truncations": flags})
    masks = np.zeros((4, 18), np.int8)
    with pytest.raises(ValueError, match="action_masks and observations must not overlap"):
        tictac.vector("3,3,3 wild", 4, buffers={"action_masks": masks, "observations": masks.reshape(4, 2, 3, 3)})
    with pytest.raises(TypeError, match="actions must be integers"):
        tictac.vector("3,3,3", 4).step(np.zeros(4))
    envs = tictac.vector("3,3,3", 4)
    envs.reset()
    envs.step(np.zeros(8, np.uint8)[::2])


@pytest.mark.parametrize("observation", ["planes", "flat"])
def test_actions_are_whole_numbers_of_a_game_that_is_started(observation):
    for make in (tictac.gym, tictac.env):
        env = make(observation=observation)
        with pytest.raises(ValueError, match="action: no game is started; call reset"):
            env.step(0)
        env.reset()
        before = env.position
        for action in (3.7, 3.0, "3", np.float32(3)):
            with pytest.raises(TypeError):
                env.step(action)
        assert env.position == before
        env.step(np.int64(3))
    state = tictac.State()
    for action in (3.7, "B2"):
        with pytest.raises(TypeError):
            state.apply_action(action)
    assert state.history() == [] and state.position == tictac.Rules().start()


def repickled(env):
    return pickle.loads(pickle.dumps(env))


def last_move(position):
    """Return the last legal move: an opponent that can be pickled."""
    return position.legal_moves[-1]


COPIES = [copy.copy, copy.deepcopy, repickled]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("opponent", ["random", "club", "perfect", None, last_move])
@pytest.mark.parametrize("rules", ["3,3,3", "notakto boards=2"])
def test_a_copied_environment_goes_on_like_its_original(copied, opponent, rules):
    for observation in ("planes", "flat", "json"):
        env = tictac.gym(rules, opponent=opponent, side=None, observation=observation)
        env.reset(seed=3)
        env.step(env.position.legal_actions[0])
        other = copied(env)
        before = env.position
        games = []
        for each in (env, other):
            assert each.position == before
            played = []
            for _ in range(20):
                result = each.step(each.position.legal_actions[0])
                played.append((str(result[0]), *result[1:4], str(result[4])))
                if result[2]:
                    played.append(str(each.reset()[0]))
            games.append(played)
        assert games[0] == games[1]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copied_pettingzoo_environment_goes_on_like_its_original(copied):
    env = tictac.env("3,3,3")
    env.reset()
    env.step(4)
    other = copied(env)
    env.step(0)
    assert other.position == tictac.Position(".../.X./... O") and other.agent_selection == "player_1"
    for action in (1, 0, 2, 8):
        other.step(action)
    assert env.position.n_moves == 2 and other.position.n_moves == 5
    assert not any(env.terminations.values()) and env._cumulative_rewards == {"player_0": 0.0, "player_1": 0.0}


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize(("rules", "opponent"), [("3,3,3", None), ("3,3,3 wild", "random"), ("notakto boards=3", "club")])
def test_a_copied_vector_goes_on_like_its_original(copied, mode, rules, opponent):
    envs = tictac.vector(rules, 8, opponent=opponent, side=None if opponent else 0, autoreset_mode=mode, copy=False)
    envs.reset(seed=1)
    ended = envs.step(envs.sample_actions())[2].copy()
    if mode == "Disabled" and ended.any():
        envs.reset(options={"reset_mask": ended})
    other = copied(envs)
    assert not np.shares_memory(other._arrays["observations"], envs._arrays["observations"])
    for _ in range(6):
        actions = envs.sample_actions()
        assert (actions == other.sample_actions()).all()
        one, two = envs.step(actions), other.step(actions)
        for left, right in zip(one[:4], two[:4], strict=True):
            assert (left == right).all()
        assert (envs.boards() == other.boards()).all()
        if mode == "Disabled" and one[2].any():
            for each in (envs, other):
                each.reset(options={"reset_mask": one[2].copy()})


def test_a_pickled_core_with_wrong_contents_is_refused():
    core = tictac.vector("3,3,3", 2)._core
    boards, over, agents, rngs, rng = core.__reduce__()[2]
    for wrong in (np.array([[1, 1], [0, 0]], np.uint64), np.array([[1 << 9, 0], [0, 0]], np.uint64)):
        with pytest.raises(ValueError, match=r"boards\[0\] is not a position"):
            core.__setstate__((wrong, over, agents, rngs, rng))
    with pytest.raises(ValueError, match="over must have 2 elements"):
        core.__setstate__((boards, over[:1], agents, rngs, rng))
    single = tictac.gym("3,3,3")._core
    with pytest.raises(ValueError, match="rules: "):
        single.__setstate__((tictac.Position("4,4,3"), 0, 1, False, True))


def test_a_wrong_kind_of_opponent_is_refused_by_name():
    for make in (tictac.gym, tictac.vector):
        with pytest.raises(TypeError, match="opponent must be a name.*, not int"):
            make(opponent=5)
    with pytest.raises(TypeError, match="opponent must be a name or None, because .*SyncVectorEnv of tictac.gym"):
        tictac.vector(opponent=lambda position: "A1")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("observation", ["planes", "flat"])
def test_pettingzoo_checks_the_environment(rules, observation, capsys):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(tictac.env(rules, observation=observation), num_cycles=200)
        if observation == "planes":
            seed_test(lambda: tictac.env(rules), num_cycles=20)


def test_pettingzoo_rewards_are_zero_sum_and_a_dead_agent_steps_with_none():
    env = tictac.env("3,3,3")
    env.reset()
    for action in (0, 3, 1, 4):
        env.step(action)
    assert env.observe("player_1")["action_mask"].sum() == 0 and env.observe("player_0")["action_mask"].sum() == 5
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())
    with pytest.raises(ValueError, match="None"):
        env.step(5)
    env.step(None)
    env.step(None)
    assert env.agents == []
    env.reset()
    env.step(0)
    env.step(0)
    assert env.rewards == {"player_1": -1.0, "player_0": 0.0} and all(env.terminations.values())
    with pytest.raises(TypeError, match="action must be an int"):
        fresh = tictac.env()
        fresh.reset()
        fresh.step("B2")


@pytest.mark.parametrize("rules", RULES)
def test_every_environment_is_rendered(rules, capsys):
    for mode, check in {
        "ansi": lambda text: "to move" in text,
        "svg": lambda text: text.startswith("<svg"),
        "rgb_array": lambda pixels: pixels.dtype == np.uint8 and pixels.ndim == 3 and len(np.unique(pixels)) > 2,
    }.items():
        for env in (tictac.env(rules, render_mode=mode), tictac.gym(rules, opponent=None, render_mode=mode)):
            env.reset()
            env.step(0)
            assert check(env.render())
    assert tictac.env(rules).render() is None
    pictures = tictac.vector(rules, 3, render_mode="ansi").render()
    assert len(pictures) == 3 and pictures[0] == tictac.gym(rules, render_mode="ansi").render()
    for env in (tictac.env(rules, render_mode="human"), tictac.gym(rules, opponent=None, render_mode="human")):
        env.reset()
        env.step(0)
        assert env.render() is None
        assert capsys.readouterr().out.count("to move") == 3


def test_a_state_has_the_methods_of_openspiel():
    for start in ("3,3,3", ".../.../... X", tictac.Rules(), tictac.Game(), tictac.Position(".../.../... X")):
        state = tictac.State(start)
        assert state.is_initial_state() and state.serialize() == "\n" and state.move_number() == 0
    state.apply_action_with_legality_check(4)
    state.apply_action(0)
    assert state.full_history() == [(0, 4), (1, 0)] and state.history_str() == "4, 0" and state.serialize() == "4\n0\n"
    assert (state.num_players(), state.num_distinct_actions(), state.move_number()) == (2, 9, 2)
    assert state.is_player_node() and not (state.is_chance_node() or state.is_simultaneous_node())
    assert state.action_to_string(8) == state.action_to_string(0, 8) == "x(2,2)"
    assert state.string_to_action("x(2,2)") == state.string_to_action(0, "x(2,2)") == 8
    assert tictac.State.deserialize(state.serialize()).position == state.position
    assert len(state.information_state_tensor()) == 36 and sum(state.information_state_tensor()[27:]) == pytest.approx(3 / 9)
    other = pickle.loads(pickle.dumps(state))
    other.undo_action(1, 0)
    assert other.history() == [4] and state.history() == [4, 0]
    for wrong in (lambda: state.undo_action(0, 4), lambda: state.string_to_action("x(1,1)"), lambda: state.player_return(2)):
        with pytest.raises(ValueError, match=r"action|text|player"):
            wrong()
    over = tictac.State("XX./OO./... X").child(2)
    assert over.player_return(0) == 1.0 and over.player_reward(1) == -1.0 and not over.is_player_node()


def test_a_state_is_cloned_and_played():
    state = tictac.State("3,3,3")
    for action in (4, 0, 2):
        state.apply_action(action)
    other = state.clone()
    other.apply_action(6)
    assert state.history() == [4, 0, 2] and other.history() == [4, 0, 2, 6]
    assert str(state) == "o.x\n.x.\n..." and state.observation_string(0) == str(state)
    assert (state.current_player(), state.legal_actions(0), state.is_terminal()) == (1, [], False)
    assert state.child(6).current_player() == 0
    assert sum(state.observation_tensor(0)) == 9.0 and len(state.observation_tensor(0)) == 27
    assert state.legal_actions_mask() == [0, 1, 0, 1, 0, 1, 1, 1, 1]
    assert state.information_state_string() == "4, 0, 2" and state.action_to_string(1, 6) == "o(2,0)"
    with pytest.raises(ValueError):
        state.apply_action(4)
