# The commands of this project. Each installs what it lacks, so each works on a fresh clone.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test build web web-test api-test python engines check docs bench bench-quick fuzz tsan valgrind clean

# Ninja's moving status line is for terminals only, and so is one line for every test that passed.
ninja = -- $$(test -t 1 || echo --quiet)
failures = | grep -vE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test +\#.* Passed +[0-9.]+ sec)|^$$|^Test project'

help: ## list these targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 16

demo: build ## a tour of the examples
	@examples/demo.sh

build: web ## build the command line program build/credence
	@tools/setup core
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target credence-cli $(ninja)

# A machine without Node and without a way to install it still gets the program.
web: ## build the page of credence serve into web/dist, which the program takes in
	@tools/setup web || true
	@tools/page

web-test: build ## drive every view of the page in a real browser
	@tools/setup web browser
	@tools/page test

# Schemathesis wants versions of packages that the project's own Python need not have.
api-test: build ## ask the server what its description allows, and what it does not, by Schemathesis
	@tools/setup python
	@tools/venv tests/serve/requirements.txt build/venv
	@build/venv/bin/python tests/serve/openapi.py --program build/credence
	@build/venv/bin/python tests/serve/described.py --program build/credence --schemathesis build/venv/bin/schemathesis

# The package is built where the program is, from the same objects, by the compiler that the release preset names.
wheel = CXX=$${CXX:-c++} CMAKE_GENERATOR=Ninja .venv/bin/python -m pip install --quiet --disable-pip-version-check \
  --no-build-isolation --no-deps --force-reinstall --config-settings=build-dir=build \
  --config-settings=cmake.define.CREDENCE_TESTS=ON .

python: ## build the Python package and install it into .venv
	@tools/setup core test python
	@tools/venv python/requirements.txt
	@$(wheel)

engines: ## install Spark with its Java, PostgreSQL, Dask and Ray, so that make test runs the tests of them
	@tools/setup python engines
	@tools/venv python/requirements.txt
	@tools/venv python/engines/requirements.txt

test: web ## run every test, the C++ ones under the address and undefined-behaviour sanitizers
	@tools/setup core test python web browser
	@tools/venv python/requirements.txt
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target credence-cli credence_slow_tests $(ninja)
	@$(wheel)
	@echo "== commands, documents, Python, and the C++ tests that take long"
	@ctest --preset release $(failures)
	@echo "== the page in a browser"
	@tools/page test
	@cmake --preset asan --log-level=WARNING >/dev/null
	@cmake --build --preset asan $(ninja)
	@echo "== C++ tests under the sanitizers"
	@ctest --preset asan $(failures)

check: ## check format and warnings
	@tools/setup core test check
	@tools/check

docs: build ## run every block of the documentation and follow every link
	@tools/setup test
	@ctest --preset release -L docs $(failures)

bench: build python engines ## measure against everybody, for an hour; write docs/benchmarks.md and the README's table
	@tools/setup bench
	@tools/venv bench/requirements.txt
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r bench/contenders.txt
	@.venv/bin/python bench/get_weka.py || true
	@.venv/bin/python bench/run.py
	@.venv/bin/python bench/scaling.py
	@.venv/bin/python bench/tabular.py
	@.venv/bin/python bench/text_accuracy.py
	@.venv/bin/python bench/serve.py --program build/credence --python .venv/bin/python
	@.venv/bin/python bench/report.py

bench-quick: build python ## measure in three minutes what fell by more than a fifth since the ratios were committed
	@tools/setup bench
	@tools/venv bench/requirements.txt
	@.venv/bin/python bench/quick.py

MINUTES = 10
fuzz: ## run every fuzz target for its share of MINUTES=10, under the sanitizers
	@tools/setup core fuzz
	@tools/fuzz $(MINUTES)

tsan: ## run commands of every kind, and a server under load, under the thread sanitizer
	@tools/setup core
	@cmake --preset tsan --log-level=WARNING >/dev/null
	@cmake --build --preset tsan $(ninja)
	@tools/exercise 40000 build-tsan/credence
	@python3 tests/serve/load.py --program build-tsan/credence --seconds 60

valgrind: build ## run commands of every kind under valgrind
	@tools/setup valgrind
	@tools/exercise 60 valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
	  --suppressions=$(CURDIR)/tools/valgrind.supp build/credence

clean: ## remove what was built
	@rm -rf build build-* dist web/dist web/node_modules
