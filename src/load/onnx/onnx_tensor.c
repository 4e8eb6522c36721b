/* onnx_tensor.c: tensors of ONNX models as rows (formats-onnx.md section 2). */
#include <string.h>
#include <sys/stat.h>

#include "base/satmath.h"
#include "load/onnx/onnx.h"

const struct onnx_type *onnx_type_of(int64_t number)
{
    static const struct onnx_type types[ONNX_TYPE_COUNT] = {
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

    return &types[number > 0 && number < ONNX_TYPE_COUNT ? number : 0];
}

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
    if (key.bytes && key.len == 8 && memcmp(key.bytes, "location", 8) == 0)
        t->location = value;
}

bool onnx_tensor_read(const struct loader *l, struct span message, struct onnx_tensor *t,
                      struct err *err)
{
    enum { DIMS = 1, TYPE = 2, STRING_DATA = 6, NAME = 8, EXTERNAL = 13 };
    struct wire_in in = span_walk(message);
    struct wire_field f;

    t->dims.n = 0;
    t->name = (struct span){message.bytes, 0};
    t->location = (struct span){NULL, 0};
    t->type = t->string_bytes = 0;
    t->is_external = false;
    while (wire_next(&in, &f)) {
        if (f.number == DIMS && !load_numbers(l, &f, &t->dims, err))
            return false;
        if (f.number == TYPE && f.type == WIRE_VARINT)
            t->type = (int64_t)f.value;
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == NAME)
            t->name = field_span(&f);
        else if (f.number == STRING_DATA)
            t->string_bytes = clamp_add(t->string_bytes, (int64_t)f.len);
        else if (f.number == EXTERNAL)
            read_external(t, field_span(&f));
    }
    return load_ended(l, &in, "tensor", err);
}

bool onnx_tensor_is_constant(const struct onnx_tensor *t)
{
    return (t->type == ONNX_INT64 || t->type == ONNX_STRING || t->type == ONNX_BOOL) &&
           t->dims.n <= 1;
}

/* Number of elements of T; sets *SATURATED when it exceeds 64 bits. */
static int64_t elements(const struct onnx_tensor *t, bool *saturated)
{
    int64_t n = 1;
    bool zero = false;

    for (size_t i = 0; i < t->dims.n; i++)
        zero |= t->dims.data[i] <= 0;
    for (size_t i = 0; !zero && i < t->dims.n; i++)
        n = sat_mul(n, t->dims.data[i], saturated);
    return zero ? 0 : n;
}

/* Adds T to the totals of its type.  CONSTANT: it is not a parameter. */
static void count(struct onnx *x, const struct onnx_tensor *t, bool constant)
{
    const struct onnx_type *type = onnx_type_of(t->type);
    int64_t *of = x->of_type[type - onnx_type_of(0)];
    const int64_t n = elements(t, &x->saturated), bits = type->bits;
    const int64_t bytes =
        bits ? clamp_add(clamp_mul(n / 8, bits), (n % 8 * bits + 7) / 8) : t->string_bytes;

    x->n_tensors++;
    of[0]++;
    of[1] = clamp_add(of[1], constant ? 0 : n);
    of[2] = clamp_add(of[2], bytes);
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

static void add_type(struct onnx *x, node_id node, const struct onnx_type *type)
{
    sb_clear(&x->text);
    sb_addf(&x->text, "_%s", type->name);
    builder_add_type(x->b, node, builder_str(x->b, sb_text(&x->text), x->text.len));
}

static shape_id onnx_tensor_shape(struct onnx *x, const struct onnx_tensor *t)
{
    return t->dims.n ? builder_shape(x->b, t->dims.data, t->dims.n) : SHAPE_SCALAR;
}

void onnx_tensor_set(struct onnx *x, node_id node, const struct onnx_tensor *t, bool constant)
{
    const struct onnx_type *type = onnx_type_of(t->type);
    const shape_id shape = onnx_tensor_shape(x, t);

    count(x, t, constant);
    look_for_file(x, t);
    add_type(x, node, type);
    builder_add_output(x->b, node, 0, shape);
    builder_set_element_bits(x->b, node, type->bits);
    if (constant)
        return;
    builder_set_shape(x->b, node, shape);
    if (!type->bits)
        builder_set_stored_bytes(x->b, node, t->string_bytes);
}
