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

/* The format whose number is the lowest above that of FORMAT. */
static enum input_format next_by(unsigned (*number)(const struct format_row *format),
                                 enum input_format format)
{
    enum input_format next = FORMAT_UNKNOWN;

    for (enum input_format f = FORMAT_UNKNOWN + 1; f < FORMAT_COUNT; f++)
        if ((format == FORMAT_UNKNOWN || number(formats[f]) > number(formats[format])) &&
            (next == FORMAT_UNKNOWN || number(formats[f]) < number(formats[next])))
            next = f;
    return next;
}

enum input_format format_next_to_try(enum input_format format)
{
    return next_by(detect_order, format);
}

enum input_format format_next_to_load(enum input_format format)
{
    return next_by(load_order, format);
}
