/* onnx_names.c: paths of rows of ONNX models (formats-onnx.md section 3). */
#include <inttypes.h>
#include <string.h>

#include "load/onnx/onnx.h"

static strid taken(struct onnx *x)
{
    return builder_str(x->b, sb_text(&x->text), x->text.len);
}

/* The path in x->text, or with a number behind it that no other has. */
static strid make_unique(struct onnx *x)
{
    const strid wanted = taken(x);
    const size_t len = x->text.len;
    uint32_t n = idmap_get(&x->taken, wanted);
    strid path = wanted;

    if (n == IDMAP_NONE) {
        idmap_put(&x->taken, wanted, 1, 0);
        return wanted;
    }
    while (idmap_get(&x->taken, path) != IDMAP_NONE) {
        sb_truncate(&x->text, len);
        sb_addf(&x->text, ":%" PRIu32, ++n);
        path = taken(x);
    }
    idmap_put(&x->taken, wanted, n, 0);
    idmap_put(&x->taken, path, 1, 0);
    return path;
}

static void put_prefix(struct onnx *x, strid prefix)
{
    const struct intern *strings = &builder_profile(x->b)->strings;

    sb_clear(&x->text);
    sb_add(&x->text, intern_text(strings, prefix), intern_len(strings, prefix));
}

/* Appends the components of NAME, of which those without characters are left out. */
static void put_levels(struct strbuf *sb, struct span name, char between)
{
    for (size_t at = 0; at < name.len;) {
        const uint8_t *end = memchr(name.bytes + at, between, name.len - at);
        const size_t len = end ? (size_t)(end - name.bytes) - at : name.len - at;

        if (len && sb->len)
            sb_addc(sb, '/');
        sb_add(sb, name.bytes + at, len);
        at += len + 1;
    }
}

strid onnx_path(struct onnx *x, strid prefix, struct span name, bool is_tensor, struct span op,
                int64_t index)
{
    const uint8_t *end = name.len ? memchr(name.bytes, ';', name.len) : NULL;
    size_t before;

    if (end)
        name.len = (size_t)(end - name.bytes);
    put_prefix(x, prefix);
    before = x->text.len;
    put_levels(&x->text, name,
               is_tensor && name.len && !memchr(name.bytes, '/', name.len) ? '.' : '/');
    if (x->text.len == before) {
        if (before)
            sb_addc(&x->text, '/');
        sb_add(&x->text, op.bytes, op.len);
        sb_addf(&x->text, "_%" PRId64, index);
    }
    return make_unique(x);
}

strid onnx_free_name(struct onnx *x, strid prefix, struct span name)
{
    put_prefix(x, prefix);
    if (x->text.len)
        sb_addc(&x->text, '/');
    sb_add(&x->text, name.bytes, name.len);
    return make_unique(x);
}

strid onnx_join(struct onnx *x, strid prefix, struct span a, int64_t i)
{
    put_prefix(x, prefix);
    if (x->text.len && a.len)
        sb_addc(&x->text, '/');
    sb_add(&x->text, a.bytes, a.len);
    if (i >= 0)
        sb_addf(&x->text, "_%" PRId64, i);
    return builder_str(x->b, sb_text(&x->text), x->text.len);
}
