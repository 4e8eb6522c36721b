/* lines.c: text lines made of spans. */
#include "tui/lines.h"

#include <stdarg.h>

#include "base/utf8.h"

void lines_clear(struct lines *l)
{
    sb_clear(&l->text);
    l->spans.n = 0;
    l->v.n = 0;
}

void lines_done(struct lines *l)
{
    sb_done(&l->text);
    EACH(vec_done, &l->spans, &l->v);
}

void lines_next(struct lines *l)
{
    struct text_line line = {.first_span = l->spans.n};

    vec_push(&l->v, line);
}

/* Adds the bytes of l->text from OFFSET on as a span of the last line. */
static void add_span(struct lines *l, enum role role, size_t offset)
{
    struct text_span span = {(uint32_t)offset, (uint32_t)(l->text.len - offset), (uint8_t)role};

    if (!l->v.n)
        lines_next(l);
    if (!span.len)
        return;
    vec_push(&l->spans, span);
    l->v.data[l->v.n - 1].n_spans++;
}

void lines_put(struct lines *l, enum role role, const char *text, size_t len)
{
    const size_t offset = l->text.len;

    sb_add(&l->text, text, len);
    add_span(l, role, offset);
}

void lines_puts(struct lines *l, enum role role, const char *text)
{
    lines_put(l, role, text, strlen(text));
}

void lines_putf(struct lines *l, enum role role, const char *format, ...)
{
    const size_t offset = l->text.len;
    va_list args;

    va_start(args, format);
    sb_vaddf(&l->text, format, args);
    va_end(args);
    add_span(l, role, offset);
}

