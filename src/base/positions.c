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
    struct regex_reader in;
    struct group groups[MOST_DEPTH];
    size_t depth; /* index of the innermost */
};

/* ---- fragments */

static struct fragment empty_fragment(const struct parser *r)
{
    return (struct fragment){.begin = r->p->n, .nullable = true};
}

static bool one_position(struct parser *r, struct fragment *f)
{
    struct positions *p = r->p;

    *f = empty_fragment(r);
    if (p->n == MOST_POSITIONS)
        return false;
    memset(&p->bytes[p->n], 0, sizeof p->bytes[p->n]);
    memset(&p->follow[p->n], 0, sizeof p->follow[p->n]);
    if (!byte_set_read(&p->bytes[p->n], &r->in))
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

static bool read_number(struct regex_reader *in, int *number)
{
    enum { MOST_DIGITS = 4 };
    const char *start = in->at;

    for (*number = 0; in->at < in->end && in->at - start < MOST_DIGITS; in->at++) {
        if (*in->at < '0' || *in->at > '9')
            break;
        *number = *number * 10 + (*in->at - '0');
    }
    return in->at > start;
}

/* Behind the brace. */
static bool read_counts(struct regex_reader *in, int *least, int *most)
{
    if (!read_number(in, least))
        return false;
    *most = *least;
    if (in->at < in->end && *in->at == ',') {
        in->at++;
        if (!read_number(in, most))
            *most = NO_END;
    }
    return in->at < in->end && *in->at++ == '}';
}

static bool read_quantifier(struct parser *r, struct fragment *f)
{
    int least = 0, most = NO_END;

    if (r->in.at == r->in.end || !strchr("*+?{", *r->in.at))
        return true;
    switch (*r->in.at++) {
    case '+':
        least = 1;
        break;
    case '?':
        most = 1;
        break;
    case '{':
        if (!read_counts(&r->in, &least, &most))
            return false;
        break;
    default:
        break;
    }
    /* The lazy form finds the same whole matches; the possessive one does not. */
    if (r->in.at < r->in.end && *r->in.at == '?')
        r->in.at++;
    if (r->in.at < r->in.end && strchr("*+?{", *r->in.at))
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
    if (r->in.at < r->in.end && *r->in.at == '?') {
        if (r->in.end - r->in.at < 2 || r->in.at[1] != ':')
            return false;
        r->in.at += 2;
    } else if (r->in.at < r->in.end && *r->in.at == '*') {
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
    const bool at_end = r->in.at == r->in.end || *r->in.at == '|';

    return r->depth == 0 && ((c == '^' && r->groups[0].at_start &&
                              (r->in.at == r->in.end || !strchr("*+?{", *r->in.at))) ||
                             (c == '$' && at_end));
}

static bool read_part(struct parser *r)
{
    const char c = *r->in.at++;
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
    r->in.at--; /* the byte itself is part of what is read */
    return one_position(r, &f) && add_part(r, &f);
}

bool positions_init(struct positions *p, const char *regex, size_t len)
{
    static const char caseless[] = "(?i)";
    struct parser r = {.p = p, .in = {regex, regex + len, false}};

    p->n = 0;
    if (memchr(regex, '\0', len))
        return false;
    if (len >= sizeof caseless - 1 && memcmp(regex, caseless, sizeof caseless - 1) == 0) {
        r.in.caseless = true;
        r.in.at += sizeof caseless - 1;
    }
    open_group(&r);
    while (r.in.at < r.in.end)
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
