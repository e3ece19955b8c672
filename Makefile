# Headlight. `make help` lists the targets.
#
# The variables a person may set: CC, ARCH (native, or portable as in packages), CFLAGS, LDFLAGS,
# BUILD, PREFIX, DESTDIR, SAN=1 (ASan and UBSan) or SAN=thread (each in a build folder of its own),
# WERROR=-Werror (a warning ends the build, as in .ci/run), V=1 (show whole commands),
# FUZZ_SECONDS, FAULT_PLACES, CRASH_KILLS.

CC ?= cc
AR ?= ar
ARCH ?= native
BUILD ?= build
PREFIX ?= /usr/local
WERROR ?=
FUZZ_SECONDS ?= 20
FAULT_PLACES ?= 40
CRASH_KILLS ?= 1000
SYSTEM := $(shell uname -s)
MACHINE := $(shell uname -m)

# All cores, unless the caller said how many.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
endif
ifneq ($(V),1)
Q := @
endif
say = @printf '  %-5s %s\n'

ifeq ($(SAN),1)
override BUILD := $(BUILD)/san
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZE_OBJECTS = $(BUILD)/tests/sanitize/keep_libraries.o
endif
ifeq ($(SAN),thread)
override BUILD := $(BUILD)/tsan
SANITIZE := -fsanitize=thread -fno-omit-frame-pointer
endif

# ARCH=portable runs on every processor of this kind: what computes is a library, built for each of
# LEVELS too, and glibc's loader takes the one for the processor at hand.
ifeq ($(ARCH),portable)
override ARCH := $(if $(filter x86_64,$(MACHINE)),x86-64,generic)
LEVELS := $(if $(filter x86_64,$(MACHINE)),x86-64-v3 x86-64-v4)
SHARED := 1
endif

# Asked for once, and only when a recipe needs them: after `setup` has installed what is missing.
PACKAGE_CFLAGS = $(eval PACKAGE_CFLAGS := $$(shell .setup/flags --cflags))$(PACKAGE_CFLAGS)
PACKAGE_LIBS = $(eval PACKAGE_LIBS := $$(shell .setup/flags --libs))$(PACKAGE_LIBS)
TEST_LIBS = $(eval TEST_LIBS := $$(shell .setup/flags --test-libs))$(TEST_LIBS)

OPTIMISE := -O2
$(BUILD)/obj/model/%.o $(BUILD)/obj/base/rng.o $(BUILD)/obj/io/float_decode.o: OPTIMISE := -O3 -fno-math-errno
# The same pixels on every processor: no multiplication is fused with an addition.
$(BUILD)/obj/gfx/%.o: OPTIMISE := -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off
$(BUILD)/obj/math/%.o $(addprefix $(BUILD)/obj/model/analysis/,stats.o stats_spread.o): OPTIMISE := -O3 -fno-math-errno -ffp-contract=fast
# On 32-bit x86 floats are computed by SSE2, because x87 registers round differently, and gcc must
# not note for each file that it aligns 64-bit atomics differently than gcc 10 did.
TUNE := $(if $(filter arm64 aarch64,$(MACHINE)),-mcpu,-march)=$(ARCH) $(if $(filter i386 i486 i586 i686,$(MACHINE)),-msse2 -mfpmath=sse -Wno-psabi)
# A double may be divided by a named constant, which is an enumerator.
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-enum-float-conversion $(WERROR)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE=1 -g $(TUNE) $(if $(SHARED),-fPIC -fno-semantic-interposition) $(WARNINGS) $(SANITIZE) -Isrc \
             -I$(BUILD) $(PACKAGE_CFLAGS) $(CFLAGS)
LIBS = $(PACKAGE_LIBS) -lm -lpthread

CORE := base math text model lab document results draw ui views app
EDGE := io gfx export shell
MEMCHECKED := base math text model lab document results io
SOURCES := $(filter-out src/web/%,$(wildcard src/*/*.c src/*/*/*.c))
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
MAIN := $(BUILD)/obj/shell/main.o
in_sources = $(foreach f,$(1),$(wildcard src/$(f)/*.c src/$(f)/*/*.c))
in_folders = $(foreach f,$(1),$(filter $(BUILD)/obj/$(f)/%,$(OBJECTS)))

