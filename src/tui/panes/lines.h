/* lines.h: text for people: lines of spans with roles, some with a place to
 * go to.  Details, help, explanations and the summary are made of it. */
#ifndef TFPROF_TUI_LINES_H
#define TFPROF_TUI_LINES_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "term/canvas.h"
#include "view/query.h"

enum link_kind { LINK_NONE, LINK_NODE, LINK_FRAME, LINK_SOURCE, LINK_DEVICE, LINK_CURE, LINK_UNMATCH, LINK_ACTION };

/* Where Enter on a line leads. */
struct link {
    enum link_kind kind;
    node_id node;              /* LINK_NODE; LINK_FRAME: whose it is */
    const struct frame *frame; /* LINK_FRAME: to be seen in the code view; LINK_SOURCE: to edit */
    struct text device;        /* LINK_DEVICE */
    row_id row;                /* LINK_CURE: what is hidden, or below what; LINK_UNMATCH */
    unsigned why;              /* LINK_CURE: enum why */
    const char *action;        /* LINK_ACTION: a name of the action table */
};

struct text_span {
    uint32_t offset, len; /* in lines.text */
    uint8_t role;
};

struct text_line {
    size_t first_span, n_spans;
    struct link link;
};

/* A zeroed struct is empty and ready. */
struct lines {
    struct strbuf text;
    VEC(struct text_span) spans;
    VEC(struct text_line) v;
    int cols; /* of the maker: where long names are cut */
};

void lines_clear(struct lines *l);
void lines_done(struct lines *l);
/* Begins a line; what is put goes to it. */
void lines_next(struct lines *l);
void lines_put(struct lines *l, enum role role, const char *text, size_t len);
void lines_puts(struct lines *l, enum role role, const char *text);
void lines_putf(struct lines *l, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts TEXT, cut in the middle so that the line ends before column COLS. */
void lines_fit(struct lines *l, enum role role, const char *text, size_t len, int cols);
/* The same, cut at the maker's columns, of a name from outside, escaped. */
void lines_name(struct lines *l, enum role role, const char *name, size_t len);
/* Blanks up to column COL of the line, one at least. */
void lines_tab(struct lines *l, int col);
/* Makes the line a link. */
void lines_link(struct lines *l, struct link link);
/* "label   text": a line with the label dimmed in LABEL_COLS columns. */
void lines_field(struct lines *l, const char *label, enum role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A text broken at blanks into lines of at most COLS columns. */
void lines_paragraph(struct lines *l, enum role role, int cols, const char *text);

enum { LABEL_COLS = 9 };

/* Draws line I in row ROW of A. */
void lines_draw_one(const struct lines *l, size_t i, struct area a, int row);
/* Appends the characters of line I. */
void lines_text(const struct lines *l, size_t i, struct strbuf *sb);

/* Appends TEXT cut in the middle to COLS columns: the end of a name says more
 * than its middle. */
void text_cut_middle(struct strbuf *sb, const char *text, size_t len, int cols);
/* The same, cut at its end. */
void text_cut_end(struct strbuf *sb, const char *text, size_t len, int cols);
/* The same with bytes FROM to TO in any case, or as much of them as fits, and of both ends of the
 * text what there is room for beside them. */
void text_cut_around(struct strbuf *sb, const char *text, size_t len, size_t from, size_t to,
                     int cols);

#endif
