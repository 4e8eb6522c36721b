/* test_prefilter.c: matches decided without the regex engine equal those of the engine, and an
 * extended filter never matches more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/regex/prefilter.h"
#include "base/regex/regexes.h"
#include "fixtures/random_options.h"

static void random_pieces(struct strbuf *sb, uint64_t *state, const char *const *pieces,
                          uint32_t n_pieces, uint32_t max)
{
    for (uint32_t n = random_below(state, max + 1); n > 0; n--)
        sb_adds(sb, pieces[random_below(state, n_pieces)]);
}

#define RANDOM_PIECES(sb, state, pieces, max) \
    random_pieces((sb), (state), (pieces), (uint32_t)(sizeof(pieces) / sizeof *(pieces)), (max))

static const char *const regex_pieces[] = {".*", "a",  "b",   "ab",  "a+",   "b*",   "\\.", "/",
                                           ".",  "a?", "[ab]", "\\d", "[^]a]", "(a|b)", "|",  ".+",
                                           "\xc3\xa4", "\n", "a{1}", "(?i)", "[\\]a]", ".*?"};
static const char *const text_pieces[] = {"a", "b", "ab", "/", ".", "\n", "\xc3\xa4", "\xff", "7"};

static void results_equal_those_of_the_engine(void **unused)
{
    size_t decided = 0;

    (void)unused;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        uint64_t state = seed;
        struct strbuf regex = {0}, wrapped = {0};
        struct err err = {0};
        struct regexes *engine;
        struct prefilter prefilter;

        RANDOM_PIECES(&regex, &state, regex_pieces, 5);
        /* Groups are not analysed, so this always uses the engine. */
        sb_addf(&wrapped, "(?:%s)", sb_text(&regex));
        engine = regexes_new(sb_text(&wrapped), &err);
        prefilter_init(&prefilter, sb_text(&regex), regex.len);
        for (int i = 0; engine && i < 30; i++) {
            struct strbuf text = {0};
            enum prefilter_answer answer;

            RANDOM_PIECES(&text, &state, text_pieces, 5);
            answer = prefilter_match(&prefilter, sb_text(&text), text.len);
            decided += answer != PREFILTER_MAYBE;
            if (answer != PREFILTER_MAYBE &&
                (answer == PREFILTER_YES) != (regexes_match(engine, sb_text(&text), text.len) >= 0))
                fail_msg("'%s' on '%s': %d", sb_text(&regex), sb_text(&text), (int)answer);
            sb_done(&text);
        }
        prefilter_done(&prefilter);
        regexes_free(engine);
        err_done(&err);
        sb_done(&regex);
        sb_done(&wrapped);
    }
    assert_true(decided > 20000);
}

struct fact {
    const char *regex, *text;
    enum prefilter_answer answer;
};

static void a_required_literal_matches_at_any_position(void **unused)
{
    static const struct fact facts[] = {
        {".*(conv|bn)_\\d/Mul.*", "conv_1/Add", PREFILTER_NO},
        {".*(conv|bn)_\\d/Mul.*", "Mul", PREFILTER_NO},
        {".*(conv|bn)_\\d/Mul.*", "/Mul", PREFILTER_MAYBE},
        {"(?!grad).*conv_1.*", "bn_1", PREFILTER_NO},
        {"([a-z]+/)+Relu", "a/b", PREFILTER_NO},
        {"(Relu|Mul)_?.*", "a", PREFILTER_MAYBE},
        {"(Relu)?_\\d", "a", PREFILTER_MAYBE},
        {"Relu|(a)b", "a", PREFILTER_MAYBE},
        {"(?:(?i)relu)Mul", "a", PREFILTER_MAYBE},
        {"(a(*ACCEPT)|b)Mul", "a", PREFILTER_MAYBE},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct prefilter p;

        prefilter_init(&p, facts[i].regex, strlen(facts[i].regex));
        if (prefilter_match(&p, facts[i].text, strlen(facts[i].text)) != facts[i].answer)
            fail_msg("'%s' on '%s'", facts[i].regex, facts[i].text);
        prefilter_done(&p);
    }
}

/* At every position of texts of every length; each text ends at the end of its allocation. */
static void a_non_ascii_byte_is_found_at_any_position(void **unused)
{
    static const char odd[] = {'\n', '\x80', '\xff'};

    (void)unused;
    assert_true(text_is_plain(NULL, 0));
    for (size_t len = 1; len <= 100; len++) {
        char *text = malloc(len);

        memset(text, '\x7f', len);
        assert_true(text_is_plain(text, len));
        for (size_t at = 0; at < len; at++)
            for (size_t i = 0; i < sizeof odd; i++) {
                text[at] = odd[i];
                if (text_is_plain(text, len))
                    fail_msg("byte %zu of %zu", at, len);
                text[at] = '\0';
            }
        assert_true(text_is_plain(text, len));
        free(text);
    }
}

static void an_implied_filter_matches_a_subset(void **unused)
{
    static const char *const pieces[] = {".*", ".*", "a", "b", "ab", "\n", "/"};
    size_t implied = 0;

    (void)unused;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        uint64_t state = seed;
        struct strbuf narrow = {0}, wide = {0};
        struct err err = {0};
        struct regexes *n, *w;

        RANDOM_PIECES(&narrow, &state, pieces, 5);
        RANDOM_PIECES(&wide, &state, pieces, 3);
        n = regexes_new(sb_text(&narrow), &err);
        w = regexes_new(sb_text(&wide), &err);
        assert_non_null(n);
        assert_non_null(w);
        for (int i = 0; regexes_implies(n, w) && i < 30; i++) {
            struct strbuf text = {0};

            RANDOM_PIECES(&text, &state, text_pieces, 6);
            implied++;
            if (regexes_match(n, sb_text(&text), text.len) >= 0 &&
                regexes_match(w, sb_text(&text), text.len) < 0)
                fail_msg("'%s' does not imply '%s': '%s'", sb_text(&narrow), sb_text(&wide),
                         sb_text(&text));
            sb_done(&text);
        }
        regexes_free(n);
        regexes_free(w);
        sb_done(&narrow);
        sb_done(&wide);
    }
    assert_true(implied > 2000);
}

static void an_extended_regex_implies_the_shorter_one(void **unused)
{
    struct err err = {0};
    struct regexes *wide = regexes_new(".*conv.*", &err);
    struct regexes *narrow = regexes_new(".*conv1.*,tower/conv_2", &err);
    struct regexes *other = regexes_new(".*con.*", &err);

    (void)unused;
    assert_true(regexes_implies(narrow, wide));
    assert_false(regexes_implies(other, wide));
    assert_true(regexes_implies(wide, other));
    regexes_free(wide);
    regexes_free(narrow);
    regexes_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_equal_those_of_the_engine),
        cmocka_unit_test(a_required_literal_matches_at_any_position),
        cmocka_unit_test(a_non_ascii_byte_is_found_at_any_position),
        cmocka_unit_test(an_implied_filter_matches_a_subset),
        cmocka_unit_test(an_extended_regex_implies_the_shorter_one),
    };

    return cmocka_run_group_tests_name("prefilter", tests, NULL, NULL);
}
