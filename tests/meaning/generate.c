/* generate.c: parts shared by all generators: numbers, names, shapes and tensors. */
#include "meaning/generate.h"

#include <stdio.h>
#include <string.h>

#include "fixtures/random_options.h"
#include "load/graph/dtype.h"

enum { MAX_RANK = 6, MAX_VALUES = 40 };

uint32_t draw_below(struct draw *d, uint32_t n)
{
    return random_below(&d->random, n);
}

bool draw_rarely(struct draw *d, uint32_t n)
{
    return draw_below(d, n) == 0;
}

const char *draw_word(struct draw *d, const char *list, char *word, size_t size)
{
    uint32_t n = 1;

    for (const char *at = list; *at; at++)
        n += *at == ' ';
    for (n = draw_below(d, n); n > 0; n--)
        list = strchr(list, ' ') + 1;
    snprintf(word, size, "%.*s", (int)strcspn(list, " "), list);
    return word;
}

/* ---- numbers */

/* A value near a limit of a type or of TensorFlow. */
static int64_t draw_limit(struct draw *d)
{
    static const int64_t limits[] = {
        -1, 0, 1, -2, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1, INT32_MAX, INT32_MIN,
        (int64_t)INT32_MAX + 1, UINT32_MAX, (int64_t)UINT32_MAX + 1, INT64_C(1) << 62,
        INT64_C(3037000500), INT64_C(1) << 40, 65535, 65536, 127, 128, 255, 256, 511, 512, 513,
        -INT64_C(4611686018427387904), 1000003,
    };

    return DRAW_ONE(d, limits);
}

int64_t draw_int(struct draw *d)
{
    return draw_rarely(d, 6) ? draw_limit(d) : (int64_t)draw_below(d, 12) - 2;
}

int64_t draw_amount(struct draw *d)
{
    return draw_rarely(d, 12) ? draw_limit(d) : (int64_t)draw_below(d, 5000);
}

int64_t draw_size(struct draw *d)
{
    static const int64_t sizes[] = {1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 32, -1};

    return draw_rarely(d, 25) ? draw_limit(d) : DRAW_ONE(d, sizes);
}

int draw_dtype(struct draw *d)
{
    static const int common[] = {1, 1, 1, 3, 3, 9, 9, 10, 7, 2, 14, 19, 20, 21};

    return draw_rarely(d, 4) ? (int)draw_below(d, 136) : DRAW_ONE(d, common);
}

/* ---- names */

const char *draw_node_name(struct draw *d, uint32_t i)
{
    static const char *const scopes[] = {"", "a/", "a/b/", "conv1/", "gradients/a/", "a-b/", "a/b/c/d/"};

    snprintf(d->text, sizeof d->text, "%sn%u", scopes[i % (sizeof scopes / sizeof *scopes)], i);
    return d->text;
}

const char *draw_function_name(struct draw *d, uint32_t i)
{
    static const char *const names[] = {"f%u", "__inference_g_%u", "while_body_%u", "cond_true_%u"};

    snprintf(d->text, sizeof d->text, names[i % 4], i);
    return d->text;
}

/* A name that mostly no node has. */
static const char *draw_odd_name(struct draw *d)
{
    static const char *const names[] = {
        "", "_TFProfRoot", "/", "a/", "n0", "a", "a/b", "^n0", "n1:0", "n1:-1", "n1:999999999999",
        ":", "^", "nobody", "\x1b]0;t\x07", "a\nb", "\xff\xfe", "=1+1", "<b>&amp;", "a,b", "'\"",
        "\xe2\x80\xaexyz", "a//b", "n2/", "Conv2D", "x y", "n3:output:0", "n4:output:7",
    };

    snprintf(d->text, sizeof d->text, "%s", DRAW_ONE(d, names));
    return d->text;
}

const char *draw_any_node(struct draw *d)
{
    return draw_rarely(d, 15) ? draw_odd_name(d) : draw_node_name(d, draw_below(d, d->n_nodes + 1));
}

const char *draw_any_function(struct draw *d)
{
    return draw_rarely(d, 15) ? draw_odd_name(d)
                              : draw_function_name(d, draw_below(d, d->n_functions + 1));
}

const char *draw_device(struct draw *d)
{
    static const char *const devices[] = {
        "", "/job:localhost/replica:0/task:0/device:CPU:0", "/device:GPU:0", "/device:GPU:1",
        "/job:localhost/replica:0/task:0/device:GPU:0/stream:all", "/gpu:0/stream:11", "/cpu:0",
        "/device:GPU:0/memcpy", "/job:w/replica:0/task:1/device:TPU:3", "/host:CPU",
        "/device:GPU:99999999999", "gpu", "/device:GPU:0/stream:all extra",
    };

    return DRAW_ONE(d, devices);
}

/* ---- shapes and tensors */

