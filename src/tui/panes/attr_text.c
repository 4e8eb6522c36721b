/* attr_text.c: attributes as text. */
#include "tui/panes/pane.h"

#include <inttypes.h>

#include "load/graph/attrs.h"

enum { ITEMS_MAX = 8, STRING_MAX = 60 };

static void add_shape(struct strbuf *sb, const struct attr_shape *shape)
{
    if (shape->unknown_rank)
        sb_adds(sb, "unknown rank");
    else if (!shape->n_dims)
        sb_adds(sb, "scalar");
    for (uint32_t i = 0; i < shape->n_dims && !shape->unknown_rank; i++) {
        sb_adds(sb, i ? "x" : "");
        if (shape->dims[i] < 0)
            sb_addc(sb, '?');
        else
            sb_addf(sb, "%" PRId64, shape->dims[i]);
    }
}

static void add_dtype(struct strbuf *sb, int64_t dtype)
{
    const char *name = dtype_name((int)dtype);

    if (name)
        sb_adds(sb, name);
    else
        sb_addf(sb, "type %" PRId64, dtype);
}

static void add_bytes(struct strbuf *sb, const struct attr_bytes *s)
{
    const size_t len = s->len < STRING_MAX ? s->len : STRING_MAX;

    sb_add(sb, s->bytes, len);
    if (len < s->len)
        sb_addf(sb, "... (%zu bytes)", s->len);
}

static void add_tensor(struct strbuf *sb, const struct attr_tensor *t)
{
    struct arena arena = {0};
    const struct attr_doubles list = tensor_doubles(t, ITEMS_MAX, &arena);

    add_dtype(sb, t->dtype);
    sb_addc(sb, ' ');
    add_shape(sb, &t->shape);
    for (size_t i = 0; i < list.n; i++)
        sb_addf(sb, "%s%.6g", i ? " " : ": ", list.v[i]);
    sb_adds(sb, list.n_all > ITEMS_MAX ? " ..." : "");
    arena_done(&arena);
}

/* Appends VALUE, of a list its item I. */
static void add_one(struct strbuf *sb, const struct attr_value *value, uint32_t i)
{
    const bool is_list = value->kind == ATTR_LIST;

    switch (is_list ? value->item_kind : value->kind) {
    case ATTR_STRING:
    case ATTR_FUNC:
    case ATTR_PLACEHOLDER:
        add_bytes(sb, is_list ? &value->v.list_s[i] : &value->v.s);
        break;
    case ATTR_INT:
        sb_add_int(sb, is_list ? value->v.list_i[i] : value->v.i);
        break;
    case ATTR_BOOL:
        sb_adds(sb, (is_list ? value->v.list_i[i] : value->v.i) ? "true" : "false");
        break;
    case ATTR_TYPE:
        add_dtype(sb, is_list ? value->v.list_i[i] : value->v.i);
        break;
    case ATTR_FLOAT:
        sb_addf(sb, "%g", is_list ? value->v.list_f[i] : value->v.f);
        break;
    case ATTR_SHAPE:
        add_shape(sb, is_list ? &value->v.list_shape[i] : &value->v.shape);
        break;
    case ATTR_TENSOR:
        add_tensor(sb, is_list ? &value->v.list_tensor[i] : &value->v.tensor);
        break;
    case ATTR_LIST:
    case ATTR_NONE:
        break;
    }
}

void attr_value_text(struct strbuf *sb, const struct attr_value *value)
{
    if (value->kind != ATTR_LIST) {
        add_one(sb, value, 0);
        return;
    }
    sb_addc(sb, '[');
    for (uint32_t i = 0; i < value->n_items && i < ITEMS_MAX; i++) {
        sb_adds(sb, i ? ", " : "");
        add_one(sb, value, i);
    }
    sb_adds(sb, value->n_items > ITEMS_MAX ? ", ...]" : "]");
}
