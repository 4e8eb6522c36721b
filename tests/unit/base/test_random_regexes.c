/* test_random_regexes.c: a regex decided by a shortcut matches the same texts as the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "fixtures/random_options.h"

static const char *const atoms[] = {"a",     "b",    "ab",    ".",      "\\d",     "[ab]",   "[^a]",   "\\.",
                                    "/",     "\\w",  "\\s",   "[^\\d]", "[a-c_]",  "[]a]",   "[^]b]",  "[a\\-b]",
                                    "[-a]",  "[b-]", "\\x61", "\n",     "[\\x2C]", "\\S",    "()",     "[a-b-7]",
                                    "\\W",   "_",    "}",     "]",      "-",       "\\D",    "[.*]",   "\\,",
                                    "\\d+",  "[0-7]+", "(?!b)",  "(?<=a)",  "(?<!/)", "(?>a|ab)", "\\b",
                                    "(a|b)\\1", "\\d*",  "$",     ".*",    "a{0}"};
/* Excludes "(?=a)" and "(a|b){0}": PCRE2 10.42 itself matches less with "(?=a)b*a" and "(a|b){0}"
 * than with "(?=)(?:(?=a)b*a)" and "(?=)(?:(a|b){0})". */
static const char *const quantifiers[] = {"", "", "", "*", "+", "?", "{2}", "{0\\,2}", "{1\\,}", "*?", "{3}"};
static const char *const texts[] = {"a", "b", "ab", "/", ".", "\n", "\xc3\xa4", "\xff", "7", "_", "A", " ", "-", ","};

#define PICK(state, list) (list)[random_below((state), (uint32_t)(sizeof(list) / sizeof *(list)))]

/* Appends alternatives of up to three parts each, some of them groups. */
static void random_regex(struct strbuf *sb, uint64_t *state)
{
    unsigned open = 0;

    if (random_below(state, 8) == 0)
        sb_adds(sb, "(?i)");
    if (random_below(state, 8) == 0)
        sb_adds(sb, "^");
    if (random_below(state, 3) == 0)
        sb_adds(sb, ".*");
    for (uint32_t n = 1 + random_below(state, 6); n > 0; n--) {
        switch (random_below(state, 8)) {
        case 0:
            sb_adds(sb, random_below(state, 2) ? "(" : "(?:");
            open++;
            break;
        case 1:
            sb_adds(sb, random_below(state, 3) ? "|" : ".*|.*");
            break;
        case 2:
            if (open) {
                sb_addf(sb, ")%s", PICK(state, quantifiers));
                open--;
            }
            break;
        default:
            sb_addf(sb, "%s%s", PICK(state, atoms), PICK(state, quantifiers));
            break;
        }
    }
    for (; open; open--)
        sb_addf(sb, ")%s", PICK(state, quantifiers));
    if (random_below(state, 3) == 0)
        sb_adds(sb, ".*");
    if (random_below(state, 8) == 0)
        sb_adds(sb, "$");
}

/* Compares R with ENGINE on random texts; returns the number of matches. */
static size_t compare(const char *regex, const struct regexes *r, const struct regexes *engine,
                      uint64_t *state)
{
    size_t n_matches = 0;

    for (int i = 0; i < 40; i++) {
        struct strbuf text = {0};
        bool matches;

        for (uint32_t n = random_below(state, 10); n > 0; n--)
            sb_adds(&text, PICK(state, texts));
        matches = regexes_match(r, sb_text(&text), text.len) >= 0;
        n_matches += matches;
        if (matches != (regexes_match(engine, sb_text(&text), text.len) >= 0) &&
            regexes_undecided(r) + regexes_undecided(engine) == 0)
            fail_msg("'%s' on '%s': %d", regex, sb_text(&text), matches);
        sb_done(&text);
    }
    return n_matches;
}

static void results_equal_those_of_the_engine(void **unused)
{
    const char *rounds_text = getenv("TFPROF_TEST_ROUNDS");
    const uint64_t rounds = rounds_text ? strtoull(rounds_text, NULL, 10) : 4000;
    size_t n_compared = 0, n_matches = 0;

    (void)unused;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t state = seed;
        struct strbuf regex = {0}, wrapped = {0};
        struct err err = {0};
        struct regexes *r, *engine = NULL;

        random_regex(&regex, &state);
        /* No shortcut handles a lookahead before a group, so this always uses the engine. */
        if (strncmp(sb_text(&regex), "(?i)", 4) == 0)
            sb_addf(&wrapped, "(?i)(?=)(?:%s)", sb_text(&regex) + 4);
        else
            sb_addf(&wrapped, "(?=)(?:%s)", sb_text(&regex));
        r = regexes_new(sb_text(&regex), &err);
        if (r && regexes_count(r) == 1)
            engine = regexes_new(sb_text(&wrapped), &err);
        if (engine) {
            n_matches += compare(sb_text(&regex), r, engine, &state);
            n_compared++;
        }
        regexes_free(r);
        regexes_free(engine);
        err_done(&err);
        sb_done(&regex);
        sb_done(&wrapped);
    }
    assert_true(n_compared > rounds / 2);
    assert_true(n_matches > n_compared);
}

/* Lists of several items, with and without shortcuts. */
static void matching_many_texts_equals_matching_each(void **unused)
{
    size_t matches = 0;

    (void)unused;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t state = seed;
        struct strbuf list = {0}, bytes[70] = {{0}};
        struct text many[70];
        uint8_t answers[70];
        struct err err = {0};
        struct regexes *r;
        const size_t n = random_below(&state, 71);

        for (uint32_t items = 1 + random_below(&state, 3); items > 0; items--) {
            random_regex(&list, &state);
            sb_adds(&list, random_below(&state, 4) ? "," : "(?=),");
        }
        for (size_t i = 0; i < n; i++) {
            for (uint32_t k = random_below(&state, 9); k > 0; k--)
                sb_adds(&bytes[i], PICK(&state, texts));
            many[i] = (struct text){sb_text(&bytes[i]), (uint32_t)bytes[i].len};
        }
        r = regexes_new(sb_text(&list), &err);
        if (r)
            regexes_match_many(r, many, n, answers);
        for (size_t i = 0; i < n; i++) {
            if (r && answers[i] != (regexes_match(r, many[i].bytes, many[i].len) >= 0))
                fail_msg("'%s' on '%s'", sb_text(&list), many[i].bytes);
            matches += r && answers[i];
            sb_done(&bytes[i]);
        }
        regexes_free(r);
        err_done(&err);
        sb_done(&list);
    }
    assert_true(matches > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_equal_those_of_the_engine),
        cmocka_unit_test(matching_many_texts_equals_matching_each),
    };

    return cmocka_run_group_tests_name("random_regexes", tests, NULL, NULL);
}
