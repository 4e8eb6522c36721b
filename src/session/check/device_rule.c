/* device_rule.c: rules about devices, steps and the verdict. */
#include "session/check/device_rule.h"

#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"
#include "model/format.h"

__extension__ typedef unsigned __int128 product;

static const char no_device[] = "no device in this input";

/* ---- fields */

#define FIELD(name) {#name, offsetof(struct breakdown_row, name##_ps)}
#define IDLE(name, cause) {name, offsetof(struct breakdown_row, idle_by_cause_ps[cause])}
static const struct device_field fields[] = {
    FIELD(span), FIELD(busy), FIELD(compute), FIELD(communication), FIELD(exposed_communication),
    {"exposed", offsetof(struct breakdown_row, exposed_communication_ps)},
    FIELD(memory), FIELD(exposed_memory), FIELD(idle), IDLE("idle_host", IDLE_HOST),
    IDLE("idle_launch", IDLE_LAUNCH), IDLE("idle_other", IDLE_OTHER),
    IDLE("idle_unknown", IDLE_UNKNOWN), FIELD(wall),
};
#undef FIELD
#undef IDLE
enum { N_FIELDS = sizeof fields / sizeof *fields, FIELD_WALL = N_FIELDS - 1 };

static int64_t value_of(const struct breakdown_row *row, const struct device_field *field)
{
    int64_t ps;

    memcpy(&ps, (const char *)row + field->offset, sizeof ps);
    return ps;
}

/* ---- reading */

enum device_subject device_subject_of(const char *word)
{
    return strcmp(word, "device") == 0    ? SUBJECT_OF_DEVICE
           : strcmp(word, "step") == 0    ? SUBJECT_OF_STEP
           : strcmp(word, "verdict") == 0 ? SUBJECT_OF_VERDICT
                                          : SUBJECT_OF_NONE;
}

static bool read_field(struct device_rule *rule, const char *word, struct err *err)
{
    const size_t n = rule->subject == SUBJECT_OF_STEP ? N_FIELDS : FIELD_WALL;
    struct strbuf list = {0};

    for (size_t i = 0; i < n; i++) {
        if (strcmp(fields[i].name, word) == 0) {
            rule->field = &fields[i];
            sb_done(&list);
            return true;
        }
        sb_addf(&list, "%s%s", i ? ", " : "", fields[i].name);
    }
    err_set(err, ERR_USAGE, "'%s' is not one of %s", word, sb_text(&list));
    sb_done(&list);
    return false;
}

/* Parses a decimal number exactly; returns the text after it, or NULL. */
static const char *read_number(struct device_rule *rule, const char *text)
{
    enum { DIGITS_MOST = 15 }; /* keeps products below 128 bits */
    int n_digits = 0;
    bool is_fraction = false;

    rule->digits = 0;
    rule->one = 1;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !is_fraction); text++) {
        if (*text == '.') {
            is_fraction = true;
            continue;
        }
        if (++n_digits > DIGITS_MOST)
            return NULL;
        rule->digits = rule->digits * 10 + (uint64_t)(*text - '0');
        rule->one *= is_fraction ? 10 : 1;
    }
    return n_digits ? text : NULL;
}

static bool read_unit(struct device_rule *rule, const char *unit)
{
    static const struct {
        const char *name;
        uint64_t ps;
    } units[] = {{"", 1000000},          {"ns", 1000},           {"us", 1000000},
                 {"ms", 1000000000},     {"s", 1000000000000},   {"sec", 1000000000000},
                 {"min", 60000000000000}};

    rule->is_percent = strcmp(unit, "%") == 0;
    for (size_t i = 0; i < sizeof units / sizeof *units && !rule->is_percent; i++)
        if (strcmp(units[i].name, unit) == 0)
            rule->unit_ps = units[i].ps;
    return rule->is_percent || rule->unit_ps;
}

/* Parses "50%", "50 %" or "120ms". */
static bool read_value(struct device_rule *rule, const char *const *words, size_t n,
                       struct err *err)
{
    const char *unit = read_number(rule, words[0]);

    if (!unit)
        return err_set(err, ERR_USAGE, "'%s' is not a number with up to 15 digits", words[0]);
    if (n > 2 || (n == 2 && *unit))
        return err_set(err, ERR_USAGE, "unexpected word '%s'", words[n - 1]);
    unit = n == 2 ? words[1] : unit;
    return read_unit(rule, unit) ||
           err_set(err, ERR_USAGE, "'%s' is neither a unit of time nor %%", unit);
}

