/* regexes.c: a list of regexes that must match a whole name. */
#include "base/regex/regexes.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/regex/prefilter.h"
#include "base/regex/regex_engine.h"
#include "base/regex/search_form.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* Limits on the cost of a match. PCRE2 counts backtracking steps, and each step may read to the end
 * of the text, so work is steps times bytes. PCRE2 does not report how many steps it took, so a
 * match is retried with growing limits. */
enum {
    /* Step limit of a search per start position. Nearly all searches stay below it. */
    SEARCH_STEPS = 32,
    SEARCH_WORK = 1 << 13,
    SEARCH_BYTES = 2048,
    /* Work that each match may use without charging the list. Nearly all regexes stay below it. */
    FREE_WORK = 1 << 18,
    FREE_STEPS = 2048, /* step limit for long texts; two steps per byte for short ones */
    /* Maximum work per match: 0.2 ms if steps are short. */
    MAX_WORK = 1 << 24,
};
/* Work limit of a list over all texts, beyond FREE_WORK per match: about 60 ms. */
#define LIST_WORK (UINT64_C(1) << 32)

struct item {
    char *text;
    struct regex_engine any;   /* for all names */
    struct regex_engine plain; /* for plain names: same result, at least twice as fast */
    struct search_form form;   /* regex of PLAIN, if SEARCHES */
    bool searches;
    bool searches_first; /* search before the prefilter, which would read more bytes */
    /* A regex without special characters is compared, not matched. */
    char *literal;
    size_t literal_len;
    struct prefilter prefilter; /* decides many names without the engine */
    bool matches_all; /* regex is ".*"; matches if the name has no newline */
};

struct regexes {
    VEC(struct item) items;
    /* An unused matcher, because creating one costs more than a match. A thread takes it for a
     * match, or creates another if it is taken. */
    _Atomic(struct regex_matcher *) spare;
    bool wildcard;
    _Atomic uint64_t work; /* work charged so far, beyond FREE_WORK */
    _Atomic size_t n_undecided;
    _Atomic size_t undecided_item; /* index of the first undecided item; SIZE_MAX: none */
};

struct compile_state {
    struct regexes *r;
    const char *list;
    struct err *err;
    bool ok;
};

/* Decodes an escape that regexes_quote() produces. Returns its length after the backslash and
 * stores the byte; 0 for other escapes. */
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

/* Returns the literal of *N bytes that a regex without metacharacters matches; NULL if it has any.
 * TEXT is NUL-terminated. */
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

/* Compiles the engine for plain names. Leaves it empty if there is no such form. */
static void set_plain_engine(struct item *item, const char *text, size_t len)
{
    unsigned flags = REGEX_BYTES;
    struct strbuf reason = {0};
    size_t at;

    /* In ASCII text bytes and characters are the same. */
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
        item->searches &&
        ((item->form.open_start && item->prefilter.needed_is_first) || item->form.max_len);
    sb_done(&reason);
}

/* Maps byte AT of the item at OFFSET to its byte in LIST, where commas of an item are preceded by a
 * backslash. */
static size_t byte_in_list(const char *list, size_t offset, size_t at)
{
    for (size_t i = 0; i < at && list[offset]; i++) {
        if (list[offset] == '\\' && list[offset + 1] == ',')
            offset++;
        else if (list[offset] == '\\' && list[offset + 1] && i + 1 < at)
            offset++, i++;
        offset++;
    }
    return offset;
}

