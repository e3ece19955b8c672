# The program as a web page: build/web/ is a static folder; build/web/headlight-page.html is a single
# file with fewer word vectors and no trained layers. Needs only emscripten. Included by the Makefile.

WEB := $(BUILD)/web
WEB_WORDS := 4000
WEB_SOURCES := $(call in_sources,$(CORE) web) $(addprefix src/export/,shapes.c svg.c svg_cells.c svg_out.c svg_text.c) \
  src/gfx/width_cache.c $(wildcard src/io/architecture*.c src/io/checkpoint*.c src/io/vocabulary*.c) \
  $(addprefix src/io/,bpe_file.c file.c file_map.c float_decode.c json.c npy.c npz_write.c safetensors_read.c \
  tensors.c tensors_write.c weights_file.c weights_npz.c words_file.c)
WEB_OBJECTS := $(WEB_SOURCES:src/%.c=$(BUILD)/web-obj/%.o)
WEB_CFLAGS := -std=c11 -D_GNU_SOURCE=1 -msimd128 -fno-math-errno -ffp-contract=off $(WARNINGS) -Isrc -Isrc/web/lib -I$(BUILD)
# Only arithmetic gains from -O3. ASYNCIFY lets web/pool.c leave a job and return to it. Functions that
# draw or read are never on a job's stack; excluding them from ASYNCIFY makes the page smaller.
WEB_LEVEL = $(if $(filter math/%,$*),-O3,-Os)
# With -O2 or higher, this emscripten parses the page's JavaScript, whose syntax is too new for it.
WEB_LDFLAGS := -O1 --js-library src/web/browser.js --pre-js src/web/page.js -sSINGLE_FILE=1 -sENVIRONMENT=web \
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=2MB -sFORCE_FILESYSTEM=1 -sASSERTIONS=0 \
  -sASYNCIFY=1 -sBINARYEN_EXTRA_PASSES=-O1 \
  -sASYNCIFY_REMOVE='["label_*","chart_*","svg_*","ui_*","formula_*","prose_*","tooltip*","inspector_*","tour_*","json_*","palette_*","hall_*","lecture_*","presenter_*","glossary_*","step_picture*","dropdown*","histogram*","scale_bar*","number_editor*","option_*","state_*","hint*","command*","keymap*","desk_*","detour_*","pen_*","part_*","path_sheet*","axis_*","steps_*"]' \
  -sEXPORTED_FUNCTIONS=_malloc,_free,_json_append --no-entry

.PHONY: web
web: $(WEB)/index.html $(WEB)/headlight-page.html $(WEB)/glove.safetensors $(WEB)/trained/list $(WEB)/headlight.svg ## build the web page build/web/ (needs emscripten)
	@du -c -h $(WEB)/* | sed 's/^/  /'

$(BUILD)/web-obj/%.o: src/%.c src/web/web.mk | $(BUILD)/gen/version.h
	@mkdir -p $(@D)
	$(say) EMCC $<
	$(Q)emcc $(WEB_CFLAGS) $(WEB_LEVEL) -MMD -MP -c $< -o $@

WEB_SENTENCES := src/document/session.h src/app/examples.c $(wildcard assets/tours/*.tour)
$(BUILD)/web-assets/words.safetensors: assets/words/glove.safetensors src/web/words.py $(WEB_SENTENCES)
	@mkdir -p $(@D)
	$(Q)src/web/words.py $< $(WEB_WORDS) $@ $(WEB_SENTENCES)

$(WEB)/headlight.js: $(WEB_OBJECTS) src/web/browser.js src/web/page.js $(BUILD)/web-assets/words.safetensors $(wildcard assets/tours/*.tour)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)emcc $(WEB_LDFLAGS) $(WEB_OBJECTS) --embed-file $(BUILD)/web-assets/words.safetensors@/assets/words.safetensors \
	  --embed-file assets/gpt2/gpt2.safetensors@/assets/gpt2.safetensors --embed-file assets/tours@/assets/tours -o $@

$(WEB)/index.html: src/web/index.html $(WEB)/headlight.js
	@cp $< $@
$(WEB)/%: assets/words/%
	@mkdir -p $(@D) && cp $< $@
$(WEB)/%: .packaging/%
	@mkdir -p $(@D) && cp $< $@
WEB_TRAINED := $(patsubst assets/trained/%,%,$(wildcard assets/trained/*.safetensors assets/trained/*/*.*))
$(WEB)/trained/list: $(addprefix assets/trained/,$(WEB_TRAINED))
	@mkdir -p $(@D) && cd assets/trained && cp --parents $(WEB_TRAINED) $(CURDIR)/$(@D)
	@printf '%s\n' $(WEB_TRAINED) >$@
# Insert the script into the page.
$(WEB)/headlight-page.html: src/web/index.html $(WEB)/headlight.js
	@sed -e '/<script src/{' -e 's/.*/<script>/' -e 'r $(WEB)/headlight.js' -e 'a </script>' -e '}' $< >$@

-include $(WEB_OBJECTS:.o=.d)
