/* time_range.c: converts time ranges from and to text. */
#include "opt/time_range.h"

#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"
#include "base/text.h"

struct unit {
    const char *name;
    int64_t ps;
};

/* Printing uses the first unit that the time reaches; the last two are only read. */
static const struct unit units[] = {
    {"s", INT64_C(1000000000000)}, {"ms", INT64_C(1000000000)},    {"us", INT64_C(1000000)},
    {"ns", INT64_C(1000)},         {"ps", INT64_C(1)},
    {"", INT64_C(1000000)},        {"sec", INT64_C(1000000000000)},
};
enum { UNITS = sizeof units / sizeof *units, PRINTED_UNITS = 5 };

/* Picoseconds of the unit that the LEN bytes at NAME name; 0: unknown unit. */
static int64_t unit_ps(const char *name, size_t len)
{
    for (size_t i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == len && !memcmp(units[i].name, name, len))
            return units[i].ps;
    return 0;
}

/* Reads a time of LEN bytes with its unit; fractions of a picosecond are dropped. */
static bool read_time(const char *text, size_t len, int64_t *ps)
{
    size_t at = 0, digits = 0, point;
    int64_t unit, whole = 0;

    while (at < len && is_digit(text[at]))
        at++, digits++;
    point = at;
    if (at < len && text[at] == '.')
        for (at++; at < len && is_digit(text[at]); at++)
            digits++;
    unit = unit_ps(text + at, len - at);
    if (!digits || !unit)
        return false;
    for (size_t i = 0; i < point; i++)
        whole = clamp_add(clamp_mul(whole, 10), text[i] - '0');
    *ps = clamp_mul(whole, unit);
    for (size_t i = point + 1; i < at; i++) {
        unit /= 10;
        *ps = clamp_add(*ps, unit * (text[i] - '0'));
    }
    return true;
}

bool time_read(const char *text, int64_t *ps)
{
    return read_time(text, strlen(text), ps);
}

bool time_range_read(const char *name, const char *text, struct time_range *range, struct err *err)
{
    const char *colon = strchr(text, ':');
    struct time_range read = {0, TIME_RANGE_OPEN};

    if (!strcmp(text, "all")) {
        *range = read;
        return true;
    }
    if (!colon || (colon != text && !read_time(text, (size_t)(colon - text), &read.from_ps)) ||
        (colon[1] && !read_time(colon + 1, strlen(colon + 1), &read.to_ps)))
        return err_set(err, ERR_USAGE, "-%s: '%s' is not FROM:TO, times such as 1500us, 1.5ms, 2s",
                       name, text);
    if (read.from_ps >= read.to_ps)
        return err_set(err, ERR_USAGE, "-%s: '%s' ends before it begins", name, text);
    *range = read;
    return true;
}

static void print_time(struct strbuf *sb, int64_t ps)
{
    const struct unit *unit = units;
    int64_t rest, digit;

    while (unit < units + PRINTED_UNITS - 1 && ps < unit->ps)
        unit++;
    if (!ps) {
        sb_addc(sb, '0');
        return;
    }
    sb_addf(sb, "%" PRId64, ps / unit->ps);
    rest = ps % unit->ps;
    sb_adds(sb, rest ? "." : "");
    for (digit = unit->ps / 10; rest; rest %= digit, digit /= 10)
        sb_addc(sb, (char)('0' + rest / digit));
    sb_adds(sb, unit->name);
}

void time_range_print(struct strbuf *sb, struct time_range range)
{
    if (time_range_is_all(range)) {
        sb_adds(sb, "all");
        return;
    }
    print_time(sb, range.from_ps);
    sb_addc(sb, ':');
    if (range.to_ps != TIME_RANGE_OPEN)
        print_time(sb, range.to_ps);
}
