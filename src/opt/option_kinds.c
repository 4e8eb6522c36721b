/* option_kinds.c: converts option values from and to text, for each kind. */
#include "opt/option_kinds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/regex/regexes.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "opt/suggest.h"
#include "opt/time_range.h"

/* ---- whole numbers */

static bool read_word(const struct option *opt, const char *value, int64_t *to)
{
    for (const struct option_word *w = opt->words; w && w->word; w++)
        if (strcmp(w->word, value) == 0) {
            *to = w->value;
            return true;
        }
    return false;
}

/* Appends the word for VALUE; false when there is none. */
static bool print_word(struct strbuf *sb, const struct option *opt, int64_t value)
{
    for (const struct option_word *w = opt->words; w && w->word; w++)
        if (w->value == value) {
            sb_adds(sb, w->word);
            return true;
        }
    return false;
}

static bool read_int(const struct option *opt, const char *value, void *to, struct err *err)
{
    const char *digits = value + (*value == '-' || *value == '+');
    long long n;

    if (read_word(opt, value, to))
        return true;
    if (!*digits || digits[strspn(digits, "0123456789")])
        return err_set(err, ERR_USAGE, "-%s: '%s' is not a whole number", opt->name, value);
    errno = 0;
    n = strtoll(value, NULL, 10);
    if (errno || n < opt->min || n > opt->max)
        return err_set(err, ERR_USAGE, "-%s: %s is not between %" PRId64 " and %" PRId64,
                       opt->name, value, opt->min, opt->max);
    *(int64_t *)to = n;
    return true;
}

static void print_int(struct strbuf *sb, const struct option *opt, const void *from)
{
    const int64_t value = *(const int64_t *)from;

    if (!print_word(sb, opt, value))
        sb_addf(sb, "%" PRId64, value);
}

/* ---- steps */

/* Names of marks contain a blank ("train 3"); numbers and words do not. */
static bool read_step(const struct option *opt, const char *value, void *to, struct err *err)
{
    struct step_option *step = to;
    const size_t len = strlen(value);

    *step = (struct step_option){.number = STEP_NAMED};
    if (!strchr(value, ' '))
        return read_int(opt, value, &step->number, err);
    if (len >= sizeof step->name)
        return err_set(err, ERR_USAGE, "-%s: a step name has at most %zu bytes", opt->name,
                       sizeof step->name - 1);
    memcpy(step->name, value, len);
    return true;
}

static void print_step(struct strbuf *sb, const struct option *opt, const void *from)
{
    const struct step_option *step = from;

    if (step->number == STEP_NAMED)
        sb_adds(sb, step->name);
    else
        print_int(sb, opt, &step->number);
}

/* ---- rates: 312T, 1.5TB/s */

/* Powers of 1000; E suffices for 64 bits. */
static const char rate_prefixes[] = "kMGTPE";

/* True when REST, what follows the digits of a rate, is an optional prefix and an optional unit. */
static bool read_rate_unit(const struct option *opt, const char *rest, int *n_thousands)
{
    const char *prefix = *rest ? strchr(rate_prefixes, *rest == 'K' ? 'k' : *rest) : NULL;

    *n_thousands = prefix ? (int)(prefix - rate_prefixes) + 1 : 0;
    rest += prefix != NULL;
    for (const char *const *name = opt->choices; *rest && *name; name++)
        if (strcasecmp(rest, *name) == 0)
            return true;
    return !*rest;
}

/* Reads the digits at *AT into *VALUE.  With MOST >= 0 it reads MOST digits: missing ones count as
 * 0, further ones are dropped.  False on overflow. */
static bool read_digits(const char **at, int most, int64_t *value)
{
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (most != 0) {
            if (!append_digit(value, **at))
                return false;
            most--;
        }
    for (; most > 0; most--)
        if (!append_digit(value, '0'))
            return false;
    return true;
}

