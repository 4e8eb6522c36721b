/* prefilter.c: finds literals that every match of a regex contains. */
#include "base/regex/prefilter.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex/regex_reader.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/text.h"
#include "base/xalloc.h"

/* The regex elements that the analysis supports. Any other element ends it. */
enum token_kind { TOKEN_LITERAL, TOKEN_ANY, TOKEN_OPAQUE, TOKEN_UNKNOWN };
enum quantifier { ONCE, STAR, PLUS, OPTIONAL };

struct token {
    enum token_kind kind;
    char literal;
    enum quantifier quantifier;
};

/* C is the character after the backslash. */
static void read_escape(char c, struct token *t)
{
    if (strchr("dDwWsS", c)) {
        t->kind = TOKEN_OPAQUE;
    } else if (!is_alphanumeric(c) && (unsigned char)c < 0x80 && c != '\n') {
        t->kind = TOKEN_LITERAL;
        t->literal = c;
    }
}

static void read_quantifier(struct regex_reader *r, struct token *t)
{
    if (r->at == r->end)
        return;
    switch (*r->at) {
    case '*':
        t->quantifier = STAR;
        break;
    case '+':
        t->quantifier = PLUS;
        break;
    case '?':
        t->quantifier = OPTIONAL;
        break;
    case '{':
        t->kind = TOKEN_UNKNOWN;
        return;
    default:
        return;
    }
    r->at++;
    if (r->at < r->end && (*r->at == '?' || *r->at == '+'))
        t->kind = TOKEN_UNKNOWN; /* lazy and possessive quantifiers are rare */
}

static struct token read_token(struct regex_reader *r)
{
    struct token t = {.kind = TOKEN_UNKNOWN};
    const char *begin = r->at;

    if (*begin == '(' ? !regex_skip_group(r) : !regex_skip_element(r))
        return t;
    if (*begin == '\\') {
        read_escape(begin[1], &t);
    } else if (*begin == '[' || *begin == '(') {
        t.kind = TOKEN_OPAQUE;
    } else if (*begin == '.') {
        t.kind = TOKEN_ANY;
    } else if (!strchr("^$|)*+?{\n", *begin) && (unsigned char)*begin < 0x80) {
        t.kind = TOKEN_LITERAL;
        t.literal = *begin;
    }
    if (t.kind != TOKEN_UNKNOWN)
        read_quantifier(r, &t);
    return t;
}

struct analysis {
    struct prefilter *prefilter;
    struct strbuf run; /* consecutive literals */
    size_t run_begin;  /* index of the first token of the run */
    size_t n_tokens;
    VEC(struct prefilter_part) parts;
    size_t needed_rarity;
    bool is_whole;
};

/* Rank of C by frequency in node names: the most common character has the lowest. */
static size_t rarity_of(char c)
{
    /* Most common first. Characters that are not listed are rare. */
    static const char common[] = "_/eartnoisd0l1cg2uvmp3b4h5f6w7k8y9";
    const char *at = memchr(common, c, sizeof common - 1);

    return at ? (size_t)(at - common) : sizeof common;
}

/* Makes a part of the literals in RUN, and stores the sum of the ranks of its bytes in *RARITY. */
static struct prefilter_part new_part(const struct strbuf *run, size_t *rarity)
{
    struct prefilter_part part = {xmemdupz(run->data, run->len), run->len, 0};

    *rarity = 0;
    for (size_t i = 0; i < part.len; i++) {
        *rarity += rarity_of(part.bytes[i]);
        if (rarity_of(part.bytes[i]) > rarity_of(part.bytes[part.rare]))
            part.rare = i;
    }
    return part;
}

static void end_run(struct analysis *a)
{
    enum { COMMON = 16 }; /* parts with at most this sum of ranks occur in nearly all names */
    struct prefilter *p = a->prefilter;
    size_t rarity;

    if (a->run.len == 0)
        return;
    vec_push(&a->parts, new_part(&a->run, &rarity));
    if (rarity > COMMON && rarity > a->needed_rarity) {
        free(p->needed.bytes);
        p->needed = new_part(&a->run, &a->needed_rarity);
        p->needed_is_first = a->run_begin == (p->open_start ? 1 : 0);
    }
    sb_clear(&a->run);
}

static void free_parts(struct prefilter_part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(parts[i].bytes);
    free(parts);
}

static bool add_token(struct analysis *a, const struct token *t)
{
    const size_t number = a->n_tokens++;

    if (t->kind == TOKEN_UNKNOWN)
        return false;
    if (a->run.len == 0)
        a->run_begin = number;
    if (t->kind == TOKEN_LITERAL && (t->quantifier == ONCE || t->quantifier == PLUS))
        sb_addc(&a->run, t->literal);
    if (t->kind == TOKEN_LITERAL && t->quantifier == ONCE) {
        a->prefilter->open_end = false;
        return true;
    }
    end_run(a);
    a->prefilter->open_end = t->kind == TOKEN_ANY && t->quantifier == STAR;
    a->is_whole = a->is_whole && a->prefilter->open_end;
    if (number == 0)
        a->prefilter->open_start = a->prefilter->open_end;
    return true;
}