static void compile_item(const char *text, size_t len, size_t offset, void *arg)
{
    struct compile_state *state = arg;
    struct regexes *r = state->r;
    struct item item = {0};
    struct strbuf reason = {0};
    size_t at;

    if (!state->ok)
        return;
    /* any bytes can be compared, even invalid UTF-8, which the engine rejects */
    item.literal = literal_of(text, len, &item.literal_len);
    if (!item.literal && !regex_engine_init(&item.any, text, len, 0, &reason, &at)) {
        err_set(state->err, ERR_USAGE, "#%zu, column %zu: %s in '%s'", r->items.n + 1, at + 1,
                sb_text(&reason), text);
        state->ok = err_set_position(state->err, r->items.n + 1,
                                     byte_in_list(state->list, offset, at));
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
    struct compile_state state = {r, list, err, true};

    atomic_init(&r->undecided_item, SIZE_MAX);
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
        EACH(free, r->items.data[i].text, r->items.data[i].literal);
        prefilter_done(&r->items.data[i].prefilter);
        search_form_done(&r->items.data[i].form);
        EACH(regex_engine_done, &r->items.data[i].any, &r->items.data[i].plain);
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

static struct regex_matcher *acquire_matcher(struct regexes *r)
{
    struct regex_matcher *matcher = atomic_exchange(&r->spare, NULL);

    return matcher ? matcher : regex_matcher_new();
}

/* MATCHER may be NULL. */
static void release_matcher(const struct regexes *r, struct regex_matcher *matcher)
{
    if (matcher)
        regex_matcher_free(atomic_exchange(&((struct regexes *)(uintptr_t)r)->spare, matcher));
}

static void add_undecided(struct regexes *r, size_t i)
{
    size_t first = atomic_load(&r->undecided_item);

    atomic_fetch_add(&r->n_undecided, 1);
    while (i < first && !atomic_compare_exchange_weak(&r->undecided_item, &first, i))
        continue;
}

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static enum regex_answer search(const struct item *item, const struct text *text,
                                struct regex_matcher *matcher)
{
    const size_t start = search_form_start(&item->form, text->bytes, text->len);
    const uint32_t n_starts = text->len - (uint32_t)start + 1;

    if (item->form.max_len &&
        !prefilter_has_needed(&item->prefilter, text->bytes + start, text->len - start))
        return REGEX_NO;
    if (n_starts > SEARCH_BYTES)
        return REGEX_TOO_MUCH;
    return regex_engine_match(&item->plain, text, start,
                              min(SEARCH_STEPS, SEARCH_WORK / n_starts), matcher);
}

/* Matches with growing limits until the work budget of the list is used up. */
static enum regex_answer match_within_budget(struct regexes *r, const struct regex_engine *engine,
                                             const struct text *text,
                                             struct regex_matcher *matcher)
{
    /* cost of a step: its own, plus the bytes that it may read */
    const uint32_t step_work = text->len + 64;
    const uint32_t by_len = min(FREE_STEPS, text->len * 2), by_work = FREE_WORK / step_work;
    const uint32_t free_steps = by_len > by_work ? by_len : by_work;
    enum regex_answer answer = regex_engine_match(engine, text, 0, free_steps, matcher);

    for (uint32_t work = FREE_WORK * 8; work <= MAX_WORK && answer == REGEX_TOO_MUCH; work *= 8) {
        if (work / step_work <= free_steps)
            continue;
        if (atomic_fetch_add(&r->work, work) + work > LIST_WORK)
            break;
        answer = regex_engine_match(engine, text, 0, work / step_work, matcher);
    }
    return answer;
}

/* *MATCHER is taken if it is NULL, and reused by the following matches. */
static bool match_by_engine(const struct regexes *r, size_t i, bool is_plain,
                            const struct text *text, struct regex_matcher **matcher)
{
    /* Matching changes only the spare matcher and the counters, which are atomic. */
    struct regexes *own = (struct regexes *)(uintptr_t)r;
    const struct item *item = &r->items.data[i];
    enum regex_answer answer = REGEX_TOO_MUCH;

    if (!*matcher)
        *matcher = acquire_matcher(own);
    if (is_plain && item->searches) {
        answer = search(item, text, *matcher);
        is_plain = false;
    }
    if (answer == REGEX_TOO_MUCH)
        answer = match_within_budget(own, is_plain ? &item->plain : &item->any, text, *matcher);
    if (answer == REGEX_TOO_MUCH)
        add_undecided(own, i);
    return answer == REGEX_YES;
}

bool regexes_gave_up(const struct regexes *r)
{
    return atomic_load_explicit(&((struct regexes *)(uintptr_t)r)->work, memory_order_relaxed) >
           LIST_WORK;
}

static bool match_item(const struct regexes *r, size_t i, const struct text *text,
                       struct regex_matcher **matcher)
{
    const struct item *item = &r->items.data[i];
    enum prefilter_answer answer;
    bool is_plain;

    if (regexes_gave_up(r))
        return false;
    if (item->literal)
        return text->len == item->literal_len &&
               memcmp(text->bytes, item->literal, text->len) == 0;
    if (item->searches && item->form.is_tail && !search_form_ends(&item->form, text->bytes, text->len))
        return false;
    is_plain = item->searches_first && text_is_plain(text->bytes, text->len);
    if (is_plain && item->form.is_tail)
        return true;
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

    release_matcher(r, matcher);
    return matches;
}

bool regexes_group(const struct regexes *r, size_t i, const char *text, size_t len, size_t *at,
                   size_t *n)
{
    struct regexes *own = (struct regexes *)(uintptr_t)r;
    const struct text whole = {text, (uint32_t)len};
    struct regex_matcher *matcher;
    bool is_set;

    if (r->items.data[i].literal || regexes_gave_up(r))
        return false;
    matcher = acquire_matcher(own);
    is_set = match_within_budget(own, &r->items.data[i].any, &whole, matcher) == REGEX_YES &&
             regex_matcher_group(matcher, at, n);
    release_matcher(r, matcher);
    return is_set;
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
    release_matcher(r, matcher);
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

bool regexes_is_decided(const struct regexes *r)
{
    return !regexes_gave_up(r) && regexes_undecided(r) == 0;
}

size_t regexes_undecided(const struct regexes *r)
{
    return atomic_load(&((struct regexes *)(uintptr_t)r)->n_undecided);
}

void regexes_note_undecided(const struct regexes *r, const char *option, size_t n_texts,
                            struct notes *notes)
{
    const size_t n = regexes_gave_up(r) ? n_texts : regexes_undecided(r);
    const size_t first = atomic_load(&((struct regexes *)(uintptr_t)r)->undecided_item);
    const size_t i = first == SIZE_MAX ? 0 : first;

    if (!regexes_is_decided(r)) {
        notes->is_undecided = true;
        note_add(notes, "%s #%zu '%s': work limit exceeded on %zu name%s, which %s not match", option,
                 i + 1, r->items.data[i].text, n, n == 1 ? "" : "s", n == 1 ? "does" : "do");
    }
}
