/* memory_rule.c: rules about the memory of allocators. */
#include "session/check/memory_rule.h"

#include <inttypes.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/format.h"
#include "model/memory_records.h"

static const char *const names[MEMORY_FIGURES] = {
    [MEMORY_START] = "start",       [MEMORY_PEAK] = "peak",     [MEMORY_END] = "end",
    [MEMORY_RESERVED] = "reserved", [MEMORY_CACHED] = "cached", [MEMORY_FRAGMENTED] = "fragmented",
};

static bool read_figure(struct memory_rule *rule, const char *word, struct err *err)
{
    struct strbuf list = {0};

    for (int i = MEMORY_START; i < MEMORY_FIGURES; i++) {
        if (strcmp(names[i], word) == 0)
            rule->figure = (enum memory_figure)i;
        sb_addf(&list, "%s%s", i > MEMORY_START ? ", " : "", names[i]);
    }
    if (rule->figure == MEMORY_NO_FIGURE)
        err_set(err, ERR_USAGE, "'%s' is not one of %s", word, sb_text(&list));
    sb_done(&list);
    return rule->figure != MEMORY_NO_FIGURE;
}

bool memory_rule_read(struct memory_rule *rule, const char *const *words, size_t n, struct err *err)
{
    if (n != 3)
        return err_set(err, ERR_USAGE, "use `memory FIELD RELATION LIMIT`: memory peak <= 30GB");
    if (!read_figure(rule, words[0], err) ||
        !limit_read(&rule->limit, METRIC_PEAK_BYTES, words[1], words[2], err))
        return false;
    return !rule->limit.is_percent || err_set(err, ERR_USAGE, "'%s' is not a number of bytes", words[2]);
}

static void append_worst(struct strbuf *message, const struct memory_rule *rule, const struct profile *p,
                         const struct memory_allocator *a)
{
    sb_addf(message, "%s ", names[rule->figure]);
    format_value(message, UNIT_BYTES, memory_figure(a, rule->figure));
    sb_adds(message, " of ");
    sb_add(message, profile_text(p, a->device), intern_len(&p->strings, a->device));
    if (a->name != STRID_EMPTY && a->name != a->device) {
        sb_adds(message, " ");
        sb_add(message, profile_text(p, a->name), intern_len(&p->strings, a->name));
    }
    if (a->has_no_addresses)
        sb_addf(message, " in step %" PRId64, a->step);
}

void memory_rule_check(struct check_item *item, const struct memory_rule *rule,
                       const struct profile *p, int64_t step, struct strbuf *message)
{
    const struct memory_log *log = profile_memory(p);
    const struct memory_allocator *worst = NULL;
    double most = 0;

    item->state = CHECK_HELD;
    for (size_t i = 0; log && i < log->allocators.n; i++) {
        const struct memory_allocator *a = &log->allocators.data[i];
        const int64_t bytes = memory_figure(a, rule->figure);
        const struct delta d = delta_between(0, bytes);
        double excess;

        if (bytes == INT64_MIN || (a->has_no_addresses && step >= 0 && a->step != step))
            continue;
        excess = limit_excess(&rule->limit, d, false);
        if (!limit_holds(&rule->limit, d, false))
            item->state = CHECK_BROKEN;
        if (!worst || excess > most) {
            worst = a;
            most = excess;
        }
    }
    if (worst) {
        append_worst(message, rule, p, worst);
        item->row = xmemdupz(profile_text(p, worst->device), intern_len(&p->strings, worst->device));
        item->value = (double)memory_figure(worst, rule->figure);
        item->limit = rule->limit.value;
        return;
    }
    item->state = CHECK_ERROR;
    sb_addf(message, log ? "'%s' is unknown for all allocators" : "no allocation records in this input",
            names[rule->figure]);
}
