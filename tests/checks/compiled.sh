#!/usr/bin/env bash
# What is checked in of compiled kernels is what the CUDA compiler makes of their sources: some forty
# seconds, so that `make test` leaves it to `make test-long`.
. "$(dirname "$0")/../tools/tap.sh"

compiled "the tests' kernels" tests/cuda/make.sh
compiled "the measured kernels" tests/bench/compiled/make.sh
compiled "the kernels of tests/hw" tests/hw/make.sh
done_testing
