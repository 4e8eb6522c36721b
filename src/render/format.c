/* format.c: numbers, times, sizes and shapes as text (semantics.md section 5). */
#include "render/format.h"

#include <inttypes.h>

/* Units from the largest down; the integer chooses, before rounding. */
struct scale {
    int64_t least;
    const char *suffix;
};

static void add_scaled(struct strbuf *sb, int64_t value, const struct scale *scales,
                       const char *plain_suffix)
{
    for (; scales->least; scales++)
        if (value >= scales->least) {
            sb_addf(sb, "%.2f%s", (double)value / (double)scales->least, scales->suffix);
            return;
        }
    sb_addf(sb, "%" PRId64 "%s", value, plain_suffix);
}

void format_number(struct strbuf *sb, int64_t n)
{
    static const struct scale scales[] = {{1000000000, "b"}, {1000000, "m"}, {1000, "k"}, {0, NULL}};

    add_scaled(sb, n, scales, "");
}

void format_time(struct strbuf *sb, int64_t us)
{
    static const struct scale scales[] = {{1000000, "sec"}, {1000, "ms"}, {0, NULL}};

    add_scaled(sb, us, scales, "us");
}

void format_memory(struct strbuf *sb, int64_t bytes)
{
    static const struct scale scales[] = {{1000000, "MB"}, {1000, "KB"}, {0, NULL}};

    add_scaled(sb, bytes, scales, "B");
}

void format_value(struct strbuf *sb, enum metric_unit unit, int64_t value)
{
    static void (*const by_unit[])(struct strbuf *, int64_t) = {
        [UNIT_NUMBER] = format_number,
        [UNIT_TIME_US] = format_time,
        [UNIT_BYTES] = format_memory,
    };

    by_unit[unit](sb, value);
}

void format_shape(struct strbuf *sb, struct shape shape)
{
    for (uint32_t i = 0; i < shape.n_dims; i++)
        sb_addf(sb, "%s%" PRId64, i ? "x" : "", shape.dims[i]);
}