static bool read_verdict(struct device_rule *rule, const char *const *words, size_t n,
                         struct err *err)
{
    struct strbuf list = {0};

    if (n != 2 || (strcmp(words[0], "=") != 0 && strcmp(words[0], "==") != 0 &&
                   strcmp(words[0], "!=") != 0))
        return err_set(err, ERR_USAGE, "use `verdict = CLASS` or `verdict != CLASS`");
    rule->relation = words[0][0] == '!' ? LIMIT_UNEQUAL : LIMIT_EQUAL;
    for (int i = 0; i < VERDICT_CLASSES; i++) {
        const char *name = verdict_class_name((enum verdict_class)i);

        if (strcmp(name, words[1]) == 0) {
            rule->verdict = (enum verdict_class)i;
            sb_done(&list);
            return true;
        }
        sb_addf(&list, "%s%s", i ? ", " : "", name);
    }
    err_set(err, ERR_USAGE, "'%s' is not one of %s", words[1], sb_text(&list));
    sb_done(&list);
    return false;
}

bool device_rule_read(struct device_rule *rule, const char *const *words, size_t n, struct err *err)
{
    if (rule->subject == SUBJECT_OF_VERDICT)
        return read_verdict(rule, words, n, err);
    if (n < 3)
        return err_set(err, ERR_USAGE, "use `%s FIELD RELATION LIMIT`: device idle <= 50 %%",
                       rule->subject == SUBJECT_OF_STEP ? "step" : "device");
    return read_field(rule, words[0], err) &&
           limit_read_relation(&rule->relation, words[1], err) &&
           read_value(rule, words + 2, n - 2, err);
}

/* ---- figures */

bool device_figures_make(struct device_figures *f, const struct profile *p,
                         const struct options *options, struct cancel_mark cancel, struct err *err)
{
    const struct selection_request wanted = {.step = options->step, .rank = options->rank,
                                             .device_regexes = options->device_regexes,
                                             .range = options->time_range};
    const struct breakdown_request plain = {.by_stream = false};
    struct selection sel;

    memset(f, 0, sizeof *f);
    if (!selection_open(&sel, p, &wanted, cancel, err))
        return false;
    breakdown_make(&sel, &plain, &f->rows);
    selection_done(&sel);
    if (verdict_make(&f->verdict, p, &wanted, options->align_clocks, cancel, err))
        return true;
    vec_done(&f->rows);
    return false;
}

void device_figures_done(struct device_figures *f)
{
    vec_done(&f->rows);
    verdict_done(&f->verdict);
}

/* ---- checking */

/* A figure of one device: the sum over N rows, and the base of percentages. */
struct device_figure {
    const struct breakdown_row *row; /* the first row */
    int64_t sum_ps, whole_ps;
    uint32_t n;
};

typedef VEC(struct device_figure) device_figure_list;

static bool is_same_device(const struct breakdown_row *a, const struct breakdown_row *b)
{
    return a->rank == b->rank && a->host == b->host && a->device == b->device;
}

/* Sums the rows per device; rows of one device are adjacent. */
static void collect(device_figure_list *list, const struct device_rule *rule,
                    const breakdown_rows *rows)
{
    const bool of_steps = rule->subject == SUBJECT_OF_STEP;
    const bool is_wall = rule->field == &fields[FIELD_WALL];

    array_each(const struct breakdown_row, row, rows->data, rows->n) {
        const int64_t whole_ps = of_steps ? row->wall_ps : row->span_ps;
        struct device_figure *last = list->n ? &list->data[list->n - 1] : NULL;

        if ((row->step != STEP_ALL) != of_steps || (!is_wall && row->device == STRID_EMPTY) ||
            ((is_wall || (of_steps && rule->is_percent)) && row->wall_ps == INT64_MIN))
            continue;
        if (!last || !is_same_device(last->row, row)) {
            vec_push(list, ((struct device_figure){.row = row}));
            last = &list->data[list->n - 1];
        }
        last->sum_ps = clamp_add(last->sum_ps, value_of(row, rule->field));
        last->whole_ps = clamp_add(last->whole_ps, whole_ps == INT64_MIN ? 0 : whole_ps);
        last->n++;
    }
}

/* Compares F exactly with the limit: -1, 0 or 1. */
static int compare(const struct device_rule *rule, const struct device_figure *f)
{
    const product have = (product)(uint64_t)f->sum_ps * rule->one * (rule->is_percent ? 100 : 1);
    const product wanted = rule->is_percent
                               ? (product)rule->digits * (uint64_t)f->whole_ps
                               : (product)rule->digits * rule->unit_ps * f->n;

    return have < wanted ? -1 : have > wanted;
}

