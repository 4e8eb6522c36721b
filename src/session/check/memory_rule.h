/* memory_rule.h: rules about the memory of allocators:
 *
 *     memory peak <= 30GB
 */
#pragma once

#include "activity/memory_failures.h"
#include "export/check_report.h"
#include "model/profile.h"
#include "session/check/limit.h"

/* Zeroed: none. */
struct memory_rule {
    enum memory_figure figure; /* MEMORY_NO_FIGURE: none */
    struct limit limit; /* in bytes */
};

/* Parses the N words after `memory`: FIELD RELATION LIMIT. False with ERR (usage). */
bool memory_rule_read(struct memory_rule *rule, const char *const *words, size_t n, struct err *err);
/* Checks RULE for every allocator of P; of RunMetadata for those of STEP, of all steps if it is
 * negative. Sets the state and the figures of ITEM; appends the figure of the worst allocator to
 * SAID. */
void memory_rule_check(struct check_item *item, const struct memory_rule *rule,
                       const struct profile *p, int64_t step, struct strbuf *message);