TEST_SOURCES := $(wildcard tests/*/test_*.c)
TESTS := $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%)
TEST_PROGRAMS := $(patsubst tests/%,$(BUILD)/tests/%tests,$(sort $(dir $(TEST_SOURCES))))
BENCH_SOURCES := $(wildcard tests/bench/*.c)
TEST_HELPERS := $(filter-out $(TEST_SOURCES) $(BENCH_SOURCES) $(wildcard tests/fuzz/*.c tests/sanitize/*.c tests/faults/*.c),$(wildcard tests/*.c tests/*/*.c))
TEST_HELPER_OBJECTS := $(TEST_HELPERS:tests/%.c=$(BUILD)/tests/%.o)
TEST_SCRIPTS := $(wildcard tests/check_*.sh tests/*/test_*.sh tests/test_*.sh)
# The injector is for glibc, and has no place below a sanitizer.
FAULTS := $(if $(filter Linux,$(SYSTEM)$(SAN)),$(BUILD)/tests/faults/run $(BUILD)/tests/faults/window $(BUILD)/tests/faults/inject.so)
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_OBJECTS := $(patsubst src/%.c,$(BUILD)/fuzz/obj/%.o,$(filter-out src/shell/main.c,$(SOURCES)))
FORMATTED := $(wildcard src/*/*.c src/*/*.h src/*/*/*.c src/*/*/*.h tests/*.c tests/*.h tests/*/*.c tests/*/*.h)

.PHONY: all run test random expectations memcheck check tidy analyze bench faults crash fuzz fuzz-coverage golden format clean help setup FORCE
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

all: $(BUILD)/headlight ## build build/headlight (the default)

# `run`, `test` and `golden` may install packages; the others only say which are missing.
setup:
	@.setup/install $(if $(filter run test golden,$(MAKECMDGOALS)),,--check)

# What was compiled with other flags or another compiler is compiled again.
$(BUILD)/flags: FORCE | setup
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CFLAGS) $(LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS) $(LDFLAGS)' >$@

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags | $(BUILD)/gen/version.h
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(OPTIMISE) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# Each shader as an array of characters: a string literal of that length is not portable.
SHADERS := $(wildcard shaders/*.vert shaders/*.frag)
$(BUILD)/gen/shaders.h: $(SHADERS) Makefile
	@mkdir -p $(@D)
	$(say) GEN $@
	$(Q)for file in $(SHADERS); do \
	  printf 'static const char SHADER_%s[] = {\n' "$$(basename $$file | tr .a-z _A-Z)"; \
	  od -An -v -tx1 $$file | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
	  echo '0};'; done >$@
$(BUILD)/obj/gfx/card.o $(BUILD)/fuzz/obj/gfx/card.o: $(BUILD)/gen/shaders.h

$(BUILD)/libcore.a: $(call in_folders,$(CORE))
$(BUILD)/libedge.a: $(filter-out $(MAIN),$(call in_folders,$(EDGE)))
$(BUILD)/libcore.a $(BUILD)/libedge.a:
	$(say) AR $@
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

ifndef SHARED
$(BUILD)/headlight: $(MAIN) $(SANITIZE_OBJECTS) $(BUILD)/libedge.a $(BUILD)/libcore.a
	$(say) LINK $@
	$(Q)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@
else
# What computes numbers and pixels, as a library.
FAST := $(call in_folders,base math text model draw gfx)
LIBRARY := lib/headlight/libheadlight.so
$(BUILD)/headlight: $(filter-out $(FAST),$(OBJECTS)) $(BUILD)/$(LIBRARY) $(LEVELS:%=$(BUILD)/lib/headlight/glibc-hwcaps/%/libheadlight.so)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) -pie $(LDFLAGS) $(filter-out $(FAST),$(OBJECTS)) $(BUILD)/$(LIBRARY) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib/headlight:$$ORIGIN/lib/headlight' $(LIBS) -o $@

$(BUILD)/$(LIBRARY): $(FAST)
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-soname,$(@F),-Bsymbolic,-z,defs $^ $(LIBS) -o $@

$(BUILD)/lib/headlight/glibc-hwcaps/%/libheadlight.so: FORCE
	+$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/$* ARCH=$* SHARED=1 $(BUILD)/$*/$(LIBRARY)
	@mkdir -p $(@D) && { cmp -s $(BUILD)/$*/$(LIBRARY) $@ || cp $(BUILD)/$*/$(LIBRARY) $@; }
endif

run: $(BUILD)/headlight ## install what is missing, build, and open the window
	@if [ $(SYSTEM) = Darwin ] || [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then $(BUILD)/headlight; else \
	  echo "There is no display here, so the default view is drawn to a file instead."; \
	  $(BUILD)/headlight render -o $(BUILD)/headlight.png && echo "See $(BUILD)/headlight.png"; fi

# cmocka 2 deprecates names for which cmocka 1 has no other, and few tests use their state.
TEST_CFLAGS := -Itests -Wno-deprecated-declarations -Wno-unused-parameter
$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(OPTIMISE) $(ALL_CFLAGS) $(TEST_CFLAGS) -MMD -MP -c $< -o $@

# One program for each folder. tests/run starts it once for each of its files.
$(foreach program,$(TEST_PROGRAMS),$(eval $(program): $(filter $(dir $(program))%,$(TESTS:=.o))))
$(TEST_PROGRAMS): $(TEST_HELPER_OBJECTS) $(SANITIZE_OBJECTS) $(BUILD)/libedge.a $(BUILD)/libcore.a
	$(say) LINK $@
	$(Q)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(TEST_LIBS) $(LIBS) -o $@

test: all package-files $(TEST_PROGRAMS) $(FAULTS) ## install what is missing, build, and run all tests (ONLY=word for some)
	@BUILD=$(BUILD) ONLY='$(ONLY)' tests/run $(TEST_SCRIPTS) $(TESTS)

$(BUILD)/tests/faults/inject.so: tests/faults/inject.c $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 $(ALL_CFLAGS) -fPIC -shared $< -o $@
$(BUILD)/tests/faults/run: %: %.o
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

$(BUILD)/tests/faults/window: %: %.o $(BUILD)/libedge.a $(BUILD)/libcore.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

faults: all $(FAULTS) ## fail each call of the C library in turn, FAULT_PLACES of each kind
	@nice $(BUILD)/tests/faults/run $(BUILD)/headlight $(BUILD)/tests/faults/inject.so $(FAULT_PLACES)

crash: all $(BUILD)/tests/shell/tests ## kill the program CRASH_KILLS times while it saves and exports
	@TEST_SECONDS=3600 BUILD=$(BUILD) CRASH_KILLS=$(CRASH_KILLS) tests/run $(BUILD)/tests/shell/test_crash

random: ## 100,000 random input events under ASan and UBSan (TEST_SEED=n for others)
	@TEST_EVENTS=100000 TEST_SECONDS=3600 $(MAKE) --no-print-directory test SAN=1 ONLY=app_random

expectations: ## hold every expectation of every scheme against 200 draws (some minutes)
	@TEST_DRAWS=200 TEST_SECONDS=3600 $(MAKE) --no-print-directory test ONLY=test_expectations

# valgrind 3.19 does not know AVX-512.
memcheck: ## run the tests of the folders that draw nothing under valgrind (some hours)
	@TEST_SECONDS=14400 EMULATOR='valgrind --quiet --error-exitcode=99' $(MAKE) --no-print-directory \
	  test BUILD=$(BUILD)/memcheck $(if $(filter x86_64,$(MACHINE)),ARCH=x86-64-v3) \
	  ONLY='$(MEMCHECKED:%=tests/%/)'

check: all package-files ## clang's warnings, clang-format, clang-tidy, cppcheck, the layers, the package's files: those installed
	+@BUILD=$(BUILD) MAKE='$(MAKE)' tests/check_style $(FORMATTED)

# What was found clean is looked at again once it, or what it includes, is another: once its object is.
TIDY_SOURCES := $(SOURCES) $(TEST_SOURCES) $(TEST_HELPERS) $(BENCH_SOURCES)
TIDY_FLAGS = $(filter-out -Werror,$(ALL_CFLAGS)) -Itests
tidy: $(TIDY_SOURCES:%.c=$(BUILD)/tidy/%)
$(BUILD)/tidy/src/%: $(BUILD)/obj/%.o .clang-tidy
	$(say) TIDY src/$*.c
	@mkdir -p $(@D) && clang-tidy --quiet src/$*.c -- $(TIDY_FLAGS) 2>/dev/null && touch $@
$(BUILD)/tidy/tests/%: $(BUILD)/tests/%.o .clang-tidy tests/.clang-tidy
	$(say) TIDY tests/$*.c
	@mkdir -p $(@D) && clang-tidy --quiet tests/$*.c -- $(TIDY_FLAGS) 2>/dev/null && touch $@

# Checks the code that reads files and text with gcc's analyzer. Three of its checks are off, because
# they do not understand counted owners and results that a true return value promises.
analyze: $(patsubst src/%.c,$(BUILD)/analyze/%,$(wildcard $(addprefix src/,$(addsuffix /*.c,document io shell text)))) ## gcc's -fanalyzer over document, io, shell and text
$(BUILD)/analyze/%: $(BUILD)/obj/%.o
	$(say) ANALYZE src/$*.c
	@mkdir -p $(@D)
	$(Q)gcc -O1 $(ALL_CFLAGS) -Werror -fanalyzer -Wno-analyzer-malloc-leak \
	  -Wno-analyzer-null-argument -Wno-analyzer-use-of-uninitialized-value -c src/$*.c -o $@

# The program with a longer table of timings.
$(BUILD)/tests/bench/headlight: $(MAIN) $(BENCH_SOURCES:tests/%.c=$(BUILD)/tests/%.o) $(SANITIZE_OBJECTS) $(BUILD)/libedge.a $(BUILD)/libcore.a
	$(say) LINK $@
	$(Q)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

bench: all $(BUILD)/tests/bench/headlight ## time both passes, a seed of the study and a frame at several sizes
	@BUILD=$(BUILD) tests/bench/run

# The files that read bytes from outside, and SVG's escapes: their comparisons are traced and their
# lines counted, which elsewhere only takes time. base/ is called too often to be traced.
PARSERS := app/keymap base/number base/option base/pairs base/picture_state base/utf8 \
           document/document document/edge_set document/hand_set document/state document/tour \
           document/tour_read document/weights document/weights_fit export/svg_out io/architecture \
           io/bpe_file io/checkpoint_attention io/checkpoint_block io/checkpoint_check \
           io/checkpoint_files io/checkpoint_layer io/checkpoint_model io/float_decode io/json io/npy \
           io/safetensors_read io/vocabulary_file io/vocabulary_model io/vocabulary_steps io/weights_file io/weights_npz \
           io/words_file text/display \
           text/grapheme text/pieces text/steps text/tokenizer text/vocabulary \
           text/vocabulary_models text/words ui/formula
FUZZING := -O2 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
counting = $(if $(filter $(PARSERS),$*),-fprofile-instr-generate -fcoverage-mapping) \
           $(if $(filter-out base/%,$(filter $(PARSERS),$*)),,-fno-sanitize-coverage=trace-cmp)
$(BUILD)/fuzz/flags: FORCE | setup
	@mkdir -p $(@D)
	@echo '$(ALL_CFLAGS) $(FUZZING) $(PARSERS)' | cmp -s - $@ || echo '$(ALL_CFLAGS) $(FUZZING) $(PARSERS)' >$@

$(BUILD)/fuzz/obj/%.o: src/%.c $(BUILD)/fuzz/flags | $(BUILD)/gen/version.h
	@mkdir -p $(@D)
	$(say) FUZZ $<
	$(Q)clang $(ALL_CFLAGS) $(FUZZING) $(counting) -MMD -MP -c $< -o $@

# An archive, so that a target has only what it runs: after each run all counters are read.
$(BUILD)/fuzz/all.a: $(FUZZ_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(FUZZERS): $(BUILD)/fuzz/%: tests/fuzz/%.c $(wildcard tests/fuzz/*.h) $(BUILD)/fuzz/all.a
	$(say) LINK $@
	$(Q)clang $(ALL_CFLAGS) -Itests $(FUZZING) $(counting) -fsanitize=fuzzer -fprofile-instr-generate \
	  $(filter %.c %.a,$^) $(LIBS) -o $@

fuzz: $(FUZZERS) ## run each fuzz target for FUZZ_SECONDS seconds (needs clang)
	@tests/fuzz/run $(FUZZ_SECONDS) $(FUZZERS)

fuzz-coverage: fuzz ## and print how many lines of each parser they ran; 90 % is the least
	@tests/fuzz/coverage '$(PARSERS:%=src/%.c)' $(FUZZERS)

golden: all $(TEST_PROGRAMS) ## write the golden files anew, to be reviewed as a diff
	@HEADLIGHT_GOLDEN=write BUILD=$(BUILD) tests/run $(TESTS)
	@git --no-pager diff --stat -- tests/golden 2>/dev/null || true

format: ## lay out every source with clang-format
	clang-format -i $(FORMATTED)

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## list the targets
	@echo 'Targets:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile .packaging/package.mk src/web/web.mk
	@echo 'With SAN=1 (ASan and UBSan) or SAN=thread, CC=clang, ARCH=x86-64-v3, BUILD=folder, V=1 (whole commands).'

include .packaging/package.mk src/web/web.mk
-include $(OBJECTS:.o=.d) $(FUZZ_OBJECTS:.o=.d) $(TESTS:=.d) $(TEST_HELPER_OBJECTS:.o=.d) $(BENCH_SOURCES:tests/%.c=$(BUILD)/tests/%.d) $(BUILD)/tests/faults/run.d $(BUILD)/tests/faults/window.d
