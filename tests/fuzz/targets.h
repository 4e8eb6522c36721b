/* targets.h: functions that feed arbitrary bytes to every reader.  A target returns for all inputs;
 * it aborts (or a sanitizer does) when an invariant is violated. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "scratch.h"

struct fuzz_target {
    const char *name; /* also the name of its folder in tests/fuzz/corpus and of its seeds */
    void (*run)(const uint8_t *bytes, size_t size);
};

extern const struct fuzz_target fuzz_targets[];
extern const size_t fuzz_targets_n;

/* The target named NAME, or NULL. */
const struct fuzz_target *fuzz_target_find(const char *name);

/* One for each file target_NAME.c, documented there. */
void target_graph(const uint8_t *bytes, size_t size);
void target_digest(const uint8_t *bytes, size_t size);
void target_op_log(const uint8_t *bytes, size_t size);
void target_run_meta(const uint8_t *bytes, size_t size);
void target_profile(const uint8_t *bytes, size_t size);
void target_file(const uint8_t *bytes, size_t size);
void target_attrs(const uint8_t *bytes, size_t size);
void target_checkpoint(const uint8_t *bytes, size_t size);
void target_gzip(const uint8_t *bytes, size_t size);
void target_hlo(const uint8_t *bytes, size_t size);
void target_keys(const uint8_t *bytes, size_t size);
void target_line(const uint8_t *bytes, size_t size);
void target_regexes(const uint8_t *bytes, size_t size);
void target_replay(const uint8_t *bytes, size_t size);
void target_screen(const uint8_t *bytes, size_t size);
void target_settings(const uint8_t *bytes, size_t size);
void target_text(const uint8_t *bytes, size_t size);
void target_views(const uint8_t *bytes, size_t size);
