# Two commands do everything on a fresh clone:
#   make run FILE=examples/orders_report.py
#   make test
# Only Python 3.11 to 3.13, a C compiler and make are needed. PYTHON=… picks an interpreter, VENV=… the folder of its
# environment; ccache is used when it is there.

FIND_PYTHON = for p in python3.11 python3.12 python3.13 python3; do \
  $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && echo $$p && exit; done; \
  echo no-python
PYTHON ?= $(shell $(FIND_PYTHON))
VENV ?= .venv
PY = $(VENV)/bin/python
PIP = $(PY) -m pip install -qq --disable-pip-version-check
SOURCES := $(shell find kimi_runtime -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h') setup.py $(wildcard tools/gen_loop.py)
ARGS ?=
TESTS ?= tests
PYTEST_ARGS ?=
PYTEST = $(PY) -m pytest -q $(PYTEST_ARGS)

.PHONY: help run test test-fast test-debug test-malloc test-all test-cpython test-asyncio build wheel bench bench-smoke pgo lint docs-check \
  regen check-regen leak-check clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# ---- environment and build: stamps, so that a second call does nothing ----------------------------------
$(VENV)/.created: tools/make_venv.py
	@test "$(PYTHON)" != no-python || { echo "no Python 3.11, 3.12 or 3.13 found on the PATH: install one, or say where it is: make PYTHON=/path/to/python3.12"; exit 1; }
	@command -v "$(PYTHON)" > /dev/null || { echo "no such interpreter: $(PYTHON)"; exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) tools/make_venv.py $(VENV)
	@touch $@

$(VENV)/.build-deps: $(VENV)/.created pyproject.toml tools/requirements.py
	@echo "installing what the build needs"
	@$(PY) tools/requirements.py build run > $(VENV)/requirements-build.txt
	@$(PIP) -r $(VENV)/requirements-build.txt
	@touch $@

$(VENV)/.test-deps: $(VENV)/.build-deps
	@echo "installing what the tests need"
	@$(PY) tools/requirements.py $(TEST_GROUPS) > $(VENV)/requirements-test.txt
	@$(PIP) -r $(VENV)/requirements-test.txt
	@touch $@
TEST_GROUPS ?= test property

$(VENV)/.lint-deps: $(VENV)/.build-deps
	@$(PY) tools/requirements.py dev > $(VENV)/requirements-dev.txt
	@$(PIP) -r $(VENV)/requirements-dev.txt
	@touch $@

$(VENV)/.built: $(VENV)/.build-deps $(SOURCES)
	@echo "building the compiled modules (some minutes)"
	@$(PY) -W ignore setup.py -q build_ext --inplace
	@touch $@

# An environment keeps the Python that made it.
ifeq ($(origin PYTHON), command line)
.PHONY: same-python
same-python:
	@test ! -x $(PY) || test "$$($(PYTHON) -V 2>&1)" = "$$($(PY) -V)" || { \
	  echo "$(VENV) is one of $$($(PY) -V), and $(PYTHON) is $$($(PYTHON) -V 2>&1): make clean first, or give it another: make VENV=.venv-other PYTHON=$(PYTHON)"; exit 1; }
$(VENV)/.created $(VENV)/.build-deps $(VENV)/.built: | same-python
endif

build: $(VENV)/.built  ## build the compiled modules in place

# ---- using it --------------------------------------------------------------------------------------------
run: build  ## run a guest program: make run FILE=program.py ARGS="..."
	@test -n "$(FILE)" || { echo 'usage: make run FILE=program.py [ARGS="..."]'; exit 2; }
	@$(PY) -m kimi_runtime $(FILE) $(ARGS)

test: build $(VENV)/.test-deps  ## run the tests; some of them: make test TESTS=tests/test_api.py
	$(PYTEST) $(TESTS)

test-fast: build $(VENV)/.test-deps  ## run the tests that take no subprocess and no random programs
	$(PYTEST) -m "not slow" -x $(TESTS)

test-malloc: build $(VENV)/.test-deps  ## the test suite under PYTHONMALLOC=debug
	PYTHONMALLOC=debug $(PYTEST) $(DEBUG_TESTS)

# The debug interpreter checks reference counts and every PyErr state; the build keeps C asserts.
test-debug: test-malloc  ## tests under PYTHONMALLOC=debug and, where there is one, a debug build of Python
	@debug=$$($(PY) tools/find_python.py --debug | head -1 | cut -d' ' -f2); \
	if [ -n "$$debug" ]; then \
	  KIMI_ASSERT=1 $(MAKE) --no-print-directory test-with PYTHON="$$debug" VENV=.venv-debug \
	    TEST_GROUPS=test TESTS="$(DEBUG_TESTS)" PYTEST_ARGS='-k "$(DEBUG_KEEP)"'; \
	else echo "no debug build of Python found: skipped that half"; fi
DEBUG_TESTS ?= tests
# Debian's debug interpreter is 3.11.2: its own error texts and except* differ from later 3.11, and exec("1", closure=())
# aborts it. What compares with those is left out there.
DEBUG_KEEP ?= not except_star and not test_guest_objects and not compile_modes and not eval_expressions \
  and not target_errors and not statements_errors and not syntax_error and not closures_and_arguments \
  and not tracebacks_agree and not test_packaging

.PHONY: test-with
test-with: build $(VENV)/.test-deps
	$(PYTEST) $(TESTS)

test-all: $(VENV)/.created  ## the tests on every supported interpreter found
	@set -e; $(PY) tools/find_python.py | while read -r version path; do \
	  echo "== Python $$version: $$path"; \
	  $(MAKE) --no-print-directory test-with PYTHON="$$path" VENV=".venv-$$version" < /dev/null; done

test-cpython: build  ## CPython's own language tests as guest programs
	$(PY) tools/cpython_tests.py

test-asyncio: build  ## CPython's own tests of asyncio and contextvars, as guest code
	$(PY) tools/asyncio_tests.py

leak-check: build $(VENV)/.test-deps  ## run every golden program often and compare object counts
	$(PY) tools/leak_check.py

bench: build  ## the benchmarks, against the fastest CPython in the same run; the table goes to benchmarks/results/
	$(PY) benchmarks/report.py $(ARGS)

bench-smoke: build  ## each benchmark once, in less than a minute
	$(PY) benchmarks/report.py --smoke $(ARGS)

# Profile-guided, with gcc: an instrumented build runs the benchmarks' programs, and the next build knows what is hot. The
# profiles lie beside the object files in build/.
pgo: $(VENV)/.build-deps  ## build in place with profile-guided optimisation (gcc; takes some ten minutes)
	CCACHE_DISABLE=1 KIMI_PGO=generate $(PY) -W ignore setup.py -q build_ext --inplace --force
	$(PY) benchmarks/train.py
	CCACHE_DISABLE=1 KIMI_PGO=use $(PY) -W ignore setup.py -q build_ext --inplace --force
	@touch $(VENV)/.built

lint: build $(VENV)/.lint-deps  ## linters of Python and Cython
	$(PY) -m ruff check .
	$(PY) tools/lint_cython.py
	$(PY) -m mypy
	$(PY) tools/check_sources.py

docs-check: build $(VENV)/.test-deps  ## run the code in README and docs, check links and generated files
	$(PYTEST) tests/test_docs.py tests/test_examples.py
	@$(MAKE) --no-print-directory check-regen

regen:  ## write the generated files anew
	$(PYTHON) tools/gen_opcodes.py
	$(PYTHON) tools/gen_nodes.py
	@$(MAKE) --no-print-directory build
	$(PY) tools/gen_exposure.py

check-regen:  ## fail when a generated file differs from its table
	$(PYTHON) tools/gen_opcodes.py --check
	$(PYTHON) tools/gen_nodes.py --check
	@$(MAKE) --no-print-directory build
	$(PY) tools/gen_exposure.py --check

wheel: $(VENV)/.build-deps  ## build a wheel into dist/
	$(PY) -m pip wheel -q --no-deps --no-build-isolation -w dist .

clean:  ## remove what was built
	rm -rf build dist .venv .venv-* *.egg-info .pytest_cache .hypothesis .benchmarks .ruff_cache
	find kimi_runtime -name '*.so' -delete
	find kimi_runtime -name '*.pyx' | sed 's/pyx$$/c/' | xargs rm -f
