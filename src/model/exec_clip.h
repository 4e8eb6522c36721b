/* exec_clip.h: the share of packed executions in a time range.  Times are clipped to the range.
 * Figures without a duration count where they begin: runs and their memory belong to the times of
 * their record that begin in the range, proportionally when a record has several, which is exact if
 * each run has one time. */
#ifndef TFPROF_MODEL_EXEC_CLIP_H
#define TFPROF_MODEL_EXEC_CLIP_H

#include "model/exec.h"

enum exec_share { EXEC_OUTSIDE, EXEC_PARTLY, EXEC_INSIDE };

/* How much of the packed record at AT lies in [FROM, TO).  Overwrites SCRATCH. */
enum exec_share exec_share_in(const uint8_t *at, int64_t from_ticks, int64_t to_ticks,
                              struct exec_lists *scratch);
/* Appends that share of the record at AT to PACK.  Overwrites SCRATCH. */
void exec_pack_clip(struct exec_pack *pack, const uint8_t *at, int64_t from_ticks, int64_t to_ticks,
                    struct exec_lists *scratch);
/* The start of the first time with a duration in the record at AT; INT64_MAX: none.  Overwrites
 * SCRATCH. */
int64_t exec_first_start(const uint8_t *at, struct exec_lists *scratch);

#endif
