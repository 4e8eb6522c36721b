/* onnx_tensor.c: tensors of ONNX models as rows (formats-onnx.md section 2). */
#include <string.h>
#include <sys/stat.h>

#include "base/satmath.h"
#include "load/onnx/onnx.h"

const struct element_type onnx_types[ONNX_TYPE_COUNT] = {
    [0] = {"undefined", 0, 0},
    [1] = {"f32", 32, 1},
    [2] = {"u8", 8, 4},
    [3] = {"i8", 8, 6},
    [4] = {"u16", 16, 17},
    [5] = {"i16", 16, 5},
    [6] = {"i32", 32, 3},
    [ONNX_INT64] = {"i64", 64, 9},
    [ONNX_STRING] = {"string", 0, 7},
    [ONNX_BOOL] = {"bool", 8, 10},
    [10] = {"f16", 16, 19},
    [11] = {"f64", 64, 2},
    [12] = {"u32", 32, 22},
    [13] = {"u64", 64, 23},
    [14] = {"c64", 64, 8},
    [15] = {"c128", 128, 18},
    [16] = {"bf16", 16, 14},
    [17] = {"f8_e4m3fn", 8, 0},
    [18] = {"f8_e4m3fnuz", 8, 0},
    [19] = {"f8_e5m2", 8, 0},
    [20] = {"f8_e5m2fnuz", 8, 0},
    [21] = {"u4", 4, 0},
    [22] = {"i4", 4, 0},
    [23] = {"f4_e2m1", 4, 0},
    [24] = {"f8_e8m0", 8, 0},
    [25] = {"u2", 2, 0},
    [26] = {"i2", 2, 0},
};

void onnx_pair(struct span message, struct span *key, struct span *value)
{
    *key = span_part(message, 1);
    *value = span_part(message, 2);
}

static void read_external(struct onnx_tensor *t, struct span entry)
{
    struct span key, value;

    onnx_pair(entry, &key, &value);
    t->is_external = true;
    if (span_is(key, "location"))
        t->location = value;
}

bool onnx_tensor_read(const struct loader *l, struct span message, struct onnx_tensor *t,
                      struct err *err)
{
    enum { DIMS = 1, TYPE = 2, STRING_DATA = 6, NAME = 8, EXTERNAL = 13 };
    static const struct field_spec fields[] = {
        {TYPE, FIELD_NUMBER, offsetof(struct onnx_tensor, type)},
        {NAME, FIELD_NAME, offsetof(struct onnx_tensor, name)}, {0}};

    t->dims.n = 0;
    *t = (struct onnx_tensor){.name = {message.bytes, 0}, .dims = t->dims};
    if (!load_fields(l, message, "tensor", fields, t, err))
        return false;
    wire_each(f, span_walk(message)) {
        if (f.number == DIMS && !load_numbers(l, &f, &t->dims, err))
            return false;
        if (f.number == STRING_DATA && f.type == WIRE_LEN)
            t->string_bytes = clamp_add(t->string_bytes, (int64_t)f.len);
        else if (f.number == EXTERNAL && f.type == WIRE_LEN)
            read_external(t, field_span(&f));
    }
    return true;
}

bool onnx_tensor_is_constant(const struct onnx_tensor *t)
{
    return (t->type == ONNX_INT64 || t->type == ONNX_STRING || t->type == ONNX_BOOL) &&
           t->dims.n <= 1;
}

/* External data are not read; missing files are counted for a note. */
static void look_for_file(struct onnx *x, const struct onnx_tensor *t)
{
    const char *slash = strrchr(x->l->path, '/');
    struct strbuf path = {0};
    struct stat st;

    if (!t->is_external || !t->location.bytes || memchr(t->location.bytes, 0, t->location.len))
        return;
    sb_add(&path, x->l->path, slash ? (size_t)(slash + 1 - x->l->path) : 0);
    sb_add(&path, t->location.bytes, t->location.len);
    if (t->location.len && t->location.bytes[0] != '/' && !strstr(sb_text(&path), ".."))
        x->n_missing_files += stat(sb_text(&path), &st) != 0;
    sb_done(&path);
}

void onnx_tensor_set(struct onnx *x, node_id node, const struct onnx_tensor *t, bool constant)
{
    const uint8_t type = onnx_type(t->type), bits = onnx_types[type].bits;
    const int64_t n = model_elements(&x->rows, t->dims.data, t->dims.n);
    const struct model_tensor tensor = {
        .type = type,
        .shape = t->dims.n ? builder_shape(x->b, t->dims.data, t->dims.n) : SHAPE_SCALAR,
        .n_elements = n,
        .bytes = bits ? clamp_add(clamp_mul(n / 8, bits), (n % 8 * bits + 7) / 8) : t->string_bytes,
        .own_bytes = bits ? 0 : t->string_bytes,
        .is_constant = constant,
    };

    x->n_tensors++;
    look_for_file(x, t);
    model_tensor_set(&x->rows, node, &tensor);
}
