/* isolate.h: runs each case in a child process, so that a crash ends only that case. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "meaning/case_tree.h"

/* What is done with a case. */
enum mode_kind { MODE_VIEWS, MODE_KEYS };

struct case_mode {
    enum mode_kind kind;
    unsigned n_keys; /* for MODE_KEYS; a smaller number gives a prefix of the same keys */
};

/* How a process ended. */
struct outcome {
    bool failed;
    uint64_t number;     /* of the case that was running */
    uint64_t n_loaded;    /* cases before it that were loaded, not refused */
    struct strbuf cause;   /* one line, compared while a case is reduced */
    struct strbuf errors; /* everything it wrote to standard error */
};

void outcome_done(struct outcome *o);

/* Runs cases FIRST, FIRST + STEP ... below END in one process until one fails. */
struct outcome isolated_run(const struct case_mode *mode, uint64_t first, uint64_t end, uint64_t step);
/* Runs T alone, with the keys of case NUMBER. */
struct outcome isolated_run_one(const struct case_mode *mode, const struct case_tree *t, uint64_t number);

/* Reduces T, and the number of keys of MODE, as long as the outcome is that of FOUND. */
void shrink(struct case_mode *mode, struct case_tree *t, const struct outcome *found);
