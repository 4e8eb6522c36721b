/* note_report.c: writes the notes on rows as a Markdown or HTML document. */
#include "export/note_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "export/sinks/outbuf.h"

void row_note_done(struct row_note *note)
{
    EACH(free, note->path, note->name, note->text, note->command, note->screen);
}

/* Appends the lines of TEXT, each after PREFIX, by ADD as escaped_add() does; NULL: only with
 * control characters escaped. */
static void add_lines(struct strbuf *sb, const char *prefix, const char *text,
                      void (*add)(struct strbuf *sb, const char *text, size_t len))
{
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n");

        sb_adds(sb, len ? prefix : "");
        if (add)
            escaped_add(sb, line, len, add);
        else
            utf8_escape(sb, line, len);
        sb_addc(sb, '\n');
        line += len + (line[len] == '\n');
    }
}

/* ---- Markdown: an indent of four blanks makes literal text */

static void add_markdown_note(struct strbuf *sb, const struct row_note *note)
{
    sb_adds(sb, "\n## ");
    escaped_add(sb, note->name, strlen(note->name), markdown_add);
    sb_addf(sb, "\n\nIn the %s view:\n\n", view_names[note->view]);
    escaped_add(sb, note->text, strlen(note->text), markdown_add);
    sb_adds(sb, "\n\n    $ ");
    utf8_escape(sb, note->command, strlen(note->command));
    sb_adds(sb, "\n\n");
    add_lines(sb, "    ", note->screen, NULL);
}

bool note_report_markdown(const struct note_report *n, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    sb_adds(&out.text, "# Notes on a profile\n");
    if (n->command) {
        sb_adds(&out.text, "\n    $ ");
        utf8_escape(&out.text, n->command, strlen(n->command));
        sb_addc(&out.text, '\n');
    }
    if (n->n_summary)
        sb_adds(&out.text, "\n## Comparison\n\n");
    for (size_t i = 0; i < n->n_summary; i++) {
        sb_adds(&out.text, "* ");
        escaped_add(&out.text, n->summary[i], strlen(n->summary[i]), markdown_add);
        sb_addc(&out.text, '\n');
    }
    for (size_t i = 0; i < n->n_notes && outbuf_step(&out); i++)
        add_markdown_note(&out.text, &n->notes[i]);
    return outbuf_end(&out);
}

/* ---- JSON */

bool note_report_json(const struct note_report *n, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    json_add_head(&out.text, "report", "", n->n_notes, n->n_notes);
    sb_adds(&out.text, ",\"summary\":[");
    for (size_t i = 0; i < n->n_summary; i++) {
        sb_adds(&out.text, i ? "," : "");
        json_add_string(&out.text, n->summary[i], strlen(n->summary[i]));
    }
    sb_adds(&out.text, "],\"rows\":[");
    for (size_t i = 0; i < n->n_notes && outbuf_step(&out); i++) {
        sb_adds(&out.text, i ? ",\n{" : "\n{");
        member_string(&out.text, "view", view_names[n->notes[i].view]);
        member_string(&out.text, "name", n->notes[i].name);
        member_string(&out.text, "path", n->notes[i].path);
        member_string(&out.text, "text", n->notes[i].text);
        member_string(&out.text, "command", n->notes[i].command);
        member_string(&out.text, "screen", n->notes[i].screen);
        sb_addc(&out.text, '}');
    }
    sb_adds(&out.text, "]}\n");
    return outbuf_end(&out);
}

/* ---- HTML */

static void add_element(struct strbuf *sb, const char *name, const char *before, const char *text)
{
    sb_addf(sb, "<%s>%s", name, before);
    escaped_add(sb, text, strlen(text), markup_add);
    sb_addf(sb, "</%s>\n", name);
}

static void add_html_note(struct strbuf *sb, const struct row_note *note)
{
    add_element(sb, "h2", "", note->name);
    sb_addf(sb, "<p>In the %s view:</p>\n", view_names[note->view]);
    add_element(sb, "p", "", note->text);
    add_element(sb, "pre", "$ ", note->command);
    sb_adds(sb, "<pre>");
    add_lines(sb, "", note->screen, markup_add);
    sb_adds(sb, "</pre>\n");
}

bool note_report_html(const struct note_report *n, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    sb_adds(&out.text, markup_page_head);
    sb_adds(&out.text, "pre{overflow-x:auto;line-height:1.2}\n</style>\n"
                       "<title>Notes on a profile</title></head><body>\n"
                       "<h1>Notes on a profile</h1>\n");
    if (n->command)
        add_element(&out.text, "pre", "$ ", n->command);
    if (n->n_summary)
        sb_adds(&out.text, "<h2>Comparison</h2>\n<ul>\n");
    for (size_t i = 0; i < n->n_summary; i++)
        add_element(&out.text, "li", "", n->summary[i]);
    sb_adds(&out.text, n->n_summary ? "</ul>\n" : "");
    for (size_t i = 0; i < n->n_notes && outbuf_step(&out); i++)
        add_html_note(&out.text, &n->notes[i]);
    sb_adds(&out.text, "</body></html>\n");
    return outbuf_end(&out);
}
