"""The examples run and reach what they promise."""

import importlib.util
import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name, *arguments):
    old = sys.argv
    sys.argv = [name, *map(str, arguments)]
    try:
        return runpy.run_path(str(EXAMPLES / name))["main"]()
    finally:
        sys.argv = old


def test_q_learning_reaches_no_regret_in_ten_seconds(capsys):
    pytest.importorskip("gymnasium")
    regret, seconds = run("q_learning.py")
    assert regret == 0.0
    assert "regret 0.0000" in capsys.readouterr().out
    # Of processor time, which other work on the machine hardly changes.
    assert seconds < 10.0


def test_the_dataset_has_all_positions(tmp_path):
    pytest.importorskip("pyarrow")
    assert run("dataset.py", tmp_path / "positions.parquet") == 5478


def test_the_text_environment_plays_a_game(capsys):
    pytest.importorskip("gymnasium")
    assert run("text_agent.py") in (-1.0, 0.0, 1.0)
    assert "legal_moves" in capsys.readouterr().out


def test_the_notebook_runs(tmp_path):
    pytest.importorskip("gymnasium")
    pytest.importorskip("matplotlib")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(EXAMPLES / "learning_curves.ipynb", as_version=4)
    nbformat.validate(notebook)
    code = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    names = {"__name__": "notebook"}
    import matplotlib

    matplotlib.use("Agg")
    exec(compile(code, "learning_curves.ipynb", "exec"), names)
    assert names["curves"]["Q-learning"][-1] == 0.0


@pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="needs sb3-contrib")
def test_maskable_ppo_learns_4x4(capsys):
    before, after = run("maskable_ppo.py", 6000)
    assert after > before
