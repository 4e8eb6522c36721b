/* random_options.h: options with values drawn by chance, for round trips. */
#ifndef TFPROF_TESTS_RANDOM_OPTIONS_H
#define TFPROF_TESTS_RANDOM_OPTIONS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "opt/options.h"

/* splitmix64 (Steele, Lea, Flood 2014): the same numbers on every machine. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(random_next(state) % n);
}

static inline void random_regexes(struct strbuf *sb, uint64_t *state)
{
    static const char *const pieces[] = {".*",   "conv",  "\\d+", "a{1\\,2}", "[^/]*", "x y",
                                         "'",    "\"",    "\\\\", "\\.",      "(a|b)", "\xc3\xa4",
                                         "\x01", "\t\n",  "$'",   "#",        "-",     "=",
                                         "a\\,", "\\x2C", " ",    "`~!&;<>"};

    for (uint32_t n = random_below(state, 5); n > 0; n--) {
        for (uint32_t k = 1 + random_below(state, 4); k > 0; k--)
            sb_adds(sb, pieces[random_below(state, sizeof pieces / sizeof *pieces)]);
        sb_adds(sb, random_below(state, 3) ? "," : ",,");
    }
}

static inline void random_path(struct strbuf *sb, uint64_t *state)
{
    static const char alphabet[] = "abz/._- '\"\\$#=,:\n\t\x7f\xff*?";

    for (uint32_t n = 1 + random_below(state, 12); n > 0; n--)
        sb_addc(sb, alphabet[random_below(state, sizeof alphabet - 1)]);
}

static inline uint32_t random_word_count(const struct option *opt)
{
    int n = 0;

    while (option_value_name(opt, n))
        n++;
    return (uint32_t)n;
}

/* A value that OPT takes. */
static inline void random_value(struct strbuf *sb, const struct option *opt, uint64_t *state)
{
    const uint32_t n_words = random_word_count(opt);
    int64_t number;

    switch (opt->kind) {
    case OPT_INT:
        number = random_below(state, 2) ? (int64_t)random_next(state)
                                        : (int64_t)random_below(state, 20) - 5;
        number = number < opt->least ? opt->least : number > opt->most ? opt->most : number;
        sb_addf(sb, "%" PRId64, number);
        break;
    case OPT_REGEXES:
        random_regexes(sb, state);
        break;
    case OPT_FIELDS:
        for (uint32_t n = random_below(state, 6); n > 0; n--)
            sb_addf(sb, "%s,", option_value_name(opt, (int)random_below(state, n_words)));
        break;
    case OPT_OUTPUT:
        sb_adds(sb, random_below(state, 2) ? "none" : "file:outfile=a b'c=d");
        break;
    case OPT_PATH:
    case OPT_PATHS:
    case OPT_NAME:
        random_path(sb, state);
        break;
    case OPT_TYPES:
        sb_adds(sb, random_below(state, 2) ? "mine=[a-z]+" : "a=b{1\\,2}=,' '=x y");
        break;
    case OPT_BOOL:
    case OPT_CHOICE:
    case OPT_ORDER:
        sb_adds(sb, option_value_name(opt, (int)random_below(state, n_words)));
        break;
    }
}

/* Sets about half of the options. */
static inline bool random_options(struct options *o, uint64_t *state, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < option_table_n; i++) {
        struct strbuf value = {0};

        if (option_table[i].stands_for || random_below(state, 2))
            continue;
        random_value(&value, &option_table[i], state);
        ok = option_set(o, &option_table[i], sb_text(&value), err);
        sb_done(&value);
    }
    return ok;
}

#endif
