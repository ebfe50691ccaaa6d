# SPDX-License-Identifier: Apache-2.0 OR MIT
# The commands of the README. Each does its own set-up on a bare Debian 12; the real build is CMake's (CMakePresets.json).

.PHONY: build install uninstall demo test test-all analyse fuzz-coverage docs figures hardware format setup clean
.DEFAULT_GOAL := build

setup:
	@tools/install_packages.sh

build:
	@tools/install_packages.sh build
	cmake --preset host
	cmake --build --preset host --target moonbow_cli moonbow_shared moonbow_provider

# What root installs was built before, by whoever runs `make`: root compiles nothing. DESTDIR and PREFIX as usual.
PREFIX ?= /usr/local

install:
	@test -x build/cli/moonbow || { echo "moonbow: run make first" >&2; exit 1; }
	cmake --install build --prefix "$(PREFIX)"

uninstall:
	@tools/uninstall.sh build/install_manifest.txt

demo: build
	@tools/demo.sh build/cli/moonbow

test: setup
	@tools/tests.sh quick

test-all:
	@tools/install_packages.sh all
	@tools/tests.sh all

analyse:
	@tools/install_packages.sh all
	@tools/analyse.sh

fuzz-coverage: setup
	@tools/fuzz_coverage.sh

# The documentation as a site: build/docs/html/docs/index.html.
docs:
	@tools/install_packages.sh docs
	@tools/build_docs.sh

# docs/figures/ from bench/results/, for whoever has new results to commit.
figures: build docs
	build/docs/python/bin/python bench/plot.py build/cli/moonbow

# All simulations, proofs, synthesis and layout of the signing core: many hours.
hardware: build
	@tools/install_packages.sh hardware
	@hardware/rainbow_core/everything.sh

format:
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-*
