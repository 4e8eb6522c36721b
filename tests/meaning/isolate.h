/* isolate.h: runs each case in its own process, so that a crash ends only that case. */
#ifndef TFPROF_TESTS_MEANING_ISOLATE_H
#define TFPROF_TESTS_MEANING_ISOLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "meaning/case_tree.h"

/* What is done with a case. */
enum mode_kind { MODE_VIEWS, MODE_KEYS };

struct case_mode {
    enum mode_kind kind;
    unsigned n_keys; /* of MODE_KEYS; fewer are the first ones of more */
};

/* What a process left behind. */
struct outcome {
    bool failed;
    uint64_t number;     /* of the case that it ended at */
    uint64_t n_loaded;    /* cases before it that were not refused */
    struct strbuf cause;   /* one line that stays the same while a case is made smaller */
    struct strbuf errors; /* all that it wrote to standard error */
};

void outcome_done(struct outcome *o);

/* Runs cases FIRST, FIRST + STEP ... below END in one process, up to the first bad one. */
struct outcome isolated_run(const struct case_mode *mode, uint64_t first, uint64_t end, uint64_t step);
/* Runs T alone, with the keys of case NUMBER. */
struct outcome isolated_run_one(const struct case_mode *mode, const struct case_tree *t, uint64_t number);

/* Makes T smaller, and MODE shorter, as long as it ends as FOUND did. */
void shrink(struct case_mode *mode, struct case_tree *t, const struct outcome *found);

#endif
