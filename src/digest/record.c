/* record.c: what is known of one operation on one kind of device of one host. */
#include "digest/record.h"

#include <string.h>

#include "digest/saturate.h"

void digest_record_clear(struct digest_record *r)
{
    sb_clear(&r->key);
    memset(r->figures, 0, sizeof r->figures);
    sketch_clear(&r->times_ps);
}

void digest_record_done(struct digest_record *r)
{
    sb_done(&r->key);
    sketch_done(&r->times_ps);
}

/* ---- keys: a zero within a part is 00 FF, and 00 01 ends it */

enum { WITHIN = 0xff, END = 0x01 };

void digest_key_add(struct strbuf *key, const void *bytes, size_t len)
{
    const char *from = bytes;
    const char *const end = from + len;

    for (const char *zero; len && (zero = memchr(from, 0, (size_t)(end - from))); from = zero + 1) {
        sb_add(key, from, (size_t)(zero + 1 - from));
        sb_addc(key, (char)WITHIN);
    }
    if (len)
        sb_add(key, from, (size_t)(end - from));
    sb_add(key, (const char[]){0, END}, 2);
}

void digest_list_add(struct strbuf *list, const void *bytes, size_t len)
{
    digest_key_add(list, bytes, len);
}

bool digest_part_next(struct text all, uint32_t *at, struct strbuf *text)
{
    uint32_t from = *at;

    sb_clear(text);
    while (from < all.len) {
        const char *begin = all.bytes + from;
        const char *zero = memchr(begin, 0, all.len - from);

        if (!zero || zero + 1 == all.bytes + all.len)
            return false;
        sb_add(text, begin, (size_t)(zero - begin));
        from = (uint32_t)(zero + 2 - all.bytes);
        if (zero[1] == END) {
            *at = from;
            return true;
        }
        if ((uint8_t)zero[1] != WITHIN)
            return false;
        sb_addc(text, '\0');
    }
    return false;
}

void digest_node_name(struct strbuf *sb, const struct strbuf *program, const struct strbuf *name)
{
    if (program->len) {
        sb_add(sb, sb_text(program), program->len);
        sb_addc(sb, '/');
    }
    sb_add(sb, sb_text(name), name->len);
}

void digest_device(struct strbuf *sb, const struct strbuf *host, const struct strbuf *kind)
{
    if (host) {
        sb_adds(sb, "/host:");
        sb_add(sb, sb_text(host), host->len);
    }
    sb_adds(sb, "/device:");
    sb_add(sb, sb_text(kind), kind->len);
    sb_adds(sb, ":0");
}

/* The items of LIST must be so many times N. */
static bool list_is_valid(const struct strbuf *list, uint32_t n, struct strbuf *scratch)
{
    const struct text all = {sb_text(list), (uint32_t)list->len};
    uint32_t at = 0, items = 0;

    while (at < all.len) {
        if (!digest_part_next(all, &at, scratch))
            return false;
        items++;
    }
    return items % n == 0;
}

bool digest_key_is_valid(struct text key)
{
    struct strbuf text = {0}, scratch = {0};
    uint32_t at = 0;
    bool ok = key.len <= DIGEST_KEY_MAX_BYTES;

    for (int i = 0; ok && i < DIGEST_KEYS; i++) {
        ok = digest_part_next(key, &at, &text);
        if (ok && i == DIGEST_TYPES)
            ok = list_is_valid(&text, 1, &scratch);
        if (ok && i == DIGEST_STACK)
            ok = list_is_valid(&text, 3, &scratch);
    }
    sb_done(&text);
    sb_done(&scratch);
    return ok && at == key.len;
}

int digest_key_compare(const struct strbuf *a, const struct strbuf *b)
{
    const size_t n = a->len < b->len ? a->len : b->len;
    const int order = n ? memcmp(a->data, b->data, n) : 0;

    return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* ---- figures */

typedef unsigned __int128 squares;

static squares get_squares(const struct digest_record *r)
{
    return (squares)r->figures[DIGEST_SQUARES_HIGH] << 64 | r->figures[DIGEST_SQUARES_LOW];
}

static void add_squares(struct digest_record *r, squares added)
{
    const squares old = get_squares(r), most = ~(squares)0;
    const squares sum = old > most - added ? most : old + added;

    r->figures[DIGEST_SQUARES_HIGH] = (uint64_t)(sum >> 64);
    r->figures[DIGEST_SQUARES_LOW] = (uint64_t)sum;
}

static void add_extremes(struct digest_record *r, uint64_t count, uint64_t least, uint64_t most)
{
    if (!count)
        return;
    if (!r->figures[DIGEST_COUNT] || least < r->figures[DIGEST_LEAST])
        r->figures[DIGEST_LEAST] = least;
    if (most > r->figures[DIGEST_MOST])
        r->figures[DIGEST_MOST] = most;
}

static void add_figure(struct digest_record *r, enum digest_figure figure, uint64_t value)
{
    r->figures[figure] = add_up_to_limit(r->figures[figure], value);
}

void digest_record_time(struct digest_record *r, uint64_t ps)
{
    add_extremes(r, 1, ps, ps);
    add_figure(r, DIGEST_COUNT, 1);
    add_figure(r, DIGEST_SUM, ps);
    add_squares(r, (squares)ps * ps);
    sketch_add(&r->times_ps, ps);
}

void digest_record_merge(struct digest_record *r, const struct digest_record *from)
{
    const uint64_t *f = from->figures;

    add_extremes(r, f[DIGEST_COUNT], f[DIGEST_LEAST], f[DIGEST_MOST]);
    add_squares(r, get_squares(from));
    for (int i = 0; i < DIGEST_FIGURES; i++) {
        if (i == DIGEST_LEAST || i == DIGEST_MOST || i == DIGEST_SQUARES_HIGH ||
            i == DIGEST_SQUARES_LOW)
            continue;
        if (i != DIGEST_PEAK)
            add_figure(r, (enum digest_figure)i, f[i]);
        else if (f[i] > r->figures[i])
            r->figures[i] = f[i];
    }
    sketch_merge(&r->times_ps, &from->times_ps);
}

bool digest_record_is_valid(const struct digest_record *r)
{
    const uint64_t *f = r->figures;

    if (sketch_count(&r->times_ps) != f[DIGEST_COUNT] || f[DIGEST_LEAST] > f[DIGEST_MOST])
        return false;
    return f[DIGEST_COUNT] || !(f[DIGEST_SUM] || f[DIGEST_MOST] || get_squares(r));
}
