/* check_report.c: writes the report of a check as text, table, JUnit XML, annotations and
 * Markdown. */
#include "export/check_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "export/note_report.h"
#include "export/sinks/escape.h"
#include "export/sinks/outbuf.h"

const char *const check_state_names[CHECK_STATES] = {
    [CHECK_HELD] = "held", [CHECK_BROKEN] = "broken", [CHECK_ERROR] = "error",
};

void check_report_done(struct check_report *report)
{
    for (size_t i = 0; i < report->items.n; i++) {
        EACH(free, report->items.data[i].rule, report->items.data[i].message,
             report->items.data[i].row);
    }
    vec_done(&report->items);
    free(report->file);
    memset(report, 0, sizeof *report);
}

/* "3 of 5 rules held, 1 broken". */
static void add_sum(struct strbuf *sb, const struct check_report *report)
{
    sb_addf(sb, "%zu of %zu rules held", report->n[CHECK_HELD], report->items.n);
    for (int state = CHECK_BROKEN; state < CHECK_STATES; state++)
        if (report->n[state])
            sb_addf(sb, ", %zu %s", report->n[state], check_state_names[state]);
}

/* ---- text */

bool check_write_text(const struct check_report *report, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    for (size_t i = 0; i < report->items.n && outbuf_step(&out); i++) {
        const struct check_item *item = &report->items.data[i];

        sb_addf(&out.text, "%-6s  ", check_state_names[item->state]);
        utf8_escape(&out.text, item->rule, strlen(item->rule));
        sb_adds(&out.text, ": ");
        utf8_escape(&out.text, item->message, strlen(item->message));
        sb_addc(&out.text, '\n');
    }
    add_sum(&out.text, report);
    sb_addc(&out.text, '\n');
    return outbuf_end(&out);
}

/* ---- other outputs: a table */

enum { CHECK_VALUE = 4, CHECK_LIMIT };

static const struct table_column columns[] = {
    {"line", .help = "line of the file of rules", MEMBER_OF(struct check_item, line)},
    {"rule", .help = "the rule as written", .unit = VALUE_TEXT, MEMBER_OF(struct check_item, rule)},
    {"state", .help = "held, broken, or error", .unit = VALUE_TEXT},
    {"message", .help = "result in words", .unit = VALUE_TEXT, MEMBER_OF(struct check_item, message)},
    [CHECK_VALUE] = {"value", .help = "the figure, for rules about a figure", .unit = VALUE_REAL},
    [CHECK_LIMIT] = {"limit", .help = "limit of the rule", .unit = VALUE_REAL},
    {"row", .help = "the worst row", .unit = VALUE_TEXT, MEMBER_OF(struct check_item, row)},
};

static const struct table_column heads[] = {
    {"budgets", .help = "file of the rules", .unit = VALUE_TEXT, MEMBER_OF(struct check_report, file)},
    {"held", .help = "number of rules that hold", MEMBER_OF(struct check_report, n[CHECK_HELD])},
    {"broken", .help = "number of broken rules", MEMBER_OF(struct check_report, n[CHECK_BROKEN])},
    {"error", .help = "number of rules without a result", MEMBER_OF(struct check_report, n[CHECK_ERROR])},
};

static bool open_check(struct table_rows *t, struct err *err UNUSED)
{
    const struct check_report *report = t->request->given;

    t->head_record = report;
    table_set_records(t, &report->items);
    return true;
}

static void state_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct check_report *report = c->rows->request->given;
    const struct check_item *item = &report->items.data[c->key];

    if (column != CHECK_VALUE && column != CHECK_LIMIT)
        value_word(v, check_state_names[item->state]);
    else if (item->row)
        value_real(v, column == CHECK_VALUE ? item->value : item->limit);
}

const struct table table_check = {
    .name = "check", .help = "results of the rules", TABLE_COLUMNS(columns), TABLE_HEADS(heads),
    .rows_key = "rules", .open = open_check, .value = state_value,
};

/* ---- JUnit XML: a rule is a test case */

