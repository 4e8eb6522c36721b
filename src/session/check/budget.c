/* budget.c: reads files of rules. */
#include "session/check/budget.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "opt/suggest.h"
#include "session/words.h"

/* Larger files are refused. */
enum { FILE_MAX_BYTES = 1 << 20 };

struct reader {
    struct words words;
    size_t at;
    struct err *err;
};

static const char *next_word(struct reader *r)
{
    return r->at < r->words.n ? r->words.items[r->at++] : "";
}

static bool skip_word(struct reader *r, const char *word)
{
    const bool is = r->at < r->words.n && strcmp(r->words.items[r->at], word) == 0;

    r->at += is;
    return is;
}

/* Returns the tree view WORD, or VIEW_ADVISE. */
static enum view_id view_of(const char *word)
{
    enum view_id v = VIEW_SCOPE;

    while (v < VIEW_ADVISE && strcmp(view_names[v], word) != 0)
        v++;
    return v;
}

static bool read_metric(struct reader *r, enum metric_id *metric)
{
    const char *word = next_word(r);
    struct strbuf hint = {0};
    struct suggest near;

    suggest_init(&near, word);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (strcmp(metrics[m].name, word) == 0) {
            *metric = (enum metric_id)m;
            return true;
        }
        suggest_try(&near, metrics[m].name);
    }
    suggest_add(&near, "", &hint);
    err_set(r->err, ERR_USAGE, "'%s' is not a metric%s", word, sb_text(&hint));
    sb_done(&hint);
    return false;
}

static bool read_advice(struct reader *r, struct rule *rule)
{
    const char *word = next_word(r);

    rule->view = VIEW_ADVISE;
    for (size_t i = 0; checkers[i] && !rule->checker; i++)
        if (strcmp(checkers[i]->name, word) == 0)
            rule->checker = checkers[i];
    rule->finding = rule->checker ? NULL : finding_rule_of(word);
    if (rule->checker || rule->finding)
        word = next_word(r);
    return strcmp(word, "none") == 0 ||
           err_set(r->err, ERR_USAGE,
                   "'%s': use `advise none`, `advise CHECKER none` or `advise FINDING none`", word);
}

/* Parses [VIEW PATTERN] FIGURE RELATION LIMIT [when significant]. */
static bool read_figure(struct reader *r, struct rule *rule)
{
    const enum view_id view =
        r->at < r->words.n ? view_of(r->words.items[r->at]) : VIEW_ADVISE;
    enum metric_id metric;
    const char *relation;

    rule->view = view < VIEW_ADVISE ? view : VIEW_SCOPE;
    if (view < VIEW_ADVISE) {
        r->at++;
        rule->pattern = regexes_new(next_word(r), r->err);
        if (!rule->pattern)
            return false;
    }
    if (!read_metric(r, &metric))
        return false;
    relation = next_word(r);
    if (!limit_read(&rule->limit, metric, relation, next_word(r), r->err))
        return false;
    if (rule->limit.is_percent && !rule->is_delta)
        return err_set(r->err, ERR_USAGE, "percentages need a difference: use `delta ...`");
    if (skip_word(r, "when")) {
        rule->when_significant = skip_word(r, "significant");
        if (!rule->when_significant || !rule->is_delta)
            return err_set(r->err, ERR_USAGE, "only `delta ... when significant` is known");
    }
    return true;
}

static bool read_rule(struct reader *r, struct rule *rule)
{
    bool ok;

    rule->device.subject = device_subject_of(r->words.items[0]);
    if (rule->device.subject != SUBJECT_OF_NONE)
        return device_rule_read(&rule->device, (const char *const *)r->words.items + 1,
                                r->words.n - 1, r->err);
    if (strcmp(r->words.items[0], "memory") == 0)
        return memory_rule_read(&rule->memory, (const char *const *)r->words.items + 1,
                                r->words.n - 1, r->err);
    if (skip_word(r, "advise")) {
        ok = read_advice(r, rule);
    } else if (skip_word(r, "delta")) {
        rule->is_delta = true;
        ok = read_figure(r, rule);
    } else if (skip_word(r, "total") || view_of(r->words.items[0]) < VIEW_ADVISE) {
        ok = read_figure(r, rule);
    } else {
        return err_set(r->err, ERR_USAGE,
                       "'%s' is not one of scope, graph, op, code, total, delta, advise, device, step, "
                       "verdict, memory",
                       r->words.items[0]);
    }
    return ok && (r->at == r->words.n ||
                  err_set(r->err, ERR_USAGE, "unexpected word '%s'", r->words.items[r->at]));
}

static void rule_done(struct rule *rule)
{
    regexes_free(rule->pattern);
    free(rule->text);
}

static bool read_line(struct rule_file *budget, const char *line, unsigned number, struct err *err)
{
    struct rule rule = {.line = number};
    struct reader r = {.err = err};
    bool ok = words_split(line, &r.words, err);

    if (ok && r.words.n) {
        ok = read_rule(&r, &rule);
        rule.text = xstrdup(line + strspn(line, " \t\r"));
        if (ok)
            vec_push(&budget->rules, rule);
        else
            rule_done(&rule);
    }
    words_done(&r.words);
    if (!ok)
        err_prefix(err, "%s:%u", budget->file, number);
    return ok;
}

static bool read_lines(struct rule_file *budget, const char *text, size_t len, struct err *err)
{
    const char *const end = text + len;
    unsigned number = 1;

    if (len && memchr(text, '\0', len))
        return err_set(err, ERR_INPUT, "%s: not a text file", budget->file);
    for (const char *at = text; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t bytes = (size_t)((stop ? stop : end) - at);
        char *line;
        bool ok;

        while (bytes && strchr(" \t\r", at[bytes - 1]))
            bytes--;
        line = xmemdupz(at, bytes);
        ok = read_line(budget, line, number, err);
        free(line);
        if (!ok)
            return false;
        at = stop ? stop + 1 : end;
    }
    return budget->rules.n > 0 || err_set(err, ERR_USAGE, "%s: has no rule", budget->file);
}

bool budget_read(struct rule_file *budget, const char *file, struct err *err)
{
    struct source_file source = {0};
    bool ok;

    *budget = (struct rule_file){.file = xstrdup(file)};
    ok = input_read(file, &source, (struct cancel_mark){NULL, 0}, err);
    if (ok) {
        ok = source.size_bytes <= FILE_MAX_BYTES ||
             err_set(err, ERR_INPUT, "%s: too large for a file of rules", file);
        ok = ok && read_lines(budget, (const char *)source.bytes, source.size_bytes, err);
        if (source.release)
            source.release(&source);
    }
    EACH(free, source.path, source.fault);
    if (!ok)
        budget_done(budget);
    return ok;
}

void budget_done(struct rule_file *budget)
{
    for (size_t i = 0; i < budget->rules.n; i++)
        rule_done(&budget->rules.data[i]);
    vec_done(&budget->rules);
    free(budget->file);
    memset(budget, 0, sizeof *budget);
}
