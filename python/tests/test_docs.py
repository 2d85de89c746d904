"""The examples in docstrings, in README.md and in docs/python.md."""

import doctest
import importlib
import pkgutil
from importlib import metadata
from pathlib import Path

import pytest
import tictac

FOLDER = Path(__file__).resolve().parents[1]
PAGES = [FOLDER / "README.md", FOLDER.parent / "docs" / "python.md"]
OPTIONAL = {"gymnasium_env": "gymnasium", "vector_env": "gymnasium", "pettingzoo_env": "pettingzoo", "_observe": "gymnasium", "_pyspiel_game": "pyspiel"}


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_package_has_its_licences(name):
    text = (FOLDER.parent / name).read_text()
    assert (FOLDER / name).read_text() == text
    assert metadata.distribution("tictac").read_text(f"licenses/{name}") == text


def run(tests):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        runner.run(test)
    assert runner.failures == 0
    return runner.tries


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(tictac.__path__)])
def test_the_docstrings_of_a_module_are_right(name):
    if name in OPTIONAL:
        pytest.importorskip(OPTIONAL[name])
    module = importlib.import_module(f"tictac.{name}")
    finder = doctest.DocTestFinder()
    tests = finder.find(module)
    if name == "_tictac":
        # Doctest skips objects of extension modules.
        objects = [getattr(module, item) for item in dir(module) if not item.startswith("__")]
        tests = [test for item in objects for test in finder.find(item, getattr(item, "__name__", "x"), module=False)]
        assert sum(len(test.examples) for test in tests) > 15
    run([test for test in tests if test.examples])


def test_the_docstring_of_the_package_is_right():
    assert run(doctest.DocTestFinder().find(tictac, "tictac", globs={})) > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_are_right(page):
    if not page.exists():
        pytest.skip("the page is not part of the package")
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    text = page.read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert run([test]) > 0


def test_every_public_name_has_a_docstring():
    for name in tictac.__all__:
        assert name == "__version__" or (getattr(tictac, name).__doc__ or "").strip(), name