/* XML cannot contain control characters. */
static void add_escaped(struct strbuf *sb, const char *text)
{
    escaped_add(sb, text, strlen(text), markup_add);
}

static void add_case(struct strbuf *sb, const struct check_report *report,
                     const struct check_item *item)
{
    static const char *const elements[] = {[CHECK_BROKEN] = "failure", [CHECK_ERROR] = "error"};

    sb_adds(sb, "  <testcase classname=\"");
    add_escaped(sb, report->file);
    sb_adds(sb, "\" name=\"");
    add_escaped(sb, item->rule);
    sb_addf(sb, "\" line=\"%u\"", item->line);
    if (item->state == CHECK_HELD) {
        sb_adds(sb, "/>\n");
        return;
    }
    sb_addf(sb, ">\n    <%s message=\"", elements[item->state]);
    add_escaped(sb, item->message);
    sb_adds(sb, "\"/>\n  </testcase>\n");
}

static bool write_junit(const struct check_report *report, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    sb_addf(&out.text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"tfprof check\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
            report->items.n, report->n[CHECK_BROKEN], report->n[CHECK_ERROR]);
    for (size_t i = 0; i < report->items.n && outbuf_step(&out); i++)
        add_case(&out.text, report, &report->items.data[i]);
    sb_adds(&out.text, "</testsuite>\n");
    return outbuf_end(&out);
}

/* ---- annotations of GitHub Actions: ::error file=F,line=N::TEXT */

/* Properties also escape ':' and ','. */
static void add_annotated(struct strbuf *sb, const char *text, bool is_property)
{
    struct strbuf plain = {0};

    utf8_escape(&plain, text, strlen(text));
    for (size_t i = 0; i < plain.len; i++)
        if (plain.data[i] == '%' || (is_property && strchr(":,", plain.data[i])))
            sb_addf(sb, "%%%02X", (unsigned char)plain.data[i]);
        else
            sb_addc(sb, plain.data[i]);
    sb_done(&plain);
}

static bool write_github(const struct check_report *report, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    for (size_t i = 0; i < report->items.n && outbuf_step(&out); i++) {
        const struct check_item *item = &report->items.data[i];

        sb_addf(&out.text, "::%s file=", item->state == CHECK_HELD ? "notice" : "error");
        add_annotated(&out.text, report->file, true);
        sb_addf(&out.text, ",line=%u,title=%s::", item->line, check_state_names[item->state]);
        add_annotated(&out.text, item->rule, false);
        sb_adds(&out.text, ": ");
        add_annotated(&out.text, item->message, false);
        sb_addc(&out.text, '\n');
    }
    return outbuf_end(&out);
}

/* ---- a table of Markdown */

static bool write_markdown(const struct check_report *report, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    sb_adds(&out.text, "| | rule | result |\n| --- | --- | --- |\n");
    for (size_t i = 0; i < report->items.n && outbuf_step(&out); i++) {
        const struct check_item *item = &report->items.data[i];

        sb_addf(&out.text, "| %s | ", check_state_names[item->state]);
        escaped_add(&out.text, item->rule, strlen(item->rule), markdown_add);
        sb_adds(&out.text, " | ");
        escaped_add(&out.text, item->message, strlen(item->message), markdown_add);
        sb_adds(&out.text, " |\n");
    }
    sb_addc(&out.text, '\n');
    add_sum(&out.text, report);
    sb_adds(&out.text, "\n");
    return outbuf_end(&out);
}

const struct output output_junit = {
    .name = "junit",
    .help = "check: a test case for each rule, as JUnit XML",
    .outfile = OUTFILE_OPTIONAL,
    .write_check = write_junit,
};

const struct output output_github = {
    .name = "github",
    .help = "check: an annotation for each rule, for GitHub Actions",
    .outfile = OUTFILE_OPTIONAL,
    .write_check = write_github,
};

const struct output output_markdown = {
    .name = "markdown",
    .help = "check: a table of the rules; report: a document",
    .outfile = OUTFILE_OPTIONAL,
    .write_notes = note_report_markdown,
    .write_check = write_markdown,
};
