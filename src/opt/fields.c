/* fields.c: the select fields: metrics first, then the fields that are not numbers. */
#include "opt/fields.h"

#include <assert.h>
#include <string.h>

#define METRIC_FIELD(id, word, words, sentence, ...) \
    [METRIC_##id] = {.name = #word, .legend = (words), .help = (sentence)},
#define OTHER_FIELD(id, word, words, sentence, single, multi) \
    [FIELD_##id] = {                                          \
        .name = #word, .legend = (words), .help = (sentence), .place = {(single), (multi)}},

static const struct field field_table[] = {ALL_METRICS(METRIC_FIELD) FIELD_LIST(OTHER_FIELD)};
_Static_assert(sizeof field_table / sizeof *field_table == FIELD_COUNT, "a row for each field");

const struct field *field_get(int field)
{
    assert(field >= 0 && field < FIELD_COUNT);
    return &field_table[field];
}

const char *field_legend(int field, bool multi)
{
    if (multi && field == METRIC_OCCURRENCE)
        return "op occurrence (run|defined)";
    return field_table[field].legend;
}

int field_find(const char *name)
{
    for (int f = 0; f < FIELD_COUNT; f++)
        if (strcmp(field_table[f].name, name) == 0)
            return f;
    return -1;
}

/* The position in the legend (semantics.md section 5), in views of single nodes or of groups
 * (MULTI). */
static unsigned legend_position(int field, bool multi)
{
    const struct field_position place =
        field < METRIC_COUNT ? metrics[field].place : field_table[field].place;

    return multi ? place.multi : place.single;
}

void field_order(bool multi, int order[FIELD_COUNT])
{
    for (int field = 0; field < FIELD_COUNT; field++) {
        int at = field;

        for (; at > 0 &&
             legend_position(order[at - 1], multi) > legend_position(field, multi); at--)
            order[at] = order[at - 1];
        order[at] = field;
    }
}

enum metric_id main_metric(field_set select)
{
    int order[FIELD_COUNT];

    if (field_in(select, METRIC_MICROS))
        return METRIC_MICROS;
    field_order(false, order);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (order[i] < METRIC_COUNT && field_in(select, order[i]) && !metric_is_ratio(order[i]))
            return (enum metric_id)order[i];
    return METRIC_COUNT;
}
