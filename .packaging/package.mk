# Installing, the tarball, and what a package has beside the program. Included by the Makefile.

VERSION = $(eval VERSION := $$(shell .packaging/version))$(VERSION)
PACKAGE := $(BUILD)/package
INSTALL = +@BUILD='$(BUILD)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' .packaging/install

.PHONY: install install-strip uninstall dist package-files portable deb bundle

# Written only if it is another, so that few objects are compiled again.
$(BUILD)/gen/version.h: FORCE
	@mkdir -p $(@D)
	@echo '#define HEADLIGHT_VERSION "$(VERSION)"' | cmp -s - $@ || echo '#define HEADLIGHT_VERSION "$(VERSION)"' >$@

$(PACKAGE)/headlight.1: $(BUILD)/headlight .packaging/man assets/doc/command-line.md
	@mkdir -p $(@D)
	$(say) GEN $@
	$(Q).packaging/man '$(EMULATOR) $(BUILD)/headlight' >$@

# The date is that of the last commit, or today's in a tarball.
$(PACKAGE)/headlight.metainfo.xml: .packaging/headlight.metainfo.xml.in $(BUILD)/gen/version.h
	@mkdir -p $(@D)
	$(Q)date=$$(git log -1 --format=%cs 2>/dev/null || date -u +%Y-%m-%d); \
	sed "s/@VERSION@/$(VERSION)/; s/@DATE@/$$date/" $< >$@

# By whichever program is there that draws SVG; without one the icon is the SVG alone.
$(PACKAGE)/%.png: .packaging/headlight.svg
	@mkdir -p $(@D)
	$(Q)rsvg-convert -w $* -h $* $< -o $@ 2>/dev/null || inkscape -w $* -h $* $< -o $@ 2>/dev/null || \
	magick -background none $< -resize $*x$* $@ 2>/dev/null || rm -f $@

package-files: $(PACKAGE)/headlight.1 $(PACKAGE)/headlight.metainfo.xml $(PACKAGE)/48.png $(PACKAGE)/256.png

install: all package-files ## install under $(DESTDIR)$(PREFIX)
	$(INSTALL)

install-strip: all package-files ## install without symbols
	$(INSTALL) --strip

uninstall: ## delete what install has put there
	$(INSTALL) --remove

dist: ## pack the last commit as build/headlight-VERSION.tar.xz
	@mkdir -p $(BUILD)/dist
	@echo '$(VERSION)' >$(BUILD)/dist/.version
	$(Q)git archive --prefix='headlight-$(VERSION)/' --add-file=$(BUILD)/dist/.version HEAD | xz >'$(BUILD)/headlight-$(VERSION).tar.xz'
	@rm -r $(BUILD)/dist
	@echo 'See $(BUILD)/headlight-$(VERSION).tar.xz'

# What is given to others: for every processor of this kind, and hardened.
HARDEN := -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
PORTABLE := $(BUILD)/portable
portable:
	+$(Q)$(MAKE) --no-print-directory BUILD=$(PORTABLE) ARCH=portable \
	  CFLAGS='$(HARDEN) $(CFLAGS)' LDFLAGS='-Wl,-z,relro,-z,now $(LDFLAGS)' all package-files

deb: portable ## pack headlight and headlight-data for Debian as build/*.deb
	@BUILD=$(PORTABLE) .packaging/deb '$(VERSION)' $(BUILD)

bundle: portable ## pack a folder that runs without installing, as build/*.tar.xz
	@BUILD=$(PORTABLE) .packaging/bundle '$(VERSION)' $(BUILD)
