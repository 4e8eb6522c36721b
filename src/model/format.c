/* format.c: formats numbers, times, sizes and shapes (semantics.md section 5). */
#include "model/format.h"

#include <string.h>

#include "base/satmath.h"

/* A unit: values >= MIN are divided by it. */
struct scale_step {
    int64_t min;
    const char *suffix;
};

struct scale {
    const char *suffix; /* below the first unit */
    struct scale_step steps[5]; /* largest first; min 0: there are no more */
};

static const struct scale scales[] = {
    [UNIT_NUMBER] = {"", {{1000000000, "b"}, {1000000, "m"}, {1000, "k"}}},
    [UNIT_TIME_PS] = {"us", {{1000000, "sec"}, {1000, "ms"}}},
    [UNIT_BYTES] = {"B", {{1000000, "MB"}, {1000, "KB"}}},
    [UNIT_RATE] = {"", {{1000000000000000, "P"}, {1000000000000, "T"}, {1000000000, "G"}, {1000000, "M"},
                        {1000, "k"}}},
    [UNIT_MILLIONTHS] = {"", {{0, NULL}}},
    [UNIT_PERCENT] = {"%", {{0, NULL}}},
};
_Static_assert(sizeof scales / sizeof *scales == UNIT_COUNT, "a scale for each unit");

/* Scales of the screen; a blank precedes the suffixes. */
static const struct scale spaced_scales[] = {
    [UNIT_NUMBER] = {"", {{1000000000000, "T"}, {1000000000, "G"}, {1000000, "M"}, {1000, "k"}}},
    [UNIT_TIME_PS] = {"\u00b5s", {{1000000, "s"}, {1000, "ms"}}},
    [UNIT_BYTES] = {"B", {{1000000000000, "TB"}, {1000000000, "GB"}, {1000000, "MB"}, {1000, "kB"}}},
    [UNIT_RATE] = {"", {{1000000000000000, "P"}, {1000000000000, "T"}, {1000000000, "G"}, {1000000, "M"},
                        {1000, "k"}}},
    [UNIT_MILLIONTHS] = {"", {{0, NULL}}},
    [UNIT_PERCENT] = {"%", {{0, NULL}}},
};
_Static_assert(sizeof spaced_scales / sizeof *spaced_scales == UNIT_COUNT, "a scale for each unit");

/* The decimal digits of N. */
static void add_digits(struct strbuf *sb, uint64_t n)
{
    char digits[20];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    sb_add(sb, digits + at, sizeof digits - at);
}

