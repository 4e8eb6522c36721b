/* positions.c: reads a regex into its position automaton. */
#include "base/positions.h"

#include <string.h>

enum { MOST_DEPTH = 32, MOST_REPEATS = 200, NO_END = -1 };

/* A part of the regex; its positions are those from BEGIN to the newest. */
struct fragment {
    uint32_t begin;
    bool nullable;
    struct position_set first, last;
};

/* A group that is open: the alternatives read, and the one that is being. */
struct group {
    bool has_alternatives;
    bool at_start; /* nothing of the alternative has been read */
    struct fragment alternatives, sequence;
};

struct parser {
    struct positions *p;
    const char *at, *end;
    struct group groups[MOST_DEPTH];
    size_t depth; /* index of the innermost */
    bool caseless;
};

/* ---- sets of bytes */

static void add_range(struct byte_set *s, unsigned char from, unsigned char to)
{
    for (unsigned c = from; c <= to; c++)
        s->words[c / 64] |= UINT64_C(1) << c % 64;
}

static void invert(struct byte_set *s)
{
    s->words[0] = ~s->words[0];
    s->words[1] = ~s->words[1];
}

/* What \d, \s, \w and their opposites stand for; false for another letter. */
static bool add_class(struct byte_set *s, char letter)
{
    struct byte_set set = {{0}};

    switch (letter | 0x20) {
    case 'd':
        add_range(&set, '0', '9');
        break;
    case 's':
        add_range(&set, '\t', '\r');
        add_range(&set, ' ', ' ');
        break;
    case 'w':
        add_range(&set, '0', '9');
        add_range(&set, 'A', 'Z');
        add_range(&set, 'a', 'z');
        add_range(&set, '_', '_');
        break;
    default:
        return false;
    }
    if (letter < 'a')
        invert(&set);
    s->words[0] |= set.words[0];
    s->words[1] |= set.words[1];
    return true;
}

static void fold_case(struct byte_set *s)
{
    for (unsigned char c = 'a'; c <= 'z'; c++) {
        const unsigned char upper = (unsigned char)(c - 'a' + 'A');

        if (byte_in(s, c) || byte_in(s, upper)) {
            add_range(s, c, c);
            add_range(s, upper, upper);
        }
    }
}

/* ---- bytes and classes */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Behind "\x": two digits of ASCII. */
static bool read_hex(struct parser *r, unsigned char *byte)
{
    int high, low;

    if (r->end - r->at < 2)
        return false;
    high = hex_value(r->at[0]);
    low = hex_value(r->at[1]);
    r->at += 2;
    if (high < 0 || high > 7 || low < 0)
        return false;
    *byte = (unsigned char)(high * 16 + low);
    return true;
}

/* Behind the backslash: one byte, or a class, which IS_CLASS says. */
static bool read_escape(struct parser *r, struct byte_set *s, unsigned char *byte, bool *is_class)
{
    char c;

    *is_class = false;
    if (r->at == r->end)
        return false;
    c = *r->at++;
    if (c == 'x')
        return read_hex(r, byte);
    if (is_letter(c)) {
        *is_class = true;
        return add_class(s, c);
    }
    *byte = (unsigned char)c;
    return !is_digit(c) && *byte < 0x80 && c;
}

/* One element of a bracketed class. */
static bool read_class_byte(struct parser *r, struct byte_set *s, unsigned char *byte,
                            bool *is_class)
{
    const char c = *r->at++;

    *is_class = false;
    if (c == '\\')
        return read_escape(r, s, byte, is_class);
    *byte = (unsigned char)c;
    return c != '[' && *byte < 0x80; /* perhaps [:alpha:] */
}

/* Behind the bracket. */
static bool read_class(struct parser *r, struct byte_set *s)
{
    const bool inverted = r->at < r->end && *r->at == '^';
    const char *start;

    r->at += inverted;
    for (start = r->at; r->at < r->end && (*r->at != ']' || r->at == start);) {
        unsigned char from, to;
        bool is_class;

        if (!read_class_byte(r, s, &from, &is_class))
            return false;
        to = from;
        if (r->end - r->at > 1 && r->at[0] == '-' && r->at[1] != ']') {
            r->at++;
            if (is_class || !read_class_byte(r, s, &to, &is_class) || is_class || to < from)
                return false;
        }
        if (!is_class)
            add_range(s, from, to);
    }
    if (r->at == r->end)
        return false;
    r->at++;
    if (r->caseless)
        fold_case(s);
    if (inverted)
        invert(s);
    return true;
}