void prefilter_init(struct prefilter *p, const char *regex, size_t len)
{
    struct analysis a = {.prefilter = p, .is_whole = true};
    struct regex_reader r = {regex, regex + len, 0};
    bool known = true;

    memset(p, 0, sizeof *p);
    while (known && r.at < r.end) {
        struct token t = read_token(&r);

        known = add_token(&a, &t);
    }
    end_run(&a);
    sb_done(&a.run);
    p->is_whole = known && a.is_whole;
    if (p->is_whole) {
        p->parts = a.parts.data;
        p->n_parts = a.parts.n;
    } else {
        free_parts(a.parts.data, a.parts.n);
    }
    if (!known) {
        /* An alternative may follow. */
        free(p->needed.bytes);
        p->needed = (struct prefilter_part){NULL, 0, 0};
    }
}

void prefilter_done(struct prefilter *p)
{
    free_parts(p->parts, p->n_parts);
    free(p->needed.bytes);
    memset(p, 0, sizeof *p);
}

/* A vector of bytes. */
typedef int8_t block __attribute__((vector_size(16)));

/* Nonzero where a byte is a newline or not ASCII. */
static block odd_bytes(const char *text)
{
    block bytes;

    memcpy(&bytes, text, sizeof bytes);
    return (bytes < 0) | (bytes == '\n');
}

static bool has_odd(block odd)
{
    uint64_t words[2];

    memcpy(words, &odd, sizeof words);
    return words[0] | words[1];
}

/* Like odd_bytes(), for a text shorter than a block. Reads some bytes twice, which is cheaper than
 * copying a variable number of bytes. */
static block odd_bytes_of_short(const char *text, size_t len)
{
    char bytes[sizeof(block)] = {0};

    if (len >= 8) {
        memcpy(bytes, text, 8);
        memcpy(bytes + 8, text + len - 8, 8);
    } else if (len >= 4) {
        memcpy(bytes, text, 4);
        memcpy(bytes + 8, text + len - 4, 4);
    } else {
        for (size_t i = 0; i < len; i++)
            bytes[i] = text[i];
    }
    return odd_bytes(bytes);
}

bool text_is_plain(const char *text, size_t len)
{
    enum { STEP = 2 * sizeof(block) };
    const char *const end = text + len;
    block odd = {0};

    if (len < sizeof odd)
        return !has_odd(odd_bytes_of_short(text, len));
    if (len > STEP) {
        for (; text + STEP < end; text += STEP)
            odd |= odd_bytes(text) | odd_bytes(text + sizeof odd);
        text = end - STEP; /* the last bytes; may overlap the previous ones */
    }
    return !has_odd(odd | odd_bytes(text) | odd_bytes(end - sizeof odd));
}

/* Finds PART in TEXT by searching for its rarest byte. For short names this is faster than
 * memmem(). */
static const char *find(const char *text, size_t len, const struct prefilter_part *part)
{
    const char *at, *end;

    if (len < part->len)
        return NULL;
    end = text + len - (part->len - 1) + part->rare;
    for (at = text + part->rare; at < end; at++) {
        at = memchr(at, part->bytes[part->rare], (size_t)(end - at));
        if (!at)
            return NULL;
        if (memcmp(at - part->rare, part->bytes, part->len) == 0)
            return at - part->rare;
    }
    return NULL;
}

/* True if TEXT contains the parts in order, each after the end of the one before. */
static bool has_parts(const struct prefilter *p, const char *text, size_t len)
{
    size_t first = 0, last = p->n_parts;
    const char *end = text + len;

    if (!p->open_start && p->n_parts) {
        const struct prefilter_part *part = &p->parts[first++];

        if (len < part->len || memcmp(text, part->bytes, part->len) != 0)
            return false;
        text += part->len;
    }
    if (!p->open_end && last > first) {
        const struct prefilter_part *part = &p->parts[--last];

        if ((size_t)(end - text) < part->len ||
            memcmp(end - part->len, part->bytes, part->len) != 0)
            return false;
        end -= part->len;
    }
    for (; first < last; first++) {
        text = find(text, (size_t)(end - text), &p->parts[first]);
        if (!text)
            return false;
        text += p->parts[first].len;
    }
    /* Without any ".*" the part must be the whole text. */
    return p->open_start || p->open_end || p->n_parts > 1 || text == end;
}

bool prefilter_has_needed(const struct prefilter *p, const char *text, size_t len)
{
    if (!p->needed.bytes)
        return true;
    if (p->needed_is_first && !p->open_start)
        return len >= p->needed.len && memcmp(text, p->needed.bytes, p->needed.len) == 0;
    return find(text, len, &p->needed);
}

enum prefilter_answer prefilter_match(const struct prefilter *p, const char *text, size_t len)
{
    if (p->is_whole) {
        if (!has_parts(p, text, len))
            return PREFILTER_NO;
        return text_is_plain(text, len) ? PREFILTER_YES : PREFILTER_MAYBE;
    }
    return prefilter_has_needed(p, text, len) ? PREFILTER_MAYBE : PREFILTER_NO;
}

bool prefilter_implies(const struct prefilter *narrow, const struct prefilter *wide)
{
    if (!narrow->is_whole || !wide->is_whole || !wide->open_start || !wide->open_end ||
        wide->n_parts != 1)
        return false;
    for (size_t i = 0; i < narrow->n_parts; i++)
        if (find(narrow->parts[i].bytes, narrow->parts[i].len, &wide->parts[0]))
            return true;
    return false;
}
