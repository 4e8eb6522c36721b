/* einsum.c: applies an Einsum equation to shapes (flops.md section 6.2). */
#include "shapes/rules/einsum.h"

#include <string.h>

#define NO_SUCH_LABEL ((int64_t)-2)

/* Reads the labels of a term of LEN bytes; its ellipsis covers N_HIDDEN dimensions. */
static bool read_term(struct einsum_term *t, const char *text, size_t len, uint32_t n_hidden)
{
    bool ellipsis = false;

    t->n = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ' ')
            continue;
        if (t->n + n_hidden >= DIMS_MAX_RANK)
            return false;
        if (text[i] != '.') {
            t->label[t->n++] = (unsigned char)text[i];
            continue;
        }
        if (ellipsis || len - i < 3 || memcmp(text + i, "...", 3) != 0)
            return false;
        ellipsis = true;
        i += 2;
        for (uint32_t k = n_hidden; k-- > 0;)
            t->label[t->n++] = (uint16_t)(256 + k);
    }
    return true;
}

/* The number of letters in TEXT, and whether it has an ellipsis. */
static uint32_t letters(const char *text, size_t len, bool *ellipsis)
{
    uint32_t n = 0;

    *ellipsis = false;
    for (size_t i = 0; i < len; i++) {
        *ellipsis |= text[i] == '.';
        n += text[i] != ' ' && text[i] != '.';
    }
    return n;
}

static bool label_size(struct einsum *e, uint16_t label, int64_t size)
{
    int64_t *known = &e->size[label];

    if (*known == NO_SUCH_LABEL || *known == DIM_UNKNOWN)
        *known = size == DIM_UNKNOWN && *known == NO_SUCH_LABEL ? DIM_UNKNOWN
                 : size == DIM_UNKNOWN                          ? *known
                                                                : size;
    else if (size == DIM_UNKNOWN || *known == size)
        return true;
    else if (label >= 256 && (*known == 1 || size == 1))
        *known = *known == 1 ? size : *known;
    else
        return false;
    return true;
}

static bool read_operand(struct einsum *e, const char *text, size_t len, const struct dims *s,
                         uint32_t *n_hidden)
{
    struct einsum_term *t = &e->operand[e->n_operands];
    bool ellipsis;
    uint32_t n = letters(text, len, &ellipsis);

    if (!s || n > s->rank || (n < s->rank && !ellipsis))
        return false;
    KEEP_MAX(*n_hidden, s->rank - n);
    if (!read_term(t, text, len, s->rank - n) || t->n != s->rank)
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (!label_size(e, t->label[i], s->d[i]))
            return false;
    e->n_operands++;
    return true;
}

/* Without an arrow the output has the ellipsis, then the labels that occur once, in the order of bytes. */
static bool implied_output(struct einsum *e, uint32_t n_hidden)
{
    struct einsum_term *t = &e->output;
    uint32_t count[EINSUM_LABELS] = {0};

    t->n = 0;
    for (uint32_t i = 0; i < e->n_operands; i++)
        for (uint32_t k = 0; k < e->operand[i].n; k++)
            count[e->operand[i].label[k]]++;
    for (uint32_t k = n_hidden; k-- > 0;)
        t->label[t->n++] = (uint16_t)(256 + k);
    for (uint16_t label = 0; label < 256; label++) {
        if (count[label] != 1)
            continue;
        if (t->n >= DIMS_MAX_RANK)
            return false;
        t->label[t->n++] = label;
    }
    return true;
}

bool einsum_parse(struct einsum *e, const char *equation, size_t len, const struct tensor *operands,
                  uint32_t n)
{
    const char *arrow = memmem(equation, len, "->", 2), *p = equation, *comma;
    const char *end = arrow ? arrow : equation + len;
    uint32_t n_hidden = 0;

    e->n_operands = 0;
    for (size_t i = 0; i < EINSUM_LABELS; i++)
        e->size[i] = NO_SUCH_LABEL;
    if (n == 0 || n > EINSUM_OPERANDS)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        comma = memchr(p, ',', (size_t)(end - p));
        if ((comma == NULL) != (i + 1 == n))
            return false;
        comma = comma ? comma : end;
        if (!read_operand(e, p, (size_t)(comma - p), operands[i].shape, &n_hidden))
            return false;
        p = comma + 1;
    }
    if (!arrow)
        return implied_output(e, n_hidden);
    if (!read_term(&e->output, arrow + 2, (size_t)(equation + len - arrow) - 2, n_hidden))
        return false;
    for (uint32_t i = 0; i < e->output.n; i++)
        if (e->size[e->output.label[i]] == NO_SUCH_LABEL)
            return false;
    return true;
}

const struct dims *einsum_output(const struct einsum *e, struct arena *a)
{
    int64_t d[DIMS_MAX_RANK];

    for (uint32_t i = 0; i < e->output.n; i++)
        d[i] = e->size[e->output.label[i]];
    return dims_new(a, e->output.n, d);
}