static void format_integer(struct strbuf *sb, int64_t n)
{
    sb_adds(sb, n < 0 ? "-" : "");
    add_digits(sb, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

/* N / UNIT formatted as "%.2f".  Integer arithmetic gives the same digits except at ties and for
 * values that a double cannot represent exactly. */
static void add_quotient(struct strbuf *sb, int64_t n, int64_t unit)
{
    const int64_t exact_below = INT64_C(1000000000000000);
    int64_t hundredth = unit / 100;
    int64_t rest = n % hundredth;
    uint64_t hundredths;

    if (n >= exact_below || rest * 2 == hundredth) {
        sb_addf(sb, "%.2f", (double)n / (double)unit);
        return;
    }
    hundredths = (uint64_t)(n / hundredth) + (rest * 2 > hundredth);
    add_digits(sb, hundredths / 100);
    sb_addc(sb, '.');
    sb_addc(sb, (char)('0' + hundredths / 10 % 10));
    sb_addc(sb, (char)('0' + hundredths % 10));
}

/* Appends VALUE, with SPACE between number and suffix. */
static void add_value(struct strbuf *sb, const struct scale *scale, enum metric_unit unit,
                      const char *space, int64_t value)
{
    if (unit == UNIT_TIME_PS && value > 0 && value < PS_PER_US / 2) {
        sb_addf(sb, "<1%s%s", space, scale->suffix);
        return;
    }
    if (unit == UNIT_MILLIONTHS || unit == UNIT_PERCENT) {
        sb_addf(sb, "%.2f%s", (double)value / MILLION, scale->suffix);
        return;
    }
    if (unit == UNIT_TIME_PS)
        value = clock_round_us(value);
    for (int i = 0; i < 5 && scale->steps[i].min; i++)
        if (value >= scale->steps[i].min) {
            add_quotient(sb, value, scale->steps[i].min);
            sb_addf(sb, "%s%s", space, scale->steps[i].suffix);
            return;
        }
    format_integer(sb, value);
    sb_addf(sb, "%s%s", *scale->suffix ? space : "", scale->suffix);
}

void format_value(struct strbuf *sb, enum metric_unit unit, int64_t value)
{
    add_value(sb, &scales[unit], unit, "", value);
}

void format_spaced(struct strbuf *sb, enum metric_unit unit, int64_t value)
{
    sb_adds(sb, value < 0 ? "-" : "");
    add_value(sb, &spaced_scales[unit], unit, " ", value < 0 ? clamp_neg(value) : value);
}

void format_rate_unit(struct strbuf *sb, const char *unit)
{
    const bool is_flops = strncmp(unit, "flop", 4) == 0, is_bytes = strncmp(unit, "byte", 4) == 0;

    sb_adds(sb, sb->len && sb->data[sb->len - 1] >= '0' && sb->data[sb->len - 1] <= '9' ? " " : "");
    sb_adds(sb, is_flops ? "FLOP" : is_bytes ? "B" : "");
    sb_adds(sb, strcmp(unit, "flop/byte") == 0 ? "/B" : unit + (is_flops || is_bytes ? 4 : 0));
}

void format_delta(struct strbuf *sb, enum metric_unit unit, int64_t delta)
{
    if (delta)
        sb_addc(sb, delta < 0 ? '-' : '+');
    format_value(sb, unit, delta < 0 ? clamp_neg(delta) : delta);
}

void format_number(struct strbuf *sb, int64_t n)
{
    format_value(sb, UNIT_NUMBER, n);
}

void format_time(struct strbuf *sb, int64_t ps)
{
    format_value(sb, UNIT_TIME_PS, ps);
}

void format_time_apart(struct strbuf *sb, int64_t ps)
{
    struct scale ascii = spaced_scales[UNIT_TIME_PS];

    ascii.suffix = "us";
    add_value(sb, &ascii, UNIT_TIME_PS, " ", ps);
}

/* ---- figures in a text */

/* Suffixes of format_value(); a suffix precedes those that it ends with. */
static const struct {
    const char *suffix;
    enum metric_unit unit;
    int64_t factor; /* in picoseconds, bytes or numbers */
} text_suffixes[] = {
    {"sec", UNIT_TIME_PS, INT64_C(1000000000000)}, {"ms", UNIT_TIME_PS, INT64_C(1000000000)},
    {"us", UNIT_TIME_PS, PS_PER_US}, {"MB", UNIT_BYTES, 1000000}, {"KB", UNIT_BYTES, 1000},
    {"B", UNIT_BYTES, 1}, {"b", UNIT_NUMBER, 1000000000}, {"m", UNIT_NUMBER, 1000000},
    {"k", UNIT_NUMBER, 1000},
};

static bool is_in(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Appends the rate whose number has LEN bytes at TEXT: "46.13T flop/s"; its length, 0: it is none. */
static size_t add_spaced_rate(struct strbuf *sb, const char *text, size_t len)
{
    const size_t n = is_in(text[len], "PTGMk");
    const char *unit = text + len + n;

    if (strncmp(unit, " flop/s", 7) != 0 && strncmp(unit, " byte/s", 7) != 0)
        return 0;
    sb_add(sb, text, len);
    sb_addc(sb, ' ');
    sb_add(sb, text + len, n);
    sb_adds(sb, unit[1] == 'f' ? "FLOP/s" : "B/s");
    return len + n + 7;
}

/* Appends the figure that TEXT begins with, if it has a suffix; its length, 0: none. */
static size_t add_spaced_figure(struct strbuf *sb, const char *text)
{
    static const char digits[] = "0123456789";
    size_t len = strspn(text, digits), n_decimals = 0, rate_len;
    int64_t hundredths = 0;

    if (!len || len > 15)
        return 0;
    if (text[len] == '.' && (n_decimals = strspn(text + len + 1, digits)) == 2)
        len += 3;
    for (size_t i = 0; i < len; i++)
        hundredths = text[i] == '.' ? hundredths : hundredths * 10 + (text[i] - '0');
    hundredths = n_decimals == 2 ? hundredths : hundredths * 100;
    if ((rate_len = add_spaced_rate(sb, text, len)))
        return rate_len;
    len += strncmp(text + len, " us", 3) == 0; /* format_time_apart() */
    for (size_t i = 0; i < sizeof text_suffixes / sizeof *text_suffixes; i++) {
        const size_t n = strlen(text_suffixes[i].suffix);
        const int64_t factor = text_suffixes[i].factor;

        if (strncmp(text + len, text_suffixes[i].suffix, n) != 0)
            continue;
        if ((text[len + n] && !is_in(text[len + n], " ,;:)%")) ||
            (text_suffixes[i].unit == UNIT_NUMBER && n_decimals != 2))
            return 0;
        format_spaced(sb, text_suffixes[i].unit,
                      factor < 100 ? hundredths / 100 : clamp_mul(hundredths, factor / 100));
        return len + n;
    }
    return 0;
}

void format_spaced_text(struct strbuf *sb, const char *text)
{
    for (const char *at = text; *at;) {
        const bool may_begin = at == text || is_in(at[-1], " (<+-");
        const size_t n = may_begin ? add_spaced_figure(sb, at) : 0;

        if (!n)
            sb_addc(sb, *at);
        at += n ? n : 1;
    }
}

void format_micros(struct strbuf *sb, int64_t ps)
{
    uint64_t rest = ps < 0 ? 0 - (uint64_t)ps : (uint64_t)ps;

    sb_adds(sb, ps < 0 ? "-" : "");
    add_digits(sb, rest / (uint64_t)PS_PER_US);
    rest %= (uint64_t)PS_PER_US;
    sb_adds(sb, rest ? "." : "");
    for (uint64_t unit = (uint64_t)PS_PER_US / 10; rest; rest %= unit, unit /= 10)
        sb_addc(sb, (char)('0' + rest / unit));
}

void format_memory(struct strbuf *sb, int64_t bytes)
{
    format_value(sb, UNIT_BYTES, bytes);
}

void format_shape(struct strbuf *sb, struct shape shape)
{
    for (uint32_t i = 0; i < shape.n_dims; i++) {
        sb_adds(sb, i ? "x" : "");
        format_integer(sb, shape.dims[i]);
    }
}

void format_dims(struct strbuf *sb, const int64_t *dims, uint32_t n_dims)
{
    sb_adds(sb, !n_dims ? "scalar" : "");
    for (uint32_t i = 0; i < n_dims; i++) {
        sb_adds(sb, i ? "x" : "");
        if (dims[i] < 0)
            sb_addc(sb, '?');
        else
            format_integer(sb, dims[i]);
    }
}
