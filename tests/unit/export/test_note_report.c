/* test_note_report.c: notes exported as a document, with texts that contain markup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/note_report.h"
#include "export/sinks/escape.h"

struct text_sink {
    struct sink sink;
    struct strbuf text;
};

static bool take(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(&((struct text_sink *)s)->text, bytes, len);
    return true;
}

static char path[] = "a", name[] = "<b>*x*\x1b[2J", text[] = "1. _look_ <script>",
            command[] = "tfprof scope '<'",
            screen[] = " row\n\n```\n</pre>&\n";
static const struct row_note notes[] = {{.view = VIEW_SCOPE, .path = path, .name = name,
                                         .text = text, .command = command, .screen = screen}};
static const char *const summary[] = {"micros: 1us -> 2us, +1us (+100.0%)", "- <i>"};

static char *written(const struct note_report *report,
                     bool (*write)(const struct note_report *, struct sink *, struct err *))
{
    struct text_sink s = {.sink = {.write = take}};
    struct err err = {0};

    assert_true(write(report, &s.sink, &err));
    return sb_take(&s.text);
}

static void names_are_escaped_in_markdown(void **state)
{
    const struct note_report report = {"tfprof op x", notes, 1, summary, 2};
    char *got = written(&report, note_report_markdown);

    (void)state;
    assert_string_equal(got, "# Notes on a profile\n\n"
                             "    $ tfprof op x\n\n"
                             "## Comparison\n\n"
                             "* micros: 1us -> 2us, +1us (+100.0%)\n"
                             "* \\- \\<i>\n\n"
                             "## \\<b>\\*x\\*\\\\x1b\\[2J\n\n"
                             "In the scope view:\n\n"
                             "1\\. \\_look\\_ \\<script>\n\n"
                             "    $ tfprof scope '<'\n\n"
                             "     row\n\n    ```\n    </pre>&\n");
    free(got);
}

static void names_are_escaped_in_html(void **state)
{
    const struct note_report report = {"tfprof op x", notes, 1, summary, 2};
    char *got = written(&report, note_report_html);

    (void)state;
    assert_ptr_equal(strstr(got, markup_page_head), got);
    assert_string_equal(strstr(got, "<h1>"),
                        "<h1>Notes on a profile</h1>\n"
                        "<pre>$ tfprof op x</pre>\n"
                        "<h2>Comparison</h2>\n<ul>\n"
                        "<li>micros: 1us -&gt; 2us, +1us (+100.0%)</li>\n"
                        "<li>- &lt;i&gt;</li>\n</ul>\n"
                        "<h2>&lt;b&gt;*x*\\x1b[2J</h2>\n"
                        "<p>In the scope view:</p>\n"
                        "<p>1. _look_ &lt;script&gt;</p>\n"
                        "<pre>$ tfprof scope &#39;&lt;&#39;</pre>\n"
                        "<pre> row\n\n```\n&lt;/pre&gt;&amp;\n</pre>\n"
                        "</body></html>\n");
    free(got);
}

/* Without notes and without a comparison, before anything was displayed. */
static void an_empty_report_is_a_document(void **state)
{
    const struct note_report report = {.command = NULL};
    char *got = written(&report, note_report_markdown);

    (void)state;
    assert_string_equal(got, "# Notes on a profile\n");
    free(got);
    got = written(&report, note_report_html);
    assert_string_equal(strstr(got, "<h1>"), "<h1>Notes on a profile</h1>\n</body></html>\n");
    free(got);
}

static void lines_of_names_start_no_markdown_block(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {{"# x", "\\# x"},   {"12) x", "12\\) x"}, {"1.5 x", "1.5 x"}, {"a. b", "a. b"},
                 {"> x", "\\> x"},   {"a > b", "a > b"},   {"=", "\\="},         {"+ x", "\\+ x"},
                 {"&lt;", "\\&lt;"}, {"~~x", "\\~\\~x"},   {".", "."},           {"", ""},
                 {"-5 x", "-5 x"},   {"- x", "\\- x"},   {"---", "\\---"},    {"12.", "12\\."}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf sb = {0};

        markdown_add(&sb, cases[i].text, strlen(cases[i].text));
        assert_string_equal(sb_text(&sb), cases[i].want);
        sb_done(&sb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_escaped_in_markdown),
        cmocka_unit_test(names_are_escaped_in_html),
        cmocka_unit_test(an_empty_report_is_a_document),
        cmocka_unit_test(lines_of_names_start_no_markdown_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
