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

/* What a match may cost.  PCRE2 counts the steps that it goes back, and a step
 * may read on to the end of the text: work is steps times bytes.  It does not
 * tell how many steps it took, so a match is tried within limits that grow. */
enum {
    /* A search, from each byte of a text: what nearly all searches take. */
    SEARCH_STEPS = 32,
    SEARCH_WORK = 1 << 13,
    SEARCH_BYTES = 2048,
    /* What every match may take: more than nearly all that people write. */
    FREE_WORK = 1 << 18,
    FREE_STEPS = 2048, /* of a long text; of a short one two steps a byte */
    /* The most that is tried: 0.2 ms where a step is short. */
    MAX_WORK = 1 << 24,
};
/* All texts of a list together, what is free apart: some 60 ms. */
#define LIST_WORK (UINT64_C(1) << 32)

struct item {
    char *text;
    struct regex_engine any;   /* for all names */
    struct regex_engine plain; /* for plain names: the same answer in half the time or less */
    struct search_form form;   /* what PLAIN looks for, when SEARCHES */
    bool searches;
    bool searches_first; /* before the prefilter, which would look at more */
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
    _Atomic uint64_t work; /* beyond what is free */
    _Atomic size_t n_undecided;
    _Atomic size_t undecided_item; /* the first of them; SIZE_MAX: none */
};

struct compile_state {
    struct regexes *r;
    const char *list;
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
        item->searches &&
        ((item->form.open_start && item->prefilter.needed_is_first) || item->form.max_len);
    sb_done(&reason);
}

/* The byte of LIST where byte AT of the item at OFFSET stands: commas of an item have a
 * backslash there. */
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
    /* Any bytes can be compared, also those that are no text to the engine. */
    item.literal = literal_of(text, len, &item.literal_len);
    if (!item.literal && !regex_engine_init(&item.any, text, len, 0, &reason, &at)) {
        err_set(state->err, ERR_USAGE, "#%zu, column %zu: %s in '%s'", r->items.n + 1, at + 1,
                sb_text(&reason), text);
        state->ok = err_set_place(state->err, r->items.n + 1,
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

/* Matches by ENGINE within limits that grow, as long as the list has work left. */
static enum regex_answer match_within_budget(struct regexes *r, const struct regex_engine *engine,
                                             const struct text *text,
                                             struct regex_matcher *matcher)
{
    const uint32_t step_work = text->len + 64; /* that of the step itself, and what it reads */
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

/* *MATCHER is for this match and those that follow, taken when it is NULL. */
static bool match_by_engine(const struct regexes *r, size_t i, bool is_plain,
                            const struct text *text, struct regex_matcher **matcher)
{
    /* The spare matcher and the counters are all that matching changes. */
    struct regexes *own = (struct regexes *)(uintptr_t)r;
    const struct item *item = &r->items.data[i];
    enum regex_answer answer = REGEX_TOO_MUCH;

    if (!*matcher)
        *matcher = take_matcher(own);
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

size_t regexes_undecided(const struct regexes *r)
{
    return atomic_load(&((struct regexes *)(uintptr_t)r)->n_undecided);
}

void regexes_note_undecided(const struct regexes *r, const char *option, size_t n_texts,
                            struct notes *notes)
{
    const size_t n = regexes_gave_up(r) ? n_texts : regexes_undecided(r);
    const size_t i = atomic_load(&((struct regexes *)(uintptr_t)r)->undecided_item);

    if (i != SIZE_MAX)
        note_add(notes, "%s #%zu '%s': too much work for %zu name%s, which %s not match", option,
                 i + 1, r->items.data[i].text, n, n == 1 ? "" : "s", n == 1 ? "does" : "do");
}
