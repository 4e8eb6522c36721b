/* target_line.c: typed lines: any bytes are parsed or rejected; parsed options are printed as a
 * line that gives the same options; quoting round-trips; any line can be completed. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "session/complete.h"
#include "session/session.h"
#include "targets.h"

static void quoted_word_comes_back(const char *text)
{
    struct strbuf quoted = {0};
    struct words words = {0};
    struct err err = {0};

    words_quote(&quoted, text);
    FUZZ_REQUIRE(words_split(sb_text(&quoted), &words, &err));
    FUZZ_REQUIRE(words.n == 1 && strcmp(words.items[0], text) == 0);
    words_done(&words);
    sb_done(&quoted);
}

/* The printed "tfprof scope ..." parses to the same options. */
static void options_come_back(const struct options *o)
{
    struct strbuf line = {0};
    struct command_line again;
    struct err err = {0};

    session_print_command(&line, NULL, VIEW_SCOPE, o);
    FUZZ_REQUIRE(command_line_parse_text(&again, line.data + strlen("tfprof "), AT_PROGRAM, NULL, &err));
    for (size_t i = 0; i < option_table_n; i++)
        FUZZ_REQUIRE(option_equal(o, &again.options, &option_table[i]));
    command_line_done(&again);
    sb_done(&line);
}

static void line_is_completed(const char *text, enum command_origin place)
{
    struct completions c;

    complete_line(&c, text, strlen(text), place, NULL);
    for (size_t i = 0; i < c.matches.n; i++)
        FUZZ_REQUIRE(strncmp(c.matches.items[i], sb_text(&c.typed), c.typed.len) == 0);
    FUZZ_REQUIRE(completions_common(&c) >= c.typed.len || !c.matches.n);
    completions_done(&c);
}

static void line_is_parsed_or_refused(const char *text, enum command_origin place)
{
    struct command_line line;
    struct err err = {0};

    if (command_line_parse_text(&line, text, place, NULL, &err)) {
        options_come_back(&line.options);
        command_line_done(&line);
    } else {
        FUZZ_REQUIRE(err.kind == ERR_USAGE);
    }
    err_done(&err);
}

void target_line(const uint8_t *bytes, size_t size)
{
    char *text = xmemdupz(bytes, size);

    quoted_word_comes_back(text);
    line_is_completed(text, AT_PROGRAM);
    line_is_completed(text, AT_PROMPT);
    line_is_parsed_or_refused(text, AT_PROGRAM);
    line_is_parsed_or_refused(text, AT_PROMPT);
    free(text);
}
