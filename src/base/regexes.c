/* regexes.c: a list of regexes that must match a whole name. */
#include "base/regexes.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prefilter.h"
#include "base/regex_engine.h"
#include "base/search_form.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* Steps that one match may take before it is given up: a catastrophic pattern
 * costs milliseconds a name, an honest one never comes near. */
enum { MATCH_LIMIT = 200000 };

struct item {
    char *text;
    struct regex_engine any;   /* for all names */
    struct regex_engine plain; /* for plain names: the same answer in half the time or less */
    struct search_form form;   /* what PLAIN looks for, when SEARCHES */
    bool searches;
    bool searches_first; /* before the prefilter, which would not spare a thing */
    /* A literal (nothing special that is not escaped) is compared, not matched. */
    char *literal;
    size_t literal_len;
    struct prefilter prefilter; /* decides many names without the engine */
    bool matches_all; /* exactly ".*" and the name has no newline */
};

struct regexes {
    VEC(struct item) items;
    /* A matcher at rest: making one costs more than a match.  Whoever matches
     * takes it, or makes another when a thread has it already. */
    _Atomic(struct regex_matcher *) spare;
    bool wildcard;
    _Atomic size_t limit_hits;
    _Atomic size_t limit_item;
};

struct compile_state {
    struct regexes *r;
    struct err *err;
    bool ok;
};

/* The byte that the escape behind a backslash stands for, of those that
 * regexes_quote() makes, and how long it is; 0: something else. */
static size_t escaped_byte(const char *text, size_t len, char *byte)
{
    unsigned value;

    if (!len || (unsigned char)text[0] >= 0x80)
        return 0;
    *byte = text[0];
    if (!isalnum((unsigned char)text[0]))
        return 1;
    if (len < 3 || !isxdigit((unsigned char)text[1]) || !isxdigit((unsigned char)text[2]) ||
        sscanf(text, "x%2x", &value) != 1 || value >= 0x80)
        return 0;
    *byte = (char)value;
    return 3;
}

/* The text that a regex without any choice stands for, of *N bytes; NULL when
 * it is none.  TEXT is terminated. */
static char *literal_of(const char *text, size_t len, size_t *n)
{
    char *literal = xmalloc(len + 1);

    *n = 0;
    for (size_t i = 0; i < len; i++) {
        size_t used = 0;

        if (!strchr("\\^$.[]|()?*+{}", text[i]))
            literal[*n] = text[i];
        else if (text[i] == '\\' && (used = escaped_byte(text + i + 1, len - i - 1, &literal[*n])))
            i += used;
        else {
            free(literal);
            return NULL;
        }
        ++*n;
    }
    return literal;
}

static bool is_ascii(const char *text, size_t len)
{
    const uint64_t high_bits = 0x8080808080808080u;
    uint64_t word = 0;

    for (; len >= 8; text += 8, len -= 8) {
        memcpy(&word, text, 8);
        if (word & high_bits)
            return false;
    }
    word = 0;
    memcpy(&word, text, len);
    return !(word & high_bits);
}

/* Sets the engine for plain names; no code when there is none. */
static void set_plain_engine(struct item *item, const char *text, size_t len)
{
    unsigned flags = REGEX_BYTES;
    struct strbuf reason = {0};
    size_t at;

    /* Bytes and characters are the same thing where all is ASCII. */
    if (!is_ascii(text, len))
        return;
    item->searches = search_form_init(&item->form, text, len);
    if (item->searches) {
        flags |= (item->form.open_start ? REGEX_OPEN_START : 0) |
                 (item->form.open_end ? REGEX_OPEN_END : 0);
        text = sb_text(&item->form.regex);
        len = item->form.regex.len;
    }
    item->searches =
        regex_engine_init(&item->plain, text, len, flags, &reason, &at) && item->searches;
    item->searches_first =
        item->searches && (item->prefilter.needed_is_first || item->form.max_len);
    sb_done(&reason);
}

static void compile_item(const char *text, size_t len, size_t offset, void *arg)
{
    struct compile_state *state = arg;
    struct regexes *r = state->r;
    struct item item = {0};
    struct strbuf reason = {0};
    size_t at;

    (void)offset;
    if (!state->ok)
        return;
    /* Any bytes can be compared, also those that are no text to the engine. */
    item.literal = literal_of(text, len, &item.literal_len);
    if (!item.literal && !regex_engine_init(&item.any, text, len, 0, &reason, &at)) {
        state->ok = err_set(state->err, ERR_USAGE, "#%zu, column %zu: %s in '%s'",
                            r->items.n + 1, at + 1, sb_text(&reason), text);
        sb_done(&reason);
        return;
    }
    item.text = xmemdupz(text, len);
    item.matches_all = strcmp(text, ".*") == 0;
    prefilter_init(&item.prefilter, text, len);
    if (!item.literal && !item.prefilter.is_whole)
        set_plain_engine(&item, text, len);
    vec_push(&r->items, item);
}