static double share_of(const struct device_figure *f)
{
    return f->whole_ps > 0 ? (double)f->sum_ps / (double)f->whole_ps : 0;
}

/* True when A violates the limit by more than B. */
static bool is_worse(const struct device_rule *rule, const struct device_figure *a,
                     const struct device_figure *b)
{
    const bool is_floor = rule->relation == LIMIT_AT_LEAST || rule->relation == LIMIT_ABOVE;
    const double x = rule->is_percent ? share_of(a) : (double)a->sum_ps / a->n;
    const double y = rule->is_percent ? share_of(b) : (double)b->sum_ps / b->n;

    return is_floor ? x < y : x > y;
}

/* Fills LIST, which is empty, and returns its worst figure; NULL: there is none. */
static const struct device_figure *find_worst(device_figure_list *list,
                                              const struct device_rule *rule,
                                              const struct device_figures *f)
{
    const struct device_figure *worst = NULL;

    collect(list, rule, &f->rows);
    for (size_t i = 0; i < list->n; i++)
        if (!worst || is_worse(rule, &list->data[i], worst))
            worst = &list->data[i];
    return worst;
}

static void append_figure(struct strbuf *message, const struct device_rule *rule,
                       const struct profile *p, const struct device_figure *f)
{
    sb_addf(message, "%s ", rule->field->name);
    if (rule->is_percent)
        sb_addf(message, "%.1f %%", 100 * share_of(f));
    else
        format_time(message, f->sum_ps / f->n);
    if (f->row->device != STRID_EMPTY) {
        sb_adds(message, " on ");
        sb_add(message, profile_text(p, f->row->device), intern_len(&p->strings, f->row->device));
    }
    if (f->row->rank >= 0 && p->events && p->events->ranks.n > 1)
        sb_addf(message, " of rank %" PRId64, f->row->rank);
}

static enum check_state check_verdict(const struct device_rule *rule, const struct verdict *v,
                                      struct strbuf *message)
{
    const bool is_equal = v->verdict_class == rule->verdict;

    if (v->verdict_class == VERDICT_NONE && rule->verdict != VERDICT_NONE) {
        sb_adds(message, no_device);
        return CHECK_ERROR;
    }
    sb_adds(message, v->text ? v->text : v->name);
    return is_equal == (rule->relation == LIMIT_EQUAL) ? CHECK_HELD : CHECK_BROKEN;
}

enum check_state device_rule_check(const struct device_rule *rule, const struct profile *p,
                                   const struct device_figures *f, struct strbuf *message)
{
    device_figure_list list = {0};
    const struct device_figure *worst;
    enum check_state state = CHECK_HELD;

    if (rule->subject == SUBJECT_OF_VERDICT)
        return check_verdict(rule, &f->verdict, message);
    worst = find_worst(&list, rule, f);
    if (!worst) {
        sb_adds(message, f->verdict.n_devices ? "no step has a mark" : no_device);
        return CHECK_ERROR;
    }
    for (size_t i = 0; i < list.n; i++)
        if (!limit_relation_holds(rule->relation, compare(rule, &list.data[i])))
            state = CHECK_BROKEN;
    append_figure(message, rule, p, worst);
    vec_done(&list);
    return state;
}

/* ---- writing */

static void write_share(struct strbuf *sb, const struct device_figures *f, const char *name,
                        int room_percent)
{
    struct device_rule rule = {.subject = SUBJECT_OF_DEVICE, .is_percent = true};
    device_figure_list list = {0};
    const struct device_figure *worst;

    if (read_field(&rule, name, NULL) && (worst = find_worst(&list, &rule, f)))
        sb_addf(sb, "device %s <= %.1f %%\n", name,
                share_of(worst) * (100 + room_percent) + 0.05);
    vec_done(&list);
}

void device_rules_write(struct strbuf *sb, const struct device_figures *f, int room_percent)
{
    const struct device_rule rule = {.subject = SUBJECT_OF_STEP, .field = &fields[FIELD_WALL]};
    device_figure_list list = {0};
    const struct device_figure *worst = find_worst(&list, &rule, f);

    if (worst) {
        const int64_t mean_ps = worst->sum_ps / worst->n;

        sb_addf(sb, "step wall <= %" PRId64 "us\n",
                (int64_t)((double)mean_ps / 1e6 * (100 + room_percent) / 100) + 1);
    }
    vec_done(&list);
    write_share(sb, f, "idle", room_percent);
    write_share(sb, f, "exposed", room_percent);
}