/* What one byte of the text may be; C is the first one of it. */
static bool read_bytes(struct parser *r, char c, struct byte_set *s)
{
    unsigned char byte = (unsigned char)c;
    bool is_class = false;

    if (c == '[')
        return read_class(r, s);
    if (c == '.') {
        add_range(s, '\n', '\n');
        invert(s);
        return true;
    }
    if (c == '\\') {
        if (!read_escape(r, s, &byte, &is_class))
            return false;
    } else if (strchr("^$*+?{()|", c) || byte >= 0x80) {
        return false;
    }
    if (!is_class)
        add_range(s, byte, byte);
    if (r->caseless && !is_class)
        fold_case(s);
    return true;
}

/* ---- fragments */

static struct fragment empty_fragment(const struct parser *r)
{
    return (struct fragment){.begin = r->p->n, .nullable = true};
}

static bool one_position(struct parser *r, char c, struct fragment *f)
{
    struct positions *p = r->p;

    *f = empty_fragment(r);
    if (p->n == MOST_POSITIONS)
        return false;
    memset(&p->bytes[p->n], 0, sizeof p->bytes[p->n]);
    memset(&p->follow[p->n], 0, sizeof p->follow[p->n]);
    if (!read_bytes(r, c, &p->bytes[p->n]))
        return false;
    f->nullable = false;
    position_add(&f->first, p->n);
    position_add(&f->last, p->n);
    p->n++;
    return true;
}

/* What ends in FROM may go on with TO. */
static void link_positions(struct positions *p, const struct position_set *from,
                           const struct position_set *to)
{
    for (uint32_t i = position_next(from, 0); i < MOST_POSITIONS; i = position_next(from, i + 1))
        position_join(&p->follow[i], to);
}

static void append(struct positions *p, struct fragment *f, const struct fragment *next)
{
    link_positions(p, &f->last, &next->first);
    if (f->nullable)
        position_join(&f->first, &next->first);
    if (next->nullable)
        position_join(&f->last, &next->last);
    else
        f->last = next->last;
    f->nullable = f->nullable && next->nullable;
}

static void add_alternative(struct group *g)
{
    if (g->has_alternatives) {
        position_join(&g->alternatives.first, &g->sequence.first);
        position_join(&g->alternatives.last, &g->sequence.last);
        g->alternatives.nullable = g->alternatives.nullable || g->sequence.nullable;
    } else {
        const uint32_t begin = g->alternatives.begin;

        g->alternatives = g->sequence;
        g->alternatives.begin = begin;
    }
    g->has_alternatives = true;
}

static struct position_set moved(const struct position_set *s, uint32_t by)
{
    struct position_set to = {{0}};

    for (uint32_t i = position_next(s, 0); i < MOST_POSITIONS; i = position_next(s, i + 1))
        position_add(&to, i + by);
    return to;
}

/* A second F, of positions of its own that stand BY further on. */
static struct fragment copy_of(struct positions *p, const struct fragment *f, uint32_t n,
                               uint32_t by)
{
    for (uint32_t i = f->begin; i < f->begin + n; i++) {
        p->bytes[i + by] = p->bytes[i];
        p->follow[i + by] = moved(&p->follow[i], by);
    }
    return (struct fragment){f->begin + by, f->nullable, moved(&f->first, by), moved(&f->last, by)};
}

/* F becomes LEAST to MOST times itself. */
static bool repeat(struct parser *r, struct fragment *f, int least, int most)
{
    struct positions *p = r->p;
    const uint32_t n = p->n - f->begin;
    const int copies = most == NO_END ? (least ? least : 1) : most;
    struct fragment all = {.begin = f->begin, .nullable = true};
    struct fragment each[MOST_REPEATS];

    if (copies > MOST_REPEATS || (most != NO_END && most < least) ||
        p->n + (copies ? (uint32_t)copies - 1 : 0) * (uint64_t)n > MOST_POSITIONS)
        return false;
    for (int i = 0; i < copies; i++)
        each[i] = i ? copy_of(p, f, n, (uint32_t)i * n) : *f;
    for (int i = 0; i < copies; i++) {
        if (most == NO_END && i == copies - 1)
            link_positions(p, &each[i].last, &each[i].first);
        each[i].nullable = each[i].nullable || i >= least;
        append(p, &all, &each[i]);
    }
    p->n += (copies ? (uint32_t)copies - 1 : 0) * n;
    *f = all;
    return true;
}

/* ---- the grammar */

static bool read_number(struct parser *r, int *number)
{
    const char *start = r->at;

    for (*number = 0; r->at < r->end && is_digit(*r->at) && r->at - start < 4; r->at++)
        *number = *number * 10 + (*r->at - '0');
    return r->at > start;
}

