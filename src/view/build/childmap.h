/* childmap.h: the child of a row by its name, while a tree is built. */
#ifndef TFPROF_VIEW_CHILDMAP_H
#define TFPROF_VIEW_CHILDMAP_H

#include "view/build/tree.h"

/* A zeroed map is empty and ready; all fields are private. */
struct childmap {
    struct childmap_slot {
        row_id parent;
        strid name;
        row_id row; /* 0: free, for the root is nobody's child */
    } *slots;
    size_t n_slots, n;
};

/* The slot of PARENT's child NAME: *slot is its row, or 0 when it is new; the
 * caller then sets it.  Valid until the next call. */
row_id *childmap_at(struct childmap *m, row_id parent, strid name);
void childmap_done(struct childmap *m);

#endif
