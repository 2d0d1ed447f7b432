// The process's handler of SIGBUS and the maps that it mends.
//
// In C, since a signal handler must not run code that may take a lock or ask for memory. No header of
// the system is included here: what it declares would pass for a part of this module in Swift.
#ifndef BUSGUARD_H
#define BUSGUARD_H

#include <stddef.h>
#include <stdint.h>

// Installs the handler in front of the one that is there: 0 or an error number. To be called once.
int busguard_install(void);

// Registers a map: its place in the table, or -1 when that is full.
int32_t busguard_add(const void *base, size_t length);

// Frees a place; before the map goes, whose addresses may be another one's afterwards.
void busguard_remove(int32_t place);

// Where bytes were missing first, counted from the start of the map; -1 if none ever was.
intptr_t busguard_lost(int32_t place);

// Says that bytes are missing from an offset on, unless that is known already.
void busguard_set_lost(int32_t place, intptr_t offset);

#endif
