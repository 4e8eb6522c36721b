/* custom_call.c: custom calls with known rules (formats-hlo.md section 6.3). */
#include <string.h>

#include "base/satmath.h"
#include "hlo/attributes.h"
#include "hlo/tally.h"

static void skip(struct text *text, size_t n)
{
    text->bytes += n;
    text->len -= (uint32_t)n;
}

static void skip_blanks(struct text *text)
{
    while (text->len && strchr(" \t\r\n", *text->bytes) && *text->bytes)
        skip(text, 1);
}

static bool skip_char(struct text *text, char c)
{
    skip_blanks(text);
    if (!text->len || *text->bytes != c)
        return false;
    skip(text, 1);
    return true;
}

/* Reads an unsigned integer. */
static bool parse_number(struct text *text, int64_t *number)
{
    uint32_t n = 0;

    skip_blanks(text);
    *number = 0;
    for (; n < text->len && text->bytes[n] >= '0' && text->bytes[n] <= '9'; n++)
        if (!append_digit(number, text->bytes[n]))
            return false;
    skip(text, n);
    return n > 0;
}

/* Advances *TEXT past the next KEY; false when there is none. */
static bool seek(struct text *text, const char *key)
{
    const size_t len = strlen(key);
    const char *found = text->len ? memmem(text->bytes, text->len, key, len) : NULL;

    if (!found)
        return false;
    skip(text, (size_t)(found - text->bytes) + len);
    return true;
}

/* ---- matrix products of cuBLAS: JSON */

/* The numbers of the list may be strings, as protobuf's JSON format has 64-bit numbers. */
static void count_gemm(struct hlo_tally *t)
{
    struct text config = hlo_backend_config(t->m, t->i);
    const struct hlo_leaf *lhs = hlo_tally_operand(t, 0);
    int64_t at;

    hlo_tally_product(t, hlo_tally_output(t));
    if (!hlo_tally_need(t, seek(&config, "\"lhs_contracting_dimensions\"") &&
                               skip_char(&config, ':') && skip_char(&config, '[')))
        return;
    do {
        const bool quoted = skip_char(&config, '"');

        if (!hlo_tally_need(t, parse_number(&config, &at) && (!quoted || skip_char(&config, '"'))))
            return;
        hlo_tally_dim(t, HLO_OPERATIONS, lhs, (uint64_t)at);
    } while (skip_char(&config, ','));
    hlo_tally_need(t, skip_char(&config, ']'));
}

/* ---- fused attention of Transformer Engine: attributes as text, "input_batch = 2 : i64" */

/* The numeric value of attribute KEY. */
static int64_t attribute(struct hlo_tally *t, const char *key)
{
    const struct text config = hlo_backend_config(t->m, t->i);
    struct text rest = config;
    int64_t number;

    while (seek(&rest, key)) {
        const char *begin = rest.bytes - strlen(key);

        if (begin > config.bytes && is_word_char(begin[-1]))
            continue;
        if (skip_char(&rest, '=') && parse_number(&rest, &number))
            return number;
    }
    t->no_rule = true;
    return 0;
}

/* FACTOR is 2 per matrix product: two products forward; backward five, one of them twice. */
static void count_attention(struct hlo_tally *t, int64_t factor)
{
    static const char *const sizes[] = {"input_batch", "attn_heads", "q_max_seqlen",
                                        "kv_max_seqlen"};
    struct terms *sum = &t->figures[HLO_OPERATIONS];

    t->is_multiply_add = true;
    terms_plus(sum);
    terms_times(sum, factor);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        terms_times(sum, attribute(t, sizes[i]));
    terms_times(sum, clamp_add(attribute(t, "qk_head_dim"), attribute(t, "v_head_dim")));
}

static void count_attention_forward(struct hlo_tally *t)
{
    count_attention(t, 2);
}

static void count_attention_backward(struct hlo_tally *t)
{
    count_attention(t, 5);
}

/* ---- convolutions of cuDNN: window and dimension numbers are those of the forward convolution */

static void count_backward_input(struct hlo_tally *t)
{
    hlo_tally_convolution(t, hlo_tally_output(t), hlo_tally_operand(t, 1),
                          hlo_tally_operand(t, 0));
}

static void count_backward_filter(struct hlo_tally *t)
{
    hlo_tally_convolution(t, hlo_tally_operand(t, 0), hlo_tally_output(t),
                          hlo_tally_operand(t, 1));
}

static void count_nothing(struct hlo_tally *t)
{
    (void)t;
}

/* The first matching row counts; a target is matched as a whole or as a prefix. */
static const struct {
    const char *target;
    bool is_prefix;
    hlo_count *count;
} calls[] = {
    {"__cublas$gemm", false, count_gemm},
    {"__cublas$lt$matmul", true, count_gemm},
    {"__cudnn$convBackwardInput", false, count_backward_input},
    {"__cudnn$convBackwardFilter", false, count_backward_filter},
    {"__cudnn$conv", true, hlo_count_convolution},
    {"te_fused_attn_forward_ffi", false, count_attention_forward},
    {"te_fused_attn_backward_ffi", false, count_attention_backward},
    {"Sharding", false, count_nothing},
    {"SPMD", true, count_nothing},
    {"AllocateBuffer", false, count_nothing},
    {"MoveTo", true, count_nothing},
    {"PinToHost", false, count_nothing},
};

void hlo_count_custom_call(struct hlo_tally *t)
{
    const struct text target = hlo_custom_call_target(t->m, t->i);

    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        if (text_begins(target, calls[k].target) &&
            (calls[k].is_prefix || target.len == strlen(calls[k].target))) {
            calls[k].count(t);
            return;
        }
    }
    t->no_rule = true;
}

bool hlo_is_library_call(const struct hlo_module *m, uint32_t i)
{
    const struct text target = hlo_custom_call_target(m, i);

    return text_begins(target, "__cublas$") || text_begins(target, "__cudnn$conv");
}