static bool read_rate(const struct option *opt, const char *value, void *to, struct err *err)
{
    const size_t n_whole = strspn(value, "0123456789");
    const char *at = value, *fraction = value + n_whole + (value[n_whole] == '.');
    const size_t n_fraction = fraction > value + n_whole ? strspn(fraction, "0123456789") : 0;
    const int64_t most = opt->max ? opt->max : INT64_MAX;
    int64_t rate = 0;
    int n_thousands;

    if (read_word(opt, value, to))
        return true;
    if (!n_whole + !n_fraction == 2 ||
        !read_rate_unit(opt, fraction + n_fraction, &n_thousands))
        return err_set(err, ERR_USAGE, "-%s: '%s' is not %s%s", opt->name, value,
                       opt->max ? "a number as 4000 or 8k" : "a rate as 312G or 1.5T",
                       opt->max ? "" : opt->choices[0]);
    if (!read_digits(&at, -1, &rate) || !read_digits(&fraction, 3 * n_thousands, &rate) || rate <= 0 ||
        rate > most)
        return err_set(err, ERR_USAGE, "-%s: %s is not between 1 and %" PRId64, opt->name, value, most);
    *(int64_t *)to = rate;
    return true;
}

/* Prints all digits, with the largest prefix. */
static void print_rate(struct strbuf *sb, const struct option *opt, const void *from)
{
    const int64_t value = *(const int64_t *)from;
    int64_t unit = 1;
    int n_thousands = 0;

    if (print_word(sb, opt, value))
        return;
    for (; value / unit >= 1000; unit *= 1000)
        n_thousands++;
    sb_addf(sb, "%" PRId64, value / unit);
    if (value % unit) {
        sb_addf(sb, ".%0*" PRId64, 3 * n_thousands, value % unit);
        while (sb->data[sb->len - 1] == '0')
            sb_truncate(sb, sb->len - 1);
    }
    if (n_thousands)
        sb_addc(sb, rate_prefixes[n_thousands - 1]);
}

/* ---- true and false */

bool option_bool_word(const char *word, bool *value)
{
    static const char *const words[2][5] = {{"false", "f", "no", "n", "0"},
                                            {"true", "t", "yes", "y", "1"}};

    for (int v = 0; v < 2; v++)
        for (size_t i = 0; i < 5; i++)
            if (strcasecmp(word, words[v][i]) == 0) {
                *value = v;
                return true;
            }
    return false;
}

static bool read_bool(const struct option *opt, const char *value, void *to, struct err *err)
{
    if (option_bool_word(value, to))
        return true;
    return err_set(err, ERR_USAGE,
                   "-%s: '%s' is neither true nor false (before a file, write -%s=true)",
                   opt->name, value, opt->name);
}

static void print_bool(struct strbuf *sb, const struct option *opt UNUSED, const void *from)
{
    sb_adds(sb, *(const bool *)from ? "true" : "false");
}

/* ---- one of several words */

/* The name of an order: name, depth, a metric, or an order of comparisons or tables. */
static const char *order_name(int order)
{
    static const char *const of_rows[] = {"name", "depth"};
    static const char *const others[] = {"base",  "delta", "delta_abs", "delta_percent", "total",
                                         "calls", "avg",   "min",       "median",        "max"};

    if (order < ORDER_METRIC)
        return of_rows[order];
    return order < ORDER_BASE ? field_get(order - ORDER_METRIC)->name : others[order - ORDER_BASE];
}

static const char *choice_name(const struct option *opt, int value)
{
    if (opt->kind == OPT_ORDER)
        return value < ORDER_COUNT ? order_name(value) : NULL;
    return opt->choices[value];
}

const char *option_value_name(const struct option *opt, int value)
{
    switch (opt->kind) {
    case OPT_CHOICE:
    case OPT_ORDER:
        return choice_name(opt, value);
    case OPT_FIELDS:
        return value < FIELD_COUNT ? field_get(value)->name : NULL;
    case OPT_BOOL:
        return value == 0 ? "false" : value == 1 ? "true" : NULL;
    default:
        return NULL;
    }
}

static bool unknown_word(const struct option *opt, const char *what, const char *word,
                         struct err *err)
{
    struct suggest near;
    struct strbuf hint = {0};
    const char *name;

