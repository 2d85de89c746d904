"""The slower tests of PettingZoo."""

import warnings

import pytest
import tictac

RULES = ["3,3,3", "4,4,3 misere", "3,3,3 wild", "notakto boards=2"]


@pytest.mark.parametrize("rules", RULES)
def test_pettingzoo_tests_the_environment_at_length(rules):
    from pettingzoo.test import api_test, render_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(tictac.env(rules), num_cycles=2000)
        seed_test(lambda: tictac.env(rules), num_cycles=500)
        render_test(
            lambda render_mode=None: tictac.env(rules, render_mode=render_mode),
            custom_tests={"svg": lambda result: result.startswith("<svg")},
        )


def test_pettingzoo_measures_the_environment(capsys):
    from pettingzoo.test import performance_benchmark

    performance_benchmark(tictac.env("3,3,3"))
    assert "turns per second" in capsys.readouterr().out
