# Installing: the command, the libraries, the header, the pkg-config file; and their tests.
#
# What is installed needs no Swift: the runtime is linked into the command and the libraries.
# The archive holds one object: all of Limelight with the Swift runtime and, where its archive is there,
# liblz4; only the functions of the header are visible. The shared library is that object linked. The
# package's products LimelightShared and limelight are the same code, linked for development.

PREFIX ?= /usr/local
DESTDIR ?=
VERSION := $(shell awk '/^.define LIME_VERSION / { printf "%d.%d.%d", $$3 / 1000000, $$3 / 1000 % 1000, $$3 % 1000 }' include/limelight.h)
ABI = 1
STAGE = build/install
BUILD ?= .build
SWIFT_STATIC = $(shell dirname "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")")/lib/swift_static/linux
LIBRARY_OBJECTS = $(BUILD)/release/LimelightShared.product/Objects.LinkFileList
COMMAND_OBJECTS = $(BUILD)/release/limelight.product/Objects.LinkFileList
LZ4_ARCHIVE = $(shell $(CC) -print-file-name=liblz4.a | grep /)
LZ4_LIBRARY = $(if $(LZ4_ARCHIVE),,-llz4)
RUNTIME = $(SWIFT_STATIC)/$(shell uname -m)/swiftrt.o -Wl,--start-group \
  $(addprefix $(SWIFT_STATIC)/,libswiftCore.a libswiftSynchronization.a libswiftGlibc.a) $(LZ4_ARCHIVE) \
  -Wl,--end-group
SHARED = liblimelight.so.$(ABI).$(VERSION)

.PHONY: library install uninstall test-c

library: ## build the shared library and the archive: build/install
	$(SWIFT) build -c release --scratch-path $(BUILD) --product LimelightShared
	@mkdir -p $(STAGE)
	$(CC) -E -P include/limelight.h | grep -oE '\blime_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u > $(STAGE)/functions
	$(CC) -r -nostdlib -o $(STAGE)/all.o @$(LIBRARY_OBJECTS) $(RUNTIME)
	objcopy --keep-global-symbols=$(STAGE)/functions --strip-debug $(STAGE)/all.o $(STAGE)/limelight.o
	@rm -f $(STAGE)/all.o $(STAGE)/liblimelight.a
	$(AR) rcs $(STAGE)/liblimelight.a $(STAGE)/limelight.o
	$(CC) -shared -o $(STAGE)/$(SHARED) $(STAGE)/limelight.o -s \
	  -Wl,-soname,liblimelight.so.$(ABI),--version-script=include/exports.map,-z,nodelete,--gc-sections,--no-undefined \
	  $(LZ4_LIBRARY) -lstdc++ -lm
	@ln -sfn $(SHARED) $(STAGE)/liblimelight.so.$(ABI)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
	  'Name: limelight' 'Description: Embeddable search engine: items in, ranked answers out' \
	  'Version: $(VERSION)' 'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -llimelight' \
	  'Libs.private: $(LZ4_LIBRARY) -lstdc++ -lm -ldl -lpthread' > $(STAGE)/limelight.pc

install: library ## install command, libraries, header and limelight.pc under PREFIX (/usr/local)
	$(SWIFT) build -c release --scratch-path $(BUILD) --product limelight
	$(CC) -o $(STAGE)/limelight @$(COMMAND_OBJECTS) $(RUNTIME) -s \
	  -Wl,--gc-sections,--defsym=main=LimelightCommand_main $(LZ4_LIBRARY) -lstdc++ -lm
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 755 $(STAGE)/limelight $(DESTDIR)$(PREFIX)/bin/limelight
	install -m 644 include/limelight.h $(DESTDIR)$(PREFIX)/include
	install -m 755 $(STAGE)/$(SHARED) $(DESTDIR)$(PREFIX)/lib
	ln -sfn $(SHARED) $(DESTDIR)$(PREFIX)/lib/liblimelight.so.$(ABI)
	ln -sfn liblimelight.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/liblimelight.so
	install -m 644 $(STAGE)/liblimelight.a $(DESTDIR)$(PREFIX)/lib
	install -m 644 $(STAGE)/limelight.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig

uninstall: ## take away what install has put under PREFIX
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/limelight include/limelight.h lib/liblimelight.a \
	  lib/liblimelight.so lib/liblimelight.so.$(ABI) lib/$(SHARED) lib/pkgconfig/limelight.pc)

test-c: ## build and install the libraries, then test them from C and C++
	@$(MAKE) --no-print-directory install PREFIX=$(CURDIR)/build/c-tests/prefix DESTDIR=
	Tests/CTests/run.sh build/c-tests/prefix build/c-tests
