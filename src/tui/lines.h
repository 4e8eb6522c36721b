/* lines.h: lines of text spans with roles and links: details, help, explanations, the summary. */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"
#include "term/canvas.h"
#include "view/query.h"

enum link_kind { LINK_NONE, LINK_NODE, LINK_FRAME, LINK_SOURCE, LINK_DEVICE, LINK_CURE, LINK_UNMATCH, LINK_ACTION };

/* Target of Enter on a line. */
struct link {
    enum link_kind kind;
    node_id node;              /* LINK_NODE; LINK_FRAME: node of the frame */
    /* LINK_FRAME: shown in the code view; LINK_SOURCE: opened in the editor */
    const struct frame *frame;
    struct text device;        /* LINK_DEVICE */
    row_id row;                /* LINK_CURE: hidden row, or ancestor of hidden rows; LINK_UNMATCH */
    unsigned why;              /* LINK_CURE: enum why */
    const char *action;        /* LINK_ACTION: name in the action table */
};

struct text_span {
    uint32_t offset, len; /* in lines.text */
    uint8_t role;
};

struct text_line {
    size_t first_span, n_spans;
    struct link link;
};

/* A zeroed struct is empty. */
struct lines {
    struct strbuf text;
    VEC(struct text_span) spans;
    VEC(struct text_line) v;
    int cols; /* width at which long names are cut */
};

void lines_clear(struct lines *l);
void lines_done(struct lines *l);
/* Begins a line. Later text is appended to it. */
void lines_next(struct lines *l);
void lines_put(struct lines *l, enum role role, const char *text, size_t len);
void lines_puts(struct lines *l, enum role role, const char *text);
void lines_putf(struct lines *l, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends TEXT, cut in the middle so that the line ends before column COLS. */
void lines_fit(struct lines *l, enum role role, const char *text, size_t len, int cols);
/* As lines_fit() up to l->cols, for an unescaped name from a file. */
void lines_name(struct lines *l, enum role role, const char *name, size_t len);
/* Appends TEXT, right-aligned in COLS columns. */
void lines_right(struct lines *l, enum role role, int cols, const char *text);
/* Appends at least one blank, up to column COL. */
void lines_tab(struct lines *l, int col);
/* Appends an item after two blanks, or on a new line from column COL on if it does not fit within
 * l->cols. */
void lines_add_item(struct lines *l, enum role role, int col, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Makes the line a link. */
void lines_link(struct lines *l, struct link link);
/* Adds a line "label   text" with the label dimmed in LABEL_COLS columns. */
void lines_field(struct lines *l, const char *label, enum role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Appends TEXT from column COL on, broken at blanks into lines that end before column COLS. */
void lines_wrapped(struct lines *l, enum role role, int col, int cols, const char *text);
/* Adds a text broken at blanks into lines of at most COLS columns. */
void lines_paragraph(struct lines *l, enum role role, int cols, const char *text);

enum { LABEL_COLS = 9 };

/* Draws line I in row ROW of A. */
void lines_draw_one(const struct lines *l, size_t i, struct area a, int row);
/* Appends the text of line I. */
void lines_text(const struct lines *l, size_t i, struct strbuf *sb);

/* Appends TEXT cut in the middle to COLS columns, because the end of a name matters more than
 * its middle. */
void text_cut_middle(struct strbuf *sb, const char *text, size_t len, int cols);
/* As text_cut_middle(), but cut at the end. */
void text_cut_end(struct strbuf *sb, const char *text, size_t len, int cols);
/* As text_cut_end(), but after a word that is no number; only long words are cut. */
void text_cut_words(struct strbuf *sb, const char *text, size_t len, int cols);
/* Appends TEXT cut to COLS columns around bytes FROM to TO: these first, then as much of both
 * ends as fits. */
void text_cut_around(struct strbuf *sb, const char *text, size_t len, size_t from, size_t to,
                     int cols);
