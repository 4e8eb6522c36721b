/* dot_numbers.c: reads two small messages of XLA: fields that are numbers or
 * packed lists of numbers. */
#include "flops/dot_numbers.h"

#include <string.h>

#include "base/wire_in.h"

/* Calls NUMBER for each number of each field; false when the bytes are no
 * message. */
static bool each_number(const char *bytes, size_t len,
                        void (*number)(void *context, uint64_t field, int64_t v), void *context)
{
    struct wire_in in = wire_in_of(bytes, len);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        const uint8_t *at = NULL;
        uint64_t v;

        while (wire_next_number(&f, WIRE_VARINT, &at, &v))
            number(context, f.number, (int64_t)v);
    }
    return !in.why;
}

static void dot_number(void *context, uint64_t field, int64_t v)
{
    struct dot_numbers *dot = context;

    if (field >= 1 && field <= DOT_SIDES && dot->n[field - 1] < DIMS_MAX_RANK)
        dot->at[field - 1][dot->n[field - 1]++] = v;
}

bool dot_numbers_parse(struct dot_numbers *dot, const char *bytes, size_t len)
{
    memset(dot->n, 0, sizeof dot->n);
    return each_number(bytes, len, dot_number, dot);
}

bool dot_numbers_has(const struct dot_numbers *dot, enum dot_side side, int64_t at)
{
    for (uint32_t i = 0; i < dot->n[side]; i++)
        if (dot->at[side][i] == at)
            return true;
    return false;
}

static void conv_number(void *context, uint64_t field, int64_t v)
{
    struct conv_numbers *conv = context;

    if (field == 3)
        conv->input_feature = v;
    else if (field == 4)
        conv->output_feature = v;
    else if (field == 6 && conv->n_spatial < DIMS_MAX_RANK)
        conv->spatial[conv->n_spatial++] = v;
}

bool conv_numbers_parse(struct conv_numbers *conv, const char *bytes, size_t len)
{
    conv->input_feature = conv->output_feature = 0;
    conv->n_spatial = 0;
    return each_number(bytes, len, conv_number, conv);
}
