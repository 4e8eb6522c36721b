/* event_pack.h: the encoding of packed events; private to event_pack.c and event_read.c.
 *
 *     varint(zigzag(kind - last kind) << 3 | flags), varint(start - last start), varint(duration)
 *     NEW_STEP: varint(zigzag(step - last step))
 *     HAS_SELF: varint(zigzag(self)); without it self time is the duration
 *     HAS_LINK: varint(zigzag(position - last position) << 1 | other track), [varint(track)]
 *
 * Times are ticks.  The first event of a block is relative to zeros, to the start of the block, and
 * to a link to position 0 of TRACK_NONE, so each block is decoded independently. */
#pragma once

#include "base/varint.h"

enum event_flag { EVENT_NEW_STEP = 1, EVENT_HAS_SELF = 2, EVENT_HAS_LINK = 4, EVENT_FLAG_BITS = 3 };
