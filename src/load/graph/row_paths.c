/* row_paths.c: makes unique paths for rows of models (formats-onnx.md section 3). */
#include "load/graph/row_paths.h"

#include <inttypes.h>
#include <string.h>

#include "base/budget.h"

void row_paths_init(struct row_paths *p, struct builder *b)
{
    enum { SHARE = 2 };
    const struct cancel_mark never = {NULL, 0};
    const uint64_t input_bytes = profile_input_bytes(builder_profile(b));

    *p = (struct row_paths){.builder = b, .bytes_left = budget_of(input_bytes, never).bytes_left / SHARE};
}

void row_paths_done(struct row_paths *p)
{
    idmap_done(&p->taken);
    sb_done(&p->text);
}

static strid path_string(struct row_paths *p)
{
    return builder_str(p->builder, sb_text(&p->text), p->text.len);
}

/* The path in p->text, with ":N" appended if it is taken. */
static strid make_unique(struct row_paths *p)
{
    const strid wanted = path_string(p);
    const size_t len = p->text.len;
    uint32_t n = idmap_get(&p->taken, wanted);
    strid path = wanted;

    if (n == IDMAP_NONE) {
        idmap_put(&p->taken, wanted, 1, 0);
        return wanted;
    }
    while (idmap_get(&p->taken, path) != IDMAP_NONE) {
        sb_truncate(&p->text, len);
        sb_addf(&p->text, ":%" PRIu32, ++n);
        path = path_string(p);
    }
    idmap_put(&p->taken, wanted, n, 0);
    idmap_put(&p->taken, path, 1, 0);
    return path;
}

static void put_prefix(struct row_paths *p, strid prefix)
{
    static const char deep[] = "(deep names)";
    const struct text text = intern_string(&builder_profile(p->builder)->strings, prefix);

    sb_clear(&p->text);
    if (text.len <= p->bytes_left)
        sb_add(&p->text, text.bytes, text.len);
    else
        sb_adds(&p->text, deep);
    p->bytes_left -= text.len <= p->bytes_left ? text.len : 0;
}

void row_put_levels(struct strbuf *sb, struct span name, char between)
{
    const uint8_t *end = name.len ? memchr(name.bytes, ';', name.len) : NULL;

    if (end)
        name.len = (size_t)(end - name.bytes);
    for (size_t at = 0; at < name.len;) {
        const uint8_t *next = memchr(name.bytes + at, between, name.len - at);
        const size_t len = next ? (size_t)(next - name.bytes) - at : name.len - at;

        sb_adds(sb, len && sb->len ? "/" : "");
        sb_add(sb, name.bytes + at, len);
        at += len + 1;
    }
}

strid row_path(struct row_paths *p, strid prefix, struct span name, bool is_tensor, struct span op,
                int64_t index)
{
    size_t before;

    put_prefix(p, prefix);
    before = p->text.len;
    row_put_levels(&p->text, name,
                   is_tensor && name.len && !memchr(name.bytes, '/', name.len) ? '.' : '/');
    if (p->text.len == before) {
        if (before)
            sb_addc(&p->text, '/');
        sb_add(&p->text, op.bytes, op.len);
        sb_addf(&p->text, "_%" PRId64, index);
    }
    return make_unique(p);
}

strid row_free_name(struct row_paths *p, strid prefix, struct span name)
{
    put_prefix(p, prefix);
    if (p->text.len)
        sb_addc(&p->text, '/');
    sb_add(&p->text, name.bytes, name.len);
    return make_unique(p);
}

strid row_join(struct row_paths *p, strid prefix, struct span a, int64_t i)
{
    put_prefix(p, prefix);
    if (p->text.len && a.len)
        sb_addc(&p->text, '/');
    sb_add(&p->text, a.bytes, a.len);
    if (i >= 0)
        sb_addf(&p->text, "_%" PRId64, i);
    return builder_str(p->builder, sb_text(&p->text), p->text.len);
}