    suggest_init(&near, word);
    for (int i = 0; (name = option_value_name(opt, i)); i++)
        suggest_try(&near, name);
    suggest_add(&near, "", &hint);
    if (!near.best) {
        sb_adds(&hint, " (");
        for (int i = 0; (name = option_value_name(opt, i)); i++)
            sb_addf(&hint, "%s%s", i ? ", " : "", name);
        sb_adds(&hint, ")");
    }
    err_set(err, ERR_USAGE, "-%s: unknown %s '%s'%s", opt->name, what, word, sb_text(&hint));
    sb_done(&hint);
    return false;
}

static bool read_choice(const struct option *opt, const char *value, void *to, struct err *err)
{
    const char *name;

    for (int i = 0; (name = choice_name(opt, i)); i++)
        if (strcmp(name, value) == 0) {
            *(int *)to = i;
            return true;
        }
    return unknown_word(opt, opt->kind == OPT_ORDER ? "order" : "value", value, err);
}

static void print_choice(struct strbuf *sb, const struct option *opt, const void *from)
{
    sb_adds(sb, choice_name(opt, *(const int *)from));
}

/* ---- sets of fields */

struct fields_state {
    const struct option *opt;
    field_set set;
    struct err *err;
    bool ok;
};

static void read_one_field(const char *item, size_t len UNUSED, size_t offset UNUSED, void *arg)
{
    struct fields_state *state = arg;
    const int field = field_find(item);

    if (field >= 0)
        state->set |= FIELD_BIT(field);
    else if (state->ok)
        state->ok = unknown_word(state->opt, "field", item, state->err);
}

static bool read_fields(const struct option *opt, const char *value, void *to, struct err *err)
{
    struct fields_state state = {.opt = opt, .err = err, .ok = true};

    regexes_split(value, read_one_field, &state);
    if (state.ok)
        *(field_set *)to = state.set;
    return state.ok;
}

/* Sorted by name, as the original prints them. */
static void print_fields(struct strbuf *sb, const struct option *opt UNUSED, const void *from)
{
    field_set left = *(const field_set *)from;
    bool first = true;

    while (left) {
        int min = -1;

        for (int f = 0; f < FIELD_COUNT; f++)
            if (field_in(left, f) &&
                (min < 0 || strcmp(field_get(f)->name, field_get(min)->name) < 0))
                min = f;
        sb_addf(sb, "%s%s", first ? "" : ",", field_get(min)->name);
        left &= ~FIELD_BIT(min);
        first = false;
    }
}

/* ---- text */

