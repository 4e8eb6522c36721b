/* record.c: keys and figures of a digest record. */
#include "digest/record.h"

#include <string.h>


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

/* ---- keys: a zero byte within a part is encoded as 00 FF; 00 01 ends the part */

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

/* The state of a scan over the bytes of a key. */
struct key_scan {
    struct text key;
    struct digest_key_ends *ends;
    uint32_t n_items; /* of the current list */
    bool zero;        /* the previous byte is a zero, so this one is its second byte */
    bool list_zero;   /* the same, for the inner encoding of a part that is a list */
};

/* Number of items in a group of a list; 0: the part is not a list. */
static uint32_t group_of(uint32_t part)
{
    return part == DIGEST_TYPES ? 1 : part == DIGEST_STACK ? 3 : 0;
}

static uint32_t part_begin(const struct digest_key_ends *ends)
{
    return ends->n ? ends->end[ends->n - 1] : 0;
}

/* Scans a decoded byte of a part; false when the encoding of its list is invalid. */
static bool scan_byte(struct key_scan *s, uint8_t byte)
{
    const bool is_second = s->list_zero;

    s->list_zero = group_of(s->ends->n) && !is_second && !byte;
    s->n_items += is_second && byte == END;
    return !is_second || byte == END || byte == WITHIN;
}

/* Ends a part whose encoded bytes end before AT; false when it is invalid. */
static bool scan_end(struct key_scan *s, uint32_t at)
{
    static const char item_end[] = {0, (char)WITHIN, END};
    const uint32_t group = group_of(s->ends->n), len = at - part_begin(s->ends);
    const bool is_whole = !len || (len >= sizeof item_end &&
                                   !memcmp(s->key.bytes + at - sizeof item_end, item_end,
                                           sizeof item_end));

    if (s->ends->n == DIGEST_KEYS || (group && (!is_whole || s->n_items % group)))
        return false;
    s->ends->end[s->ends->n++] = at + 2;
    s->n_items = 0;
    return true;
}

/* Scans the bytes [FROM, TO); false when they are not part of a valid key. */
static bool scan_key(struct key_scan *s, uint32_t from, uint32_t to)
{
    bool ok = true;

    for (uint32_t at = from; ok && at < to; at++) {
        const uint8_t byte = (uint8_t)s->key.bytes[at];

        if (s->zero && byte == END)
            ok = scan_end(s, at - 1);
        else if (s->zero)
            ok = byte == WITHIN && scan_byte(s, 0);
        else if (byte)
            ok = scan_byte(s, byte);
        s->zero = !s->zero && !byte;
    }
    return ok;
}

/* A scan that continues at AT, after the parts of ENDS.  In the encoding a zero is always the first
 * byte of a pair, so the bytes before AT determine whether AT is within a pair. */
static struct key_scan scan_at(struct text key, struct digest_key_ends *ends, uint32_t at)
{
    struct key_scan s = {.key = key, .ends = ends, .n_items = ends->n_items};
    const uint32_t begin = part_begin(ends);

    s.zero = at > begin && !key.bytes[at - 1];
    at -= s.zero;
    s.list_zero = group_of(ends->n) && at >= begin + 2 && !key.bytes[at - 2] &&
                  (uint8_t)key.bytes[at - 1] == WITHIN;
    return s;
}

void digest_key_ends_cut(struct digest_key_ends *ends, struct text key, uint32_t shared)
{
    const bool was_whole = ends->n == DIGEST_KEYS;
    const uint32_t stack_end = ends->end[DIGEST_STACK];

    while (ends->n && ends->end[ends->n - 1] > shared)
        ends->n--;
    ends->n_shared = ends->n;
    ends->n_items = 0;
    if (was_whole && ends->n == DIGEST_STACK && shared < stack_end - 2) {
        /* The list was complete, so the items cut off complete the last group. */
        const uint32_t group = group_of(DIGEST_STACK);
        struct key_scan s = scan_at(key, ends, shared);

        scan_key(&s, shared, stack_end - 2);
        ends->n_items = group - s.n_items % group;
    }
}

bool digest_key_ends_extend(struct digest_key_ends *ends, struct text key, uint32_t shared)
{
    struct key_scan s = scan_at(key, ends, shared);

    return scan_key(&s, shared, key.len) && ends->n == DIGEST_KEYS && part_begin(ends) == key.len;
}

struct budget digest_parts_budget(uint64_t input_bytes, struct cancel_mark cancel)
{
    enum { SHARE = 4 }; /* a byte of a name takes up to five bytes of memory */

    return budget_share(budget_of(input_bytes, cancel), SHARE);
}

bool digest_parts_read(struct digest_parts *parts, const struct strbuf *key,
                       const struct digest_key_ends *ends, struct budget *budget)
{
    const struct text all = {sb_text(key), (uint32_t)key->len};
    uint32_t at, paid_from;

    parts->n = ends->n_shared < parts->n ? ends->n_shared : parts->n;
    parts->first = parts->n;
    at = parts->n ? ends->end[parts->n - 1] : 0;
    /* Node names consist of two parts, and so do device names. */
    paid_from = parts->n <= DIGEST_NAME ? 0 : parts->n > DIGEST_KIND ? ends->end[DIGEST_STACK] : at;
    if (!budget_take(budget, all.len - paid_from, all.len - paid_from))
        return false;
    for (; parts->n < DIGEST_KEYS; parts->n++)
        digest_part_next(all, &at, &parts->text[parts->n]);
    return true;
}

void digest_parts_done(struct digest_parts *parts)
{
    for (int i = 0; i < DIGEST_KEYS; i++)
        sb_done(&parts->text[i]);
}

int digest_key_compare(const struct strbuf *a, const struct strbuf *b)
{
    return bytes_compare(a->data, a->len, b->data, b->len);
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
    KEEP_MAX(r->figures[DIGEST_MOST], most);
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