struct regexes *regexes_new(const char *list, struct err *err)
{
    struct regexes *r = xcalloc(1, sizeof *r);
    struct compile_state state = {r, err, true};

    regexes_split(list, compile_item, &state);
    if (!state.ok) {
        regexes_free(r);
        return NULL;
    }
    r->wildcard = r->items.n == 1 && r->items.data[0].matches_all;
    return r;
}

void regexes_free(struct regexes *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->items.n; i++) {
        free(r->items.data[i].text);
        free(r->items.data[i].literal);
        prefilter_done(&r->items.data[i].prefilter);
        search_form_done(&r->items.data[i].form);
        regex_engine_done(&r->items.data[i].any);
        regex_engine_done(&r->items.data[i].plain);
    }
    vec_done(&r->items);
    regex_matcher_free(atomic_load(&r->spare));
    free(r);
}

size_t regexes_count(const struct regexes *r)
{
    return r->items.n;
}

const char *regexes_item(const struct regexes *r, size_t i)
{
    return r->items.data[i].text;
}

bool regexes_is_wildcard(const struct regexes *r)
{
    return r->wildcard;
}

static struct regex_matcher *take_matcher(struct regexes *r)
{
    struct regex_matcher *matcher = atomic_exchange(&r->spare, NULL);

    return matcher ? matcher : regex_matcher_new();
}

/* NULL is fine. */
static void give_matcher(const struct regexes *r, struct regex_matcher *matcher)
{
    if (matcher)
        regex_matcher_free(atomic_exchange(&((struct regexes *)(uintptr_t)r)->spare, matcher));
}

static void count_limit_hit(struct regexes *r, size_t i)
{
    if (atomic_fetch_add(&r->limit_hits, 1) == 0)
        atomic_store(&r->limit_item, i);
}

/* *MATCHER is for this match and those that follow, taken when it is NULL. */
static bool match_by_engine(const struct regexes *r, size_t i, bool is_plain,
                            const struct text *text, struct regex_matcher **matcher)
{
    /* The spare matcher and the counters are all that matching changes. */
    struct regexes *own = (struct regexes *)(uintptr_t)r;
    const struct item *item = &r->items.data[i];
    const size_t start =
        is_plain && item->searches ? search_form_start(&item->form, text->bytes, text->len) : 0;
    enum regex_answer answer;

    if (!*matcher)
        *matcher = take_matcher(own);
    answer = regex_engine_match(is_plain ? &item->plain : &item->any, text, start, MATCH_LIMIT,
                                *matcher);
    if (answer == REGEX_TOO_MUCH)
        count_limit_hit(own, i);
    return answer == REGEX_YES;
}

static bool match_item(const struct regexes *r, size_t i, const struct text *text,
                       struct regex_matcher **matcher)
{
    const struct item *item = &r->items.data[i];
    enum prefilter_answer answer;
    bool is_plain;

    if (item->literal)
        return text->len == item->literal_len &&
               memcmp(text->bytes, item->literal, text->len) == 0;
    is_plain = item->searches_first && text_is_plain(text->bytes, text->len);
    if (!is_plain) {
        answer = prefilter_match(&item->prefilter, text->bytes, text->len);
        if (answer != PREFILTER_MAYBE)
            return answer == PREFILTER_YES;
        is_plain = item->plain.code && text_is_plain(text->bytes, text->len);
    }
    return match_by_engine(r, i, is_plain, text, matcher);
}

bool regexes_match_item(const struct regexes *r, size_t i, const char *text, size_t len)
{
    const struct text whole = {text, (uint32_t)len};
    struct regex_matcher *matcher = NULL;
    const bool matches = match_item(r, i, &whole, &matcher);

    give_matcher(r, matcher);
    return matches;
}

int regexes_match(const struct regexes *r, const char *text, size_t len)
{
    for (size_t i = 0; i < r->items.n; i++)
        if (regexes_match_item(r, i, text, len))
            return (int)i;
    return -1;
}

void regexes_match_many(const struct regexes *r, const struct text *texts, size_t n,
                        uint8_t *matches)
{
    struct regex_matcher *matcher = NULL;

    memset(matches, 0, n);
    for (size_t i = 0; i < r->items.n; i++)
        for (size_t k = 0; k < n; k++)
            matches[k] = matches[k] || match_item(r, i, &texts[k], &matcher);
    give_matcher(r, matcher);
}

bool regexes_implies(const struct regexes *narrow, const struct regexes *wide)
{
    for (size_t i = 0; i < narrow->items.n; i++) {
        bool found = false;

        for (size_t k = 0; k < wide->items.n && !found; k++)
            found = prefilter_implies(&narrow->items.data[i].prefilter,
                                      &wide->items.data[k].prefilter);
        if (!found)
            return false;
    }
    return true;
}

size_t regexes_limit_hits(const struct regexes *r, size_t *item)
{
    *item = atomic_load(&((struct regexes *)(uintptr_t)r)->limit_item);
    return atomic_load(&((struct regexes *)(uintptr_t)r)->limit_hits);
}