void lines_right(struct lines *l, enum role role, int cols, const char *text)
{
    const int blanks = cols - text_cols(text, strlen(text));

    lines_putf(l, role, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

static int line_cols(const struct lines *l, size_t i)
{
    const struct text_line *line = &l->v.data[i];
    int cols = 0;

    for (size_t s = 0; s < line->n_spans; s++) {
        const struct text_span *span = &l->spans.data[line->first_span + s];

        cols += text_cols(l->text.data + span->offset, span->len);
    }
    return cols;
}

void lines_fit(struct lines *l, enum role role, const char *text, size_t len, int cols)
{
    const int room = cols - (l->v.n ? line_cols(l, l->v.n - 1) : 0);
    const size_t offset = l->text.len;

    text_cut_middle(&l->text, text, len, room > 4 ? room : 4);
    add_span(l, role, offset);
}

void lines_name(struct lines *l, enum role role, const char *name, size_t len)
{
    struct strbuf sb = {0};

    utf8_escape(&sb, name, len);
    lines_fit(l, role, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
}

void lines_tab(struct lines *l, int col)
{
    const int now = l->v.n ? line_cols(l, l->v.n - 1) : 0;
    const size_t offset = l->text.len;

    sb_pad(&l->text, ' ', now < col ? (size_t)(col - now) : 1);
    add_span(l, ROLE_TEXT, offset);
}

void lines_add_item(struct lines *l, enum role role, int col, const char *format, ...)
{
    int now = l->v.n ? line_cols(l, l->v.n - 1) : 0;
    struct strbuf item = {0};
    va_list args;

    va_start(args, format);
    sb_vaddf(&item, format, args);
    va_end(args);
    if (!l->v.n || (now > col && now + 2 + text_cols(sb_text(&item), item.len) > l->cols)) {
        lines_next(l);
        now = 0;
    }
    lines_tab(l, now > col ? now + 2 : col);
    lines_put(l, role, sb_text(&item), item.len);
    sb_done(&item);
}

void lines_link(struct lines *l, struct link link)
{
    if (l->v.n)
        l->v.data[l->v.n - 1].link = link;
}

void lines_field(struct lines *l, const char *label, enum role role, const char *format, ...)
{
    size_t offset;
    va_list args;

    lines_next(l);
    lines_puts(l, ROLE_DIM, label);
    lines_tab(l, LABEL_COLS);
    offset = l->text.len;
    va_start(args, format);
    sb_vaddf(&l->text, format, args);
    va_end(args);
    add_span(l, role, offset);
}

void lines_wrapped(struct lines *l, enum role role, int col, int cols, const char *text)
{
    const int room = cols - col > 8 ? cols - col : 8;

    for (bool is_first = true; *text; is_first = false) {
        size_t len = text_fit(text, strlen(text), room);

        if (text[len]) {
            size_t at = len;

            while (at > 0 && text[at] != ' ')
                at--;
            if (at > 0)
                len = at;
        }
        len = len ? len : strlen(text); /* a character wider than the line */
        if (!is_first)
            lines_next(l);
        if (col)
            lines_tab(l, col);
        lines_put(l, role, text, len);
        text += len;
        while (*text == ' ')
            text++;
    }
}

void lines_paragraph(struct lines *l, enum role role, int cols, const char *text)
{
    if (*text)
        lines_next(l);
    lines_wrapped(l, role, 0, cols, text);
}

void lines_draw_one(const struct lines *l, size_t i, struct area a, int row)
{
    const struct text_line *line = &l->v.data[i];
    int col = 0;

    for (size_t s = 0; s < line->n_spans && col < a.cols; s++) {
        const struct text_span *span = &l->spans.data[line->first_span + s];

        col += area_put(a, row, col, l->text.data + span->offset, span->len, span->role);
    }
}

void lines_text(const struct lines *l, size_t i, struct strbuf *sb)
{
    const struct text_line *line = &l->v.data[i];

    for (size_t s = 0; s < line->n_spans; s++) {
        const struct text_span *span = &l->spans.data[line->first_span + s];

        sb_add(sb, l->text.data + span->offset, span->len);
    }
}

void text_cut_middle(struct strbuf *sb, const char *text, size_t len, int cols)
{
    size_t head, tail;

    if (cols <= 0)
        return;
    if (text_cols(text, len) <= cols) {
        sb_add(sb, text, len);
        return;
    }
    head = text_fit(text, len, (cols - 1) / 3);
    tail = text_fit_end(text + head, len - head, cols - 1 - text_cols(text, head));
    sb_add(sb, text, head);
    utf8_encode(sb, 0x2026); /* … */
    sb_add(sb, text + len - tail, tail);
}

void text_cut_end(struct strbuf *sb, const char *text, size_t len, int cols)
{
    if (cols <= 0)
        return;
    if (text_cols(text, len) <= cols) {
        sb_add(sb, text, len);
        return;
    }
    sb_add(sb, text, text_fit(text, len, cols - 1));
    utf8_encode(sb, 0x2026); /* … */
}

void text_cut_words(struct strbuf *sb, const char *text, size_t len, int cols)
{
    enum { LONG_WORD = 16 }; /* a longer one is cut: it is a name */
    const size_t fits = cols > 0 ? text_fit(text, len, cols - 1) : 0;
    size_t end = fits;

    while (end && text[end] != ' ')
        end--;
    if (cols <= 0 || text_cols(text, len) <= cols || fits - end > LONG_WORD) {
        text_cut_end(sb, text, len, cols);
        return;
    }
    while (end && (text[end - 1] == ' ' || strchr("(,;:", text[end - 1]) ||
                   (text[end - 1] >= '0' && text[end - 1] <= '9')))
        end--;
    text_cut_end(sb, text, len, end ? text_cols(text, end) + 1 : cols);
}

void text_cut_around(struct strbuf *sb, const char *text, size_t len, size_t from, size_t to,
                     int cols)
{
    /* room for an ellipsis on both sides */
    const int room = cols - 2 - text_cols(text + from, to - from);
    size_t head = room > 0 ? text_fit(text, from, room / 2) : 0;
    size_t tail = 0;

    if (room < 0) { /* shows the start of the part that differs */
        utf8_encode(sb, 0x2026);
        text_cut_end(sb, text + from, len - from, cols - 1);
        return;
    }
    tail = text_fit_end(text + to, len - to, room - text_cols(text, head));
    if (tail == len - to) /* unused room goes to the start */
        head = text_fit(text, from, room - text_cols(text + to, tail));
    sb_add(sb, text, head);
    if (head < from)
        utf8_encode(sb, 0x2026);
    sb_add(sb, text + from, to - from);
    if (tail < len - to)
        utf8_encode(sb, 0x2026);
    sb_add(sb, text + len - tail, tail);
}