/* Behind the brace. */
static bool read_counts(struct parser *r, int *least, int *most)
{
    if (!read_number(r, least))
        return false;
    *most = *least;
    if (r->at < r->end && *r->at == ',') {
        r->at++;
        if (!read_number(r, most))
            *most = NO_END;
    }
    return r->at < r->end && *r->at++ == '}';
}

static bool read_quantifier(struct parser *r, struct fragment *f)
{
    int least = 0, most = NO_END;

    if (r->at == r->end || !strchr("*+?{", *r->at))
        return true;
    switch (*r->at++) {
    case '+':
        least = 1;
        break;
    case '?':
        most = 1;
        break;
    case '{':
        if (!read_counts(r, &least, &most))
            return false;
        break;
    default:
        break;
    }
    /* The lazy form finds the same whole matches; the possessive one does not. */
    if (r->at < r->end && *r->at == '?')
        r->at++;
    if (r->at < r->end && strchr("*+?{", *r->at))
        return false;
    return repeat(r, f, least, most);
}

static struct group *innermost(struct parser *r)
{
    return &r->groups[r->depth];
}

static void open_group(struct parser *r)
{
    *innermost(r) = (struct group){.at_start = true,
                                   .alternatives = empty_fragment(r),
                                   .sequence = empty_fragment(r)};
}

/* Behind the parenthesis. */
static bool read_group(struct parser *r)
{
    if (r->at < r->end && *r->at == '?') {
        if (r->end - r->at < 2 || r->at[1] != ':')
            return false;
        r->at += 2;
    } else if (r->at < r->end && *r->at == '*') {
        return false;
    }
    if (++r->depth == MOST_DEPTH)
        return false;
    open_group(r);
    return true;
}

static bool add_part(struct parser *r, struct fragment *f)
{
    struct group *g = innermost(r);

    g->at_start = false;
    if (!read_quantifier(r, f))
        return false;
    append(r->p, &g->sequence, f);
    return true;
}

static bool close_group(struct parser *r)
{
    struct fragment f;

    if (r->depth == 0)
        return false;
    add_alternative(innermost(r));
    f = innermost(r)->alternatives;
    r->depth--;
    return add_part(r, &f);
}

/* Every match is one of the whole text: ends of the regex need not be tied
 * down, and "$" finds no newline to stand before. */
static bool is_tie(const struct parser *r, char c)
{
    const bool at_end = r->at == r->end || *r->at == '|';

    return r->depth == 0 && ((c == '^' && r->groups[0].at_start &&
                              (r->at == r->end || !strchr("*+?{", *r->at))) ||
                             (c == '$' && at_end));
}

static bool read_part(struct parser *r)
{
    const char c = *r->at++;
    struct fragment f;

    if (c == '(')
        return read_group(r);
    if (c == ')')
        return close_group(r);
    if (c == '|') {
        add_alternative(innermost(r));
        innermost(r)->sequence = empty_fragment(r);
        innermost(r)->at_start = true;
        return true;
    }
    if (is_tie(r, c)) {
        innermost(r)->at_start = false;
        return true;
    }
    return one_position(r, c, &f) && add_part(r, &f);
}

bool positions_init(struct positions *p, const char *regex, size_t len)
{
    static const char caseless[] = "(?i)";
    struct parser r = {.p = p, .at = regex, .end = regex + len};

    p->n = 0;
    if (memchr(regex, '\0', len))
        return false;
    if (len >= sizeof caseless - 1 && memcmp(regex, caseless, sizeof caseless - 1) == 0) {
        r.caseless = true;
        r.at += sizeof caseless - 1;
    }
    open_group(&r);
    while (r.at < r.end)
        if (!read_part(&r))
            return false;
    if (r.depth)
        return false;
    add_alternative(innermost(&r));
    p->nullable = r.groups[0].alternatives.nullable;
    p->first = r.groups[0].alternatives.first;
    p->last = r.groups[0].alternatives.last;
    return true;
}

void positions_reverse(struct positions *to, const struct positions *from)
{
    memset(to->follow, 0, sizeof to->follow);
    memcpy(to->bytes, from->bytes, sizeof to->bytes);
    to->n = from->n;
    to->nullable = from->nullable;
    to->first = from->last;
    to->last = from->first;
    for (uint32_t i = 0; i < from->n; i++) {
        const struct position_set *next = &from->follow[i];

        for (uint32_t k = position_next(next, 0); k < from->n; k = position_next(next, k + 1))
            position_add(&to->follow[k], i);
    }
}
