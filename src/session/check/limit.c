/* limit.c: reads limits and compares figures with them. */
#include "session/check/limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const relations[LIMIT_RELATIONS] = {
    [LIMIT_AT_MOST] = "<=", [LIMIT_BELOW] = "<",  [LIMIT_AT_LEAST] = ">=",
    [LIMIT_ABOVE] = ">",    [LIMIT_EQUAL] = "==", [LIMIT_UNEQUAL] = "!=",
};

static const struct {
    enum metric_unit unit;
    const char *suffix;
    double factor;
} suffixes[] = {
    {UNIT_NUMBER, "", 1},        {UNIT_NUMBER, "k", 1e3},     {UNIT_NUMBER, "m", 1e6},
    {UNIT_NUMBER, "b", 1e9},     {UNIT_TIME_PS, "", 1e6},     {UNIT_TIME_PS, "ns", 1e3},
    {UNIT_TIME_PS, "us", 1e6},   {UNIT_TIME_PS, "ms", 1e9},   {UNIT_TIME_PS, "s", 1e12},
    {UNIT_TIME_PS, "sec", 1e12}, {UNIT_TIME_PS, "min", 6e13}, {UNIT_BYTES, "", 1},
    {UNIT_BYTES, "B", 1},        {UNIT_BYTES, "KB", 1e3},     {UNIT_BYTES, "MB", 1e6},
    {UNIT_BYTES, "GB", 1e9},     {UNIT_BYTES, "TB", 1e12},
    {UNIT_RATE, "", 1},          {UNIT_RATE, "k", 1e3},       {UNIT_RATE, "M", 1e6},
    {UNIT_RATE, "G", 1e9},       {UNIT_RATE, "T", 1e12},      {UNIT_RATE, "P", 1e15},
    {UNIT_MILLIONTHS, "", MILLION}, {UNIT_PERCENT, "", MILLION},
};

/* Length of the decimal number at TEXT, 0 for none; sets the number of its decimals. */
static size_t number_len(const char *text, int *decimals)
{
    const size_t sign = *text == '+' || *text == '-';
    const size_t whole = strspn(text + sign, "0123456789");
    const char *point = text + sign + whole;
    size_t rest = 0;

    *decimals = 0;
    if (*point == '.') {
        rest = strspn(point + 1, "0123456789");
        *decimals = rest < 18 ? (int)rest : 18;
        rest++;
    }
    return whole ? sign + whole + rest : 0;
}

static bool scale(struct limit *limit, const char *suffix)
{
    if (strcmp(suffix, "%") == 0) {
        limit->is_percent = true;
        return true;
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (suffixes[i].unit == metrics[limit->metric].unit &&
            strcasecmp(suffixes[i].suffix, suffix) == 0) {
            limit->value *= suffixes[i].factor;
            limit->half_digit *= suffixes[i].factor;
            return true;
        }
    return false;
}

bool limit_read_relation(enum limit_relation *relation, const char *word, struct err *err)
{
    int at = 0;

    while (at < LIMIT_RELATIONS && strcmp(relations[at], word) != 0)
        at++;
    *relation = (enum limit_relation)at;
    return at < LIMIT_RELATIONS ||
           err_set(err, ERR_USAGE, "'%s' is not one of <=, <, >=, >, ==, !=", word);
}

bool limit_relation_holds(enum limit_relation relation, int comparison)
{
    switch (relation) {
    case LIMIT_AT_MOST:
        return comparison <= 0;
    case LIMIT_BELOW:
        return comparison < 0;
    case LIMIT_AT_LEAST:
        return comparison >= 0;
    case LIMIT_ABOVE:
        return comparison > 0;
    case LIMIT_EQUAL:
        return comparison == 0;
    default:
        return comparison != 0;
    }
}

bool limit_read(struct limit *limit, enum metric_id metric, const char *relation,
                const char *value, struct err *err)
{
    enum { DIGITS_MOST = 40 };
    int decimals;
    size_t len;

    *limit = (struct limit){.metric = metric};
    if (!limit_read_relation(&limit->relation, relation, err))
        return false;
    len = number_len(value, &decimals);
    if (!len || len > DIGITS_MOST)
        return err_set(err, ERR_USAGE, "'%s' is not a number", value);
    limit->value = strtod(value, NULL);
    /* A whole number without a unit is exact. */
    limit->half_digit = decimals || value[len] ? 0.5 * pow(10, -decimals) : 0;
    return scale(limit, value + len) || err_set(err, ERR_USAGE, "'%s' is not a unit of %s",
                                                value + len, metrics[metric].name);
}

static double compared_value(const struct limit *limit, struct delta d, bool is_delta)
{
    if (!limit->is_percent)
        return (double)(is_delta ? d.delta : d.now);
    if (!d.base)
        return d.delta > 0 ? HUGE_VAL : d.delta < 0 ? -HUGE_VAL : 0;
    return delta_percent(d);
}

bool limit_holds(const struct limit *limit, struct delta d, bool is_delta)
{
    const double beyond = compared_value(limit, d, is_delta) - limit->value;
    const bool has_tolerance = limit->relation == LIMIT_EQUAL || limit->relation == LIMIT_UNEQUAL;
    const bool is_equal = fabs(beyond) <= (has_tolerance ? limit->half_digit : 0);

    return limit_relation_holds(limit->relation, is_equal ? 0 : beyond < 0 ? -1 : 1);
}

double limit_excess(const struct limit *limit, struct delta d, bool is_delta)
{
    const double beyond = compared_value(limit, d, is_delta) - limit->value;

    switch (limit->relation) {
    case LIMIT_AT_MOST:
    case LIMIT_BELOW:
        return beyond;
    case LIMIT_AT_LEAST:
    case LIMIT_ABOVE:
        return -beyond;
    case LIMIT_EQUAL:
        return fabs(beyond);
    default:
        return -fabs(beyond);
    }
}
