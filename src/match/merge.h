/* merge.h: builds the profile with the nodes of two profiles; private to match/. */
#pragma once

#include "match/frames.h"
#include "match/pairs.h"

/* BASE_FRAMES and NOW_FRAMES: paired (frames_pair()). Returns the member `merged` of struct comparison, and in heap arrays the ids of each side by
 * merged id. Borrows from both profiles. */
struct profile *merge_profiles(const struct pairs *pairs, const struct frames *base_frames,
                               const struct frames *now_frames, node_id **now_of, node_id **base_of);
void merge_free(struct profile *merged); /* accepts NULL */
