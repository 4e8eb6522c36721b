/* renames.c: rename rules of the user for names of the baseline. */
#include "match/renames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/regex/regex_engine.h"
#include "base/regex/regexes.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* Limits: work of one match, matches that may exceed it before the rules are abandoned, and total
 * bytes of new names. */
enum { STEPS_MOST = 20000, GIVE_UPS_MOST = 100, BYTES_MOST = 256 << 20 };

struct rename_rule {
    struct regex_engine regex;
    char *template, *text; /* heap; text: as given */
    bool is_applied;       /* applied to the last name */
    uint32_t n_pairs, n_mixed; /* n_mixed: pairs of different types */
};

struct renames {
    VEC(struct rename_rule) rules;
    struct regex_matcher *matcher;
    struct strbuf scratch;
    unsigned n_too_much;
    size_t n_bytes;  /* of all new names so far */
    struct err *err; /* set while rules are parsed; reset to NULL by the first error */
};

static void add_rule(const char *item, size_t len, size_t offset UNUSED, void *arg)
{
    struct renames *r = arg;
    const char *equals = memrchr(item, '=', len);
    struct rename_rule rule = {.template = NULL};
    struct strbuf reason = {0};
    size_t at = 0;

    if (!r->err)
        return;
    if (!equals || equals == item) {
        err_set(r->err, ERR_USAGE, "-rename: '%s' is not REGEX=TEMPLATE", item);
        r->err = NULL;
    } else if (!regex_engine_init(&rule.regex, item, (size_t)(equals - item),
                                  REGEX_OPEN_START | REGEX_OPEN_END, &reason, &at)) {
        err_set(r->err, ERR_USAGE, "-rename, column %zu: %s in '%s'", at + 1, sb_text(&reason), item);
        r->err = NULL;
    } else {
        rule.text = xmemdupz(item, len);
        rule.template = xmemdupz(equals + 1, len - (size_t)(equals + 1 - item));
        vec_push(&r->rules, rule);
    }
    sb_done(&reason);
}

struct renames *renames_new(const char *list, struct err *err)
{
    struct renames *r = xcalloc(1, sizeof *r);
    bool ok;

    r->err = err;
    r->matcher = regex_matcher_new();
    regexes_split(list, add_rule, r);
    ok = r->err != NULL;
    r->err = NULL;
    if (ok)
        return r;
    renames_free(r);
    return NULL;
}

void renames_free(struct renames *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->rules.n; i++) {
        regex_engine_done(&r->rules.data[i].regex);
        EACH(free, r->rules.data[i].template, r->rules.data[i].text);
    }
    vec_done(&r->rules);
    regex_matcher_free(r->matcher);
    sb_done(&r->scratch);
    free(r);
}

/* Applies a rule to *NAME, which on a match becomes the text of TO (one of two buffers in turn). */
static bool apply_rule(struct renames *r, struct rename_rule *rule, struct text *name,
                       struct strbuf *to)
{
    const enum regex_answer answer =
        regex_engine_replace(&rule->regex, name, rule->template, STEPS_MOST, r->matcher, to);

    rule->is_applied = answer == REGEX_YES;
    r->n_too_much += answer == REGEX_TOO_MUCH;
    if (!rule->is_applied)
        return false;
    r->n_bytes += to->len;
    if (r->n_bytes > BYTES_MOST)
        r->n_too_much = GIVE_UPS_MOST;
    *name = (struct text){sb_text(to), (uint32_t)to->len};
    return true;
}

bool renames_apply(struct renames *r, struct text name, struct strbuf *to)
{
    struct strbuf *next = &r->scratch, *last = to;
    bool any = false;

    for (size_t i = 0; i < r->rules.n; i++)
        r->rules.data[i].is_applied = false;
    for (size_t i = 0; i < r->rules.n && r->n_too_much < GIVE_UPS_MOST; i++)
        if (apply_rule(r, &r->rules.data[i], &name, next)) {
            struct strbuf *swap = last;

            last = next;
            next = swap;
            any = true;
        }
    if (any && last != to) {
        sb_clear(to);
        sb_add(to, sb_text(last), last->len);
    }
    return any;
}

void renames_count_pair(struct renames *r, bool types_differ)
{
    for (size_t i = 0; i < r->rules.n; i++) {
        r->rules.data[i].n_pairs += r->rules.data[i].is_applied;
        r->rules.data[i].n_mixed += r->rules.data[i].is_applied && types_differ;
    }
}

void renames_restart(struct renames *r)
{
    for (size_t i = 0; i < r->rules.n; i++)
        r->rules.data[i].n_pairs = r->rules.data[i].n_mixed = 0;
    r->n_bytes = 0;
    r->n_too_much = 0;
}

void renames_note(const struct renames *r, struct notes *notes)
{
    for (size_t i = 0; r && i < r->rules.n; i++) {
        const struct rename_rule *rule = &r->rules.data[i];

        if (!rule->n_pairs)
            note_add(notes, "-rename: \"%s\" matches nothing", rule->text);
        else if (rule->n_mixed)
            note_add(notes, "-rename: \"%s\" made %" PRIu32 " pair%s (%" PRIu32 " of them between different types)",
                     rule->text, rule->n_pairs, rule->n_pairs == 1 ? "" : "s", rule->n_mixed);
        else
            note_add(notes, "-rename: \"%s\" made %" PRIu32 " pair%s", rule->text, rule->n_pairs,
                     rule->n_pairs == 1 ? "" : "s");
    }
    if (!r || !r->n_too_much)
        return;
    notes->is_undecided = true;
    note_add(notes, "-rename: the regexes exceed the work limit on %s names, which are not changed",
             r->n_too_much < GIVE_UPS_MOST ? "some" : "most");
}