void draw_shape_of(struct draw *d, const char *field, const int64_t *dims, uint32_t rank)
{
    put_open(d->tree, field);
    for (uint32_t i = 0; i < rank; i++) {
        put_open(d->tree, "dim");
        put_int(d->tree, "size", dims[i]);
        case_tree_close(d->tree);
    }
    if (draw_rarely(d, 30))
        put_int(d->tree, "unknown_rank", 1);
    case_tree_close(d->tree);
}

static uint32_t draw_dims(struct draw *d, int64_t *dims)
{
    static const uint32_t ranks[] = {0, 1, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6};
    const uint32_t rank = DRAW_ONE(d, ranks);

    for (uint32_t i = 0; i < rank; i++)
        dims[i] = draw_size(d);
    return rank;
}

void draw_shape(struct draw *d, const char *field)
{
    int64_t dims[MAX_RANK];

    if (draw_rarely(d, 200)) { /* more dimensions than are stored inline */
        put_open(d->tree, field);
        for (uint32_t n = 200 + draw_below(d, 200); n > 0; n--) {
            put_open(d->tree, "dim");
            put_int(d->tree, "size", 1);
            case_tree_close(d->tree);
        }
        case_tree_close(d->tree);
        return;
    }
    draw_shape_of(d, field, dims, draw_dims(d, dims));
}

/* N values in the field for DTYPE; now and then in the field of another type. */
static void put_values(struct draw *d, int dtype, uint32_t n)
{
    static const char *const fields[] = {
        [1] = "float_val", [2] = "double_val", [3] = "int_val", [4] = "int_val", [5] = "int_val",
        [6] = "int_val", [7] = "string_val", [8] = "scomplex_val", [9] = "int64_val",
        [10] = "bool_val", [14] = "half_val", [18] = "dcomplex_val", [19] = "half_val",
        [22] = "uint32_val", [23] = "uint64_val",
    };
    const char *field = dtype >= 0 && dtype < 24 && fields[dtype] ? fields[dtype] : "int_val";

    if (draw_rarely(d, 15))
        field = fields[DRAW_ONE(d, ((const int[]){1, 2, 3, 7, 9, 10, 19, 23}))];
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(field, "string_val") == 0)
            put_text(d->tree, field, draw_odd_name(d));
        else if (strcmp(field, "float_val") == 0 || strstr(field, "double") || strstr(field, "complex"))
            put_real(d->tree, field, (double)draw_int(d) / 2);
        else
            put_int(d->tree, field, strcmp(field, "bool_val") == 0 ? draw_below(d, 2) : draw_int(d));
    }
}

uint32_t draw_dtype_bytes(int dtype)
{
    const struct dtype *type = dtype_find(dtype);

    return type && type->size_bytes ? (uint32_t)type->size_bytes : 4;
}

static void put_content(struct draw *d, int dtype, uint32_t n)
{
    const uint32_t size = draw_dtype_bytes(dtype);
    uint8_t bytes[16 * MAX_VALUES + 8];
    uint32_t len = n * size;

    for (uint32_t i = 0; i < len; i++)
        bytes[i] = i % size ? 0 : (uint8_t)draw_below(d, 9);
    if (draw_rarely(d, 10) && len)
        len -= draw_below(d, len);
    if (draw_rarely(d, 10))
        memset(bytes, 0xff, len);
    put_bytes(d->tree, "tensor_content", bytes, len);
}

void draw_tensor(struct draw *d, const char *field)
{
    const int dtype = draw_dtype(d);
    int64_t dims[MAX_RANK];
    const uint32_t rank = draw_dims(d, dims);
    uint64_t n = 1;

    for (uint32_t i = 0; i < rank; i++)
        n = n * (dims[i] < 0 || dims[i] > MAX_VALUES ? 1 : (uint64_t)dims[i]);
    n = n > MAX_VALUES || draw_rarely(d, 10) ? draw_below(d, MAX_VALUES) : n;
    put_open(d->tree, field);
    put_int(d->tree, "dtype", dtype);
    if (!draw_rarely(d, 20))
        draw_shape_of(d, "tensor_shape", dims, rank);
    if (draw_rarely(d, 3))
        put_content(d, dtype, (uint32_t)n);
    else
        put_values(d, dtype, draw_rarely(d, 4) && n ? 1 : (uint32_t)n);
    case_tree_close(d->tree);
}

void draw_int_tensor(struct draw *d, const char *field, uint32_t n, bool scalar)
{
    const int dtype = draw_rarely(d, 2) ? 3 : 9;
    const int64_t size = draw_rarely(d, 15) ? draw_size(d) : n;

    put_open(d->tree, field);
    put_int(d->tree, "dtype", draw_rarely(d, 20) ? draw_dtype(d) : dtype);
    draw_shape_of(d, "tensor_shape", &size, scalar ? 0 : 1);
    if (draw_rarely(d, 4))
        put_content(d, dtype, n);
    else
        for (uint32_t i = 0; i < n; i++)
            put_int(d->tree, dtype == 3 ? "int_val" : "int64_val", draw_int(d));
    case_tree_close(d->tree);
}
