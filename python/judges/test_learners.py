"""Stable-Baselines3, sb3-contrib and PyTorch as outside judges."""

import numpy as np
import pytest
import tictac

stable_baselines3 = pytest.importorskip("stable_baselines3")


@pytest.mark.parametrize("rules", ["3,3,3", "4,4,3 misere", "3,3,3 wild", "notakto"])
@pytest.mark.parametrize("observation", ["planes", "flat"])
def test_stable_baselines3_checks_the_environment(rules, observation):
    from stable_baselines3.common.env_checker import check_env

    check_env(tictac.gym(rules, observation=observation))


def test_maskable_ppo_uses_the_masks():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    env = tictac.gym("3,3,3", opponent="random", illegal="raise")
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=256, batch_size=64, seed=1, device="cpu")
    model.learn(512)
    observation, _ = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=env.action_masks())
    env.step(int(action))


def test_torch_reads_the_arrays_without_a_copy():
    torch = pytest.importorskip("torch")
    envs = tictac.vector("3,3,3", 64, copy=False)
    observations, _ = envs.reset(seed=1)
    seen = torch.from_numpy(observations)
    envs.step(envs.sample_actions())
    assert int(seen.sum()) == 64 and np.shares_memory(seen.numpy(), observations)
