/* window.c: data formats and sliding windows (shapes.md section 4). */
#include "shapes/window.h"

#include <string.h>

static bool read_layout(struct image_layout *l, const char *format, size_t len, uint32_t n_spatial)
{
    static const char letters[] = "DHW";
    const char *tail = memchr(format, '_', len);
    size_t n = tail ? (size_t)(tail - format) : len;
    const char *batch = memchr(format, 'N', n), *channel = memchr(format, 'C', n), *at;

    if (n != n_spatial + 2 || !batch || !channel)
        return false;
    *l = (struct image_layout){.rank = (uint32_t)n, .batch = (uint32_t)(batch - format),
                         .channel = (uint32_t)(channel - format), .n_spatial = n_spatial};
    for (uint32_t i = 0; i < n_spatial; i++) {
        at = memchr(format, letters[SPATIAL_MAX - n_spatial + i], n);
        if (!at)
            return false;
        l->spatial[i] = (uint32_t)(at - format);
    }
    if (tail) {
        l->vect = true;
        l->rank++;
    }
    return true;
}

bool layout_of(struct opctx *c, uint32_t n_spatial, struct image_layout *l)
{
    struct attr_bytes f = opctx_string(c, "data_format", n_spatial == 3 ? "NDHWC" : "NHWC");

    if (read_layout(l, f.bytes, f.len, n_spatial))
        return true;
    opctx_fail(c, "the data format is unknown");
    return false;
}

bool padding_of(struct opctx *c, enum padding *p)
{
    static const struct {
        const char *word;
        enum padding padding;
    } words[] = {{"VALID", PADDING_VALID}, {"SAME", PADDING_SAME}, {"EXPLICIT", PADDING_EXPLICIT}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (opctx_string_is(c, "padding", "VALID", words[i].word)) {
            *p = words[i].padding;
            return true;
        }
    opctx_fail(c, "the padding is unknown");
    return false;
}

int64_t window_out(struct opctx *c, int64_t in, int64_t size, int64_t stride, int64_t dilation,
                   enum padding padding, int64_t before, int64_t after)
{
    int64_t spread, room;

    if (stride <= 0 || dilation <= 0) {
        opctx_fail(c, "a stride or dilation is not positive");
        return DIM_UNKNOWN;
    }
    if (size == DIM_UNKNOWN && padding != PADDING_SAME)
        return DIM_UNKNOWN;
    if (size == DIM_UNKNOWN)
        size = 1;
    if (size == 0) {
        opctx_fail(c, "a window has no size");
        return DIM_UNKNOWN;
    }
    spread = ctx_add(c, ctx_mul(c, clamp_sub(size, 1), dilation), 1);
    if (in < 0)
        return stride == 1 && spread == 1 && padding != PADDING_EXPLICIT ? in : DIM_UNKNOWN;
    if (padding == PADDING_SAME)
        return ctx_div(c, ctx_add(c, in, clamp_sub(stride, 1)), stride, false);
    if (padding == PADDING_EXPLICIT)
        in = ctx_add(c, ctx_add(c, in, before), after);
    room = ctx_add(c, in, stride);
    if (c->failed || spread > room) {
        opctx_fail(c, "the window is larger than the image");
        return DIM_UNKNOWN;
    }
    return quotient(clamp_sub(room, spread), stride);
}

int64_t list_entry(struct opctx *c, const char *name, size_t i, int64_t absent)
{
    size_t n;
    const int64_t *list = opctx_ints(c, name, &n);

    return i < n ? list[i] : absent;
}
