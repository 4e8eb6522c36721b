/* exec_clip.h: what of packed executions lies in a stretch of time.
 *
 * Of a time that is partly in it counts that part.  What has no length counts where it begins: runs
 * and their memory go with the times of their record that begin in the stretch, in proportion when
 * one record has several, which is exact where each run is one time. */
#ifndef TFPROF_MODEL_EXEC_CLIP_H
#define TFPROF_MODEL_EXEC_CLIP_H

#include "model/exec.h"

enum exec_share { EXEC_OUTSIDE, EXEC_PARTLY, EXEC_INSIDE };

/* How much of the packed record at AT lies in [FROM, TO).  SCRATCH is overwritten. */
enum exec_share exec_share_in(const uint8_t *at, int64_t from_ticks, int64_t to_ticks,
                              struct exec_lists *scratch);
/* Appends to PACK that part of the record at AT; SCRATCH is overwritten. */
void exec_pack_clip(struct exec_pack *pack, const uint8_t *at, int64_t from_ticks, int64_t to_ticks,
                    struct exec_lists *scratch);
/* When the first time of the record at AT that has a length begins; INT64_MAX: none has.  SCRATCH is
 * overwritten. */
int64_t exec_first_start(const uint8_t *at, struct exec_lists *scratch);

#endif
