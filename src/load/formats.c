/* formats.c: the table of input formats. */
#include "load/formats.h"

#define FORMAT_ROW(id, name) [FORMAT_##id] = &format_##name,
const struct format_row *const formats[FORMAT_COUNT] = {FORMAT_LIST(FORMAT_ROW)};
#undef FORMAT_ROW

static unsigned detect_order(const struct format_row *format)
{
    return format->detect_order;
}

static unsigned load_order(const struct format_row *format)
{
    return format->load_order;
}

static bool is_before(const struct format_row *const *rows,
                      unsigned (*number)(const struct format_row *row), unsigned a, unsigned b)
{
    const unsigned x = number(rows[a]), y = number(rows[b]);

    return x != y ? x < y : a < b;
}

unsigned format_next_by(const struct format_row *const *rows, unsigned n_rows,
                        unsigned (*number)(const struct format_row *row), unsigned after)
{
    unsigned next = 0;

    for (unsigned row = 1; row < n_rows; row++)
        if ((!after || is_before(rows, number, after, row)) &&
            (!next || is_before(rows, number, row, next)))
            next = row;
    return next;
}

enum input_format format_next_to_try(enum input_format format)
{
    return format_next_by(formats, FORMAT_COUNT, detect_order, format);
}

enum input_format format_next_to_load(enum input_format format)
{
    return format_next_by(formats, FORMAT_COUNT, load_order, format);
}
