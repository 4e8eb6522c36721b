/* tensor_value.c: formats values of checkpoint tensors as the original does (semantics.md section
 * 5.1). */
#include "render/tensor_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint.h"
#include "load/graph/dtype.h"

/* Longer texts are truncated; the shortest value takes two bytes. */
enum { MAX_BYTES = 10000, MAX_VALUES = MAX_BYTES / 2 + 1 };
/* Notes about unreadable values; further ones are dropped. */
enum { MAX_NOTES = 8 };

double tensor_six_digits(double value)
{
    char six_digits[32];

    snprintf(six_digits, sizeof six_digits, "%g", value);
    return strtod(six_digits, NULL);
}

static void add_value(struct strbuf *sb, const struct checkpoint_values *v, size_t i)
{
    switch (v->kind) {
    case CHECKPOINT_DOUBLES:
        sb_addf(sb, "%.2f", tensor_six_digits(v->doubles[i]));
        break;
    case CHECKPOINT_INTS:
        sb_addf(sb, "%" PRId64, v->ints[i]);
        break;
    case CHECKPOINT_STRINGS:
        sb_addc(sb, '\'');
        utf8_escape(sb, v->strings[i].bytes, v->strings[i].len);
        sb_addc(sb, '\'');
        break;
    }
    sb_addc(sb, ' ');
}

/* Formats nested brackets, all but the outermost closing one; stops soon after MAX_BYTES. */
static void add_nested(struct strbuf *sb, const struct checkpoint_tensor *t,
                       const struct checkpoint_values *v)
{
    static const int64_t scalar[] = {1};
    const bool is_scalar = t->shape.n_dims == 0;
    const uint32_t n_dims = is_scalar ? 1 : t->shape.n_dims;
    const int64_t *dims = is_scalar ? scalar : t->shape.dims;
    int64_t *done = xcalloc(n_dims, sizeof *done); /* elements done in each open dimension */
    uint32_t depth = 0;
    size_t next = 0;

    sb_addc(sb, '[');
    while (sb->len <= MAX_BYTES) {
        if (done[depth] == dims[depth]) {
            if (!depth)
                break;
            sb_adds(sb, "],\n");
            done[--depth]++;
        } else if (depth + 1 < n_dims) {
            sb_addc(sb, '[');
            done[++depth] = 0;
        } else {
            add_value(sb, v, next++);
            done[depth]++;
        }
    }
    free(done);
}

static void add_tensor(struct strbuf *sb, const struct checkpoint_tensor *t,
                       const struct checkpoint_values *v)
{
    struct strbuf text = {0};

    add_nested(&text, t, v);
    if (text.len > MAX_BYTES)
        sb_truncate(&text, MAX_BYTES);
    sb_adds(&text, "],\n");
    sb_adds(&text, text.len >= MAX_BYTES ? "...omitted from display\n\n" : "");
    sb_add(sb, text.data, text.len);
    sb_done(&text);
}

bool tensor_is_shown(int dtype)
{
    static const char *const shown[] = {"DT_FLOAT", "DT_DOUBLE", "DT_INT32", "DT_INT64",
                                        "DT_STRING"};
    const char *name = dtype_name(dtype);

    for (size_t i = 0; name && i < sizeof shown / sizeof *shown; i++)
        if (strcmp(name, shown[i]) == 0)
            return true;
    return false;
}

const struct checkpoint_tensor *tensor_of_row(const struct result *r, row_id row)
{
    const struct text name = tree_text(r->tree, row);

    if (!r->profile->checkpoint || row == 0)
        return NULL;
    return checkpoint_find(r->profile->checkpoint, name.bytes, name.len);
}

void render_tensor_value(struct strbuf *sb, struct result *r, row_id row)
{
    const struct checkpoint *c = r->profile->checkpoint;
    const struct text name = tree_text(r->tree, row);
    const struct checkpoint_tensor *t = tensor_of_row(r, row);
    struct checkpoint_values values;
    struct err err = {0};

    if (!t)
        return;
    if (!tensor_is_shown(t->dtype)) {
        const char *type = dtype_name(t->dtype);

        if (r->notes.n < MAX_NOTES)
            note_add(&r->notes, "%.*s: values of type %s are not printed", (int)name.len,
                     name.bytes, type ? type : "unknown");
    } else if (checkpoint_values_read(c, t, MAX_VALUES, &values, &err)) {
        add_tensor(sb, t, &values);
        checkpoint_values_done(&values);
    } else if (r->notes.n < MAX_NOTES) {
        note_add(&r->notes, "%s", err_text(&err));
    }
    err_done(&err);
}