static void append_item(const char *item, size_t len, size_t offset UNUSED, void *list)
{
    regexes_append(list, item, len);
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* Normalises a list: no quotes around it and no empty items.  An empty item is kept where a quote
 * that belongs to the first or last item would otherwise be at an end. */
static bool read_list(const struct option *opt, const char *value, void *to, struct err *err UNUSED)
{
    struct strbuf list = {0};

    regexes_split(value, append_item, &list);
    if (list.len && is_quote(list.data[0])) {
        struct strbuf guarded = {0};

        sb_addf(&guarded, ",%s", list.data);
        sb_done(&list);
        list = guarded;
    }
    sb_adds(&list, list.len && is_quote(list.data[list.len - 1]) ? "," : "");
    if (list.len || opt->kind == OPT_REGEXES)
        *(char **)to = list.len ? sb_take(&list) : xstrdup("");
    else
        *(char **)to = NULL;
    sb_done(&list);
    return true;
}

static bool read_regexes(const struct option *opt, const char *value, void *to, struct err *err)
{
    struct err why = {0};
    struct regexes *compiled = regexes_new(value, &why);

    if (!compiled) {
        err_set(err, ERR_USAGE, "-%s %s", opt->name, err_text(&why));
        err_done(&why);
        return false;
    }
    regexes_free(compiled);
    return read_list(opt, value, to, err);
}

struct list_check {
    const struct option *opt;
    struct err *err;
    bool ok;
};

static void check_type(const char *item, size_t len UNUSED, size_t offset UNUSED, void *arg)
{
    struct list_check *state = arg;
    const char *equals = strchr(item, '=');
    struct strbuf regex = {0};
    struct err why = {0};
    struct regexes *compiled;

    if (!state->ok)
        return;
    if (!equals || equals == item) {
        state->ok = err_set(state->err, ERR_USAGE, "-%s: '%s' is not NAME=REGEX",
                            state->opt->name, item);
        return;
    }
    regexes_append(&regex, equals + 1, strlen(equals + 1));
    compiled = regexes_new(sb_text(&regex), &why);
    if (!compiled)
        state->ok = err_set(state->err, ERR_USAGE, "-%s: type %.*s: %s", state->opt->name,
                            (int)(equals - item), item, err_text(&why));
    regexes_free(compiled);
    err_done(&why);
    sb_done(&regex);
}

static bool read_types(const struct option *opt, const char *value, void *to, struct err *err)
{
    struct list_check state = {.opt = opt, .err = err, .ok = true};

    regexes_split(value, check_type, &state);
    return state.ok && read_list(opt, value, to, err);
}

static void check_pair(const char *item, size_t len UNUSED, size_t offset UNUSED, void *arg)
{
    struct list_check *state = arg;

    if (state->ok && !strchr(item, '='))
        state->ok =
            err_set(state->err, ERR_USAGE, "-%s: '%s' is not FROM=TO", state->opt->name, item);
}

static bool read_pairs(const struct option *opt, const char *value, void *to, struct err *err)
{
    struct list_check state = {.opt = opt, .err = err, .ok = true};

    regexes_split(value, check_pair, &state);
    return state.ok && read_list(opt, value, to, err);
}

static bool read_path(const struct option *opt UNUSED, const char *value, void *to,
                      struct err *err UNUSED)
{
    *(char **)to = *value ? xstrdup(value) : NULL;
    return true;
}

static bool read_output(const struct option *opt, const char *value, void *to, struct err *err)
{
    struct strbuf text = {0};

    if (!*value)
        return err_set(err, ERR_USAGE, "-%s: a value is missing", opt->name);
    if (opt->stands_for)
        sb_adds(&text, opt->stands_for);
    sb_adds(&text, value);
    *(char **)to = sb_take(&text);
    return true;
}

static void print_text(struct strbuf *sb, const struct option *opt UNUSED, const void *from)
{
    const char *text = *(char *const *)from;

    sb_adds(sb, text ? text : "");
}

static bool read_range(const struct option *opt, const char *value, void *to, struct err *err)
{
    return time_range_read(opt->name, value, to, err);
}

static void print_range(struct strbuf *sb, const struct option *opt UNUSED, const void *from)
{
    time_range_print(sb, *(const struct time_range *)from);
}

const struct option_kind_ops option_kinds[] = {
    [OPT_INT] = {STORE_INT64, read_int, print_int},
    [OPT_RATE] = {STORE_INT64, read_rate, print_rate},
    [OPT_BOOL] = {STORE_BOOL, read_bool, print_bool},
    [OPT_CHOICE] = {STORE_INT, read_choice, print_choice},
    [OPT_ORDER] = {STORE_INT, read_choice, print_choice},
    [OPT_REGEXES] = {STORE_TEXT, read_regexes, print_text},
    [OPT_FIELDS] = {STORE_SET, read_fields, print_fields},
    [OPT_OUTPUT] = {STORE_TEXT, read_output, print_text},
    [OPT_PATH] = {STORE_TEXT, read_path, print_text},
    [OPT_NAME] = {STORE_TEXT, read_path, print_text},
    [OPT_TYPES] = {STORE_TEXT, read_types, print_text},
    [OPT_PAIRS] = {STORE_TEXT, read_pairs, print_text},
    [OPT_PATHS] = {STORE_TEXT, read_list, print_text},
    [OPT_RANGE] = {STORE_RANGE, read_range, print_range},
    [OPT_STEP] = {STORE_STEP, read_step, print_step},
};
_Static_assert(sizeof option_kinds / sizeof *option_kinds == OPT_KIND_COUNT,
               "functions for each kind");
