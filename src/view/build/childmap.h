/* childmap.h: hash map from parent row and name to child row, used while a tree is built. */
#pragma once

#include "view/build/tree.h"

/* A zeroed map is empty and ready for use; all fields are private. */
struct childmap {
    struct childmap_slot {
        row_id parent;
        strid name;
        row_id row; /* 0: free slot (the root is never a child) */
    } *slots;
    size_t n_slots, n;
};

/* Returns the slot of PARENT's child NAME. *slot is the row, or 0 when the child is new; the caller
 * then sets it. Valid until the next call. */
row_id *childmap_at(struct childmap *m, row_id parent, strid name);
void childmap_done(struct childmap *m);
