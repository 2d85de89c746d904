"""Runs the tests of a student and writes how each of them ended."""
import os
import sys

FRAMEWORK, TESTS, IMPLEMENTATION = sys.argv[1:4]
SKIPPED = set(sys.argv[4].split("\n")) if len(sys.argv) > 4 else set()
RESULTS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def write(*parts):
    RESULTS.write("\t".join(part.strip().replace("\n", "; ").replace("\t", " ") for part in parts) + "\n")
    RESULTS.flush()


def run_unittest():
    import unittest

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            self.problem = None
            write("start", name_of(test))

        def addError(self, test, error):
            self.problem = self.problem or "%s: %s" % (error[0].__name__, error[1])

        addFailure = addError

        def addSubTest(self, test, subtest, error):
            if error:
                self.addError(test, error)

        def stopTest(self, test):
            write("fail", name_of(test), self.problem) if self.problem else write("pass", name_of(test))

    def name_of(test):
        return test.id().split(".", 1)[-1]

    def tests_in(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                yield from tests_in(test)
            elif name_of(test) not in SKIPPED:
                yield test

    module = os.path.splitext(os.path.basename(TESTS))[0]
    tests = unittest.defaultTestLoader.loadTestsFromName(module)
    unittest.TestSuite(tests_in(tests)).run(Result())


def run_pytest():
    import pytest

    class Recorder:
        def pytest_collection_modifyitems(self, items):
            items[:] = [item for item in items if name_of(item.nodeid) not in SKIPPED]

        def pytest_runtest_logstart(self, nodeid):
            self.problem = None
            write("start", name_of(nodeid))

        def pytest_runtest_logreport(self, report):
            if report.failed:
                crash = getattr(report.longrepr, "reprcrash", None)
                self.problem = self.problem or (crash.message if crash else str(report.longrepr)[-200:])

        def pytest_runtest_logfinish(self, nodeid):
            write("fail", name_of(nodeid), self.problem) if self.problem else write("pass", name_of(nodeid))

        def pytest_collectreport(self, report):
            if report.failed:
                print(report.longrepr, file=sys.stderr)
                os._exit(4)

    def name_of(nodeid):
        return nodeid.split("::", 1)[-1]

    pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", os.path.dirname(TESTS), TESTS], plugins=[Recorder()])


sys.dont_write_bytecode = True
sys.path[:0] = [IMPLEMENTATION, os.path.dirname(TESTS)]
(run_pytest if FRAMEWORK == "pytest" else run_unittest)()
write("end")
os._exit(0)
