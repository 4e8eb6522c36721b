/* test_dfa.c: what tables say of a text must be what the regex engine says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/dfa.h"
#include "base/regexes.h"
#include "fixtures/random_options.h"

static const char *const atoms[] = {"a",     "b",    "ab",    ".",      "\\d",     "[ab]",   "[^a]",   "\\.",
                                    "/",     "\\w",  "\\s",   "[^\\d]", "[a-c_]",  "[]a]",   "[^]b]",  "[a\\-b]",
                                    "[-a]",  "[b-]", "\\x61", "\n",     "[\\x2C]", "\\S",    "()",     "[a-b-7]",
                                    "\\W",   "_",    "}",     "]",      "-",       "\\D",    "[.*]",   "\\,"};
static const char *const quantifiers[] = {"", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "{0}", "{3}"};
static const char *const texts[] = {"a", "b", "ab", "/", ".", "\n", "\xc3\xa4", "\xff", "7", "_", "A", " ", "-", ","};

#define PICK(state, list) (list)[random_below((state), (uint32_t)(sizeof(list) / sizeof *(list)))]

/* Alternatives of up to three parts each, some of them groups. */
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
            sb_adds(sb, "|");
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

struct tally {
    size_t tables, decided, matches;
};

static void compare(const char *regex, const struct regexes *engine, uint64_t *state,
                    struct tally *tally)
{
    struct dfa *d = dfa_new(regex, strlen(regex));

    tally->tables += d != NULL;
    for (int i = 0; d && i < 40; i++) {
        struct strbuf text = {0};
        enum glob_answer answer;

        for (uint32_t n = random_below(state, 6); n > 0; n--)
            sb_adds(&text, PICK(state, texts));
        answer = dfa_match(d, sb_text(&text), text.len);
        tally->decided += answer != GLOB_MAYBE;
        tally->matches += answer == GLOB_YES;
        if (answer != GLOB_MAYBE &&
            (answer == GLOB_YES) != (regexes_match(engine, sb_text(&text), text.len) >= 0))
            fail_msg("'%s' on '%s': %d", regex, sb_text(&text), (int)answer);
        sb_done(&text);
    }
    dfa_free(d);
}

static void answers_are_those_of_the_engine(void **unused)
{
    const char *rounds_text = getenv("TFPROF_TEST_ROUNDS");
    const uint64_t rounds = rounds_text ? strtoull(rounds_text, NULL, 10) : 4000;
    struct tally tally = {0};

    (void)unused;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t state = seed;
        struct strbuf regex = {0}, wrapped = {0};
        struct err err = {0};
        struct regexes *engine;

        random_regex(&regex, &state);
        /* A look ahead is nothing that a table can do, nor a glob. */
        if (strncmp(sb_text(&regex), "(?i)", 4) == 0)
            sb_addf(&wrapped, "(?i)(?=)(?:%s)", sb_text(&regex) + 4);
        else
            sb_addf(&wrapped, "(?=)(?:%s)", sb_text(&regex));
        engine = regexes_new(sb_text(&wrapped), &err);
        if (engine)
            compare(sb_text(&regex), engine, &state, &tally);
        regexes_free(engine);
        err_done(&err);
        sb_done(&regex);
        sb_done(&wrapped);
    }
    assert_true(tally.tables > rounds / 2);
    assert_true(tally.decided > tally.tables * 20);
    assert_true(tally.matches > tally.tables);
}

/* Lists of several items, some for tables and some for the engine. */
static void many_texts_are_matched_as_each_alone(void **unused)
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

static void what_is_no_plain_regex_is_left_to_the_engine(void **unused)
{
    static const char *const regexes[] = {
        "(a)\\1", "(?=a)a", "(?!b)a", "(?<=a)b", "\\bfoo\\b", "a++",     "(?>a|ab)c", "[[:alpha:]]", "\\Qa.b\\E",
        "caf\xc3\xa9", "(*UCP)a", "a(?i)b", "x{1,250}y{1,250}", "(?#no)a", "\\x{e9}", "a^b", "(a$)b", "[\\d-z]",
        "(a|b)*a(a|b){11}a(a|b)*",
    };

    (void)unused;
    for (size_t i = 0; i < sizeof regexes / sizeof *regexes; i++)
        if (dfa_new(regexes[i], strlen(regexes[i])))
            fail_msg("'%s' has a table", regexes[i]);
}

struct fact {
    const char *regex, *text;
    enum glob_answer answer;
};

static void answers_stand_as_soon_as_they_can(void **unused)
{
    static const struct fact facts[] = {
        {".*unit_\\d+", "tower/unit_12", GLOB_YES},
        {".*unit_\\d+", "tower/unit_12/x", GLOB_NO},
        {".*unit_\\d+", "caf\xc3\xa9/unit_12", GLOB_MAYBE},
        {".*unit_\\d+", "caf\xc3\xa9/unit_x", GLOB_NO},
        {".*conv_[0-5].*", "a/conv_3/b", GLOB_YES},
        {".*conv_[0-5].*", "a/conv_6/b", GLOB_NO},
        {".*conv_[0-5].*", "a/conv_3/\xff", GLOB_MAYBE},
        {".*conv_[0-5].*", "a/conv_3/\n", GLOB_MAYBE},
        {"(tower|gpu)_[01]/.*", "gpu_1/conv", GLOB_YES},
        {"(tower|gpu)_[01]/.*", "cpu_1/conv\xff", GLOB_NO},
        {"", "", GLOB_YES},
        {"a*", "", GLOB_YES},
        {"[^a]", "\n", GLOB_YES},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct dfa *d = dfa_new(facts[i].regex, strlen(facts[i].regex));

        assert_non_null(d);
        if (dfa_match(d, facts[i].text, strlen(facts[i].text)) != facts[i].answer)
            fail_msg("'%s' on '%s'", facts[i].regex, facts[i].text);
        dfa_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_engine),
        cmocka_unit_test(many_texts_are_matched_as_each_alone),
        cmocka_unit_test(what_is_no_plain_regex_is_left_to_the_engine),
        cmocka_unit_test(answers_stand_as_soon_as_they_can),
    };

    return cmocka_run_group_tests_name("dfa", tests, NULL, NULL);
}
