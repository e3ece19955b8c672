# Headlight. `make help` lists the targets.
CC ?= cc
BUILD ?= build
PACKAGES := sdl2 SDL2_ttf epoxy openblas lapacke libpng jansson libutf8proc fontconfig
ARCH ?= native
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
ALL_CFLAGS = -std=c11 -D_DEFAULT_SOURCE -march=$(ARCH) $(CFLAGS) $(WARNINGS) -Isrc -I$(BUILD)/gen $(shell pkg-config --cflags $(PACKAGES))
LIBS = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread

CORE := base math text model lab session draw ui views app
EDGE := io gfx export shell
SOURCES := $(wildcard src/*/*.c)
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
MAIN := $(BUILD)/obj/shell/main.o
in_folders = $(foreach f,$(1),$(filter $(BUILD)/obj/$(f)/%,$(OBJECTS)))

all: $(BUILD)/headlight

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libcore.a: $(call in_folders,$(CORE))
	@rm -f $@ && ar rcs $@ $^
$(BUILD)/libedge.a: $(filter-out $(MAIN),$(call in_folders,$(EDGE)))
	@rm -f $@ && ar rcs $@ $^

$(BUILD)/headlight: $(MAIN) $(BUILD)/libedge.a $(BUILD)/libcore.a
	$(CC) $(CFLAGS) $^ $(LIBS) -o $@

-include $(OBJECTS:.o=.d)
