/* canvas.c: matrix of cells that panes draw into.
 *
 * Drawing and measuring functions both split text into glyphs with next_glyph(), so that measured
 * and drawn widths agree. */
#include "term/canvas.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"

static const struct cell blank = {.base = ' ', .width = 1, .role = ROLE_TEXT};

bool cell_equal(const struct cell *a, const struct cell *b)
{
    return a->base == b->base && a->width == b->width && a->role == b->role &&
           !memcmp(a->combining, b->combining, sizeof a->combining);
}

/* ---- the canvas */

void canvas_init(struct canvas *c)
{
    memset(c, 0, sizeof *c);
    canvas_resize(c, 1, 1);
}

void canvas_done(struct canvas *c)
{
    free(c->cells);
    memset(c, 0, sizeof *c);
}

void canvas_resize(struct canvas *c, int rows, int cols)
{
    c->rows = clamp(rows, 1, CANVAS_MAX);
    c->cols = clamp(cols, 1, CANVAS_MAX);
    c->cells = xreallocarray(c->cells, (size_t)c->rows * (size_t)c->cols, sizeof *c->cells);
    canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
    size_t n = (size_t)c->rows * (size_t)c->cols;

    for (size_t i = 0; i < n; i++)
        c->cells[i] = blank;
    c->cursor_row = 0;
    c->cursor_col = 0;
    c->cursor_visible = false;
}

void canvas_copy(struct canvas *to, const struct canvas *from)
{
    size_t n = (size_t)from->rows * (size_t)from->cols;

    if (to->rows != from->rows || to->cols != from->cols)
        to->cells = xreallocarray(to->cells, n, sizeof *to->cells);
    memcpy(to->cells, from->cells, n * sizeof *to->cells);
    to->rows = from->rows;
    to->cols = from->cols;
    to->cursor_row = from->cursor_row;
    to->cursor_col = from->cursor_col;
    to->cursor_visible = from->cursor_visible;
}

struct cell *canvas_at(const struct canvas *c, int row, int col)
{
    return &c->cells[(size_t)row * (size_t)c->cols + (size_t)col];
}

/* Sets the cell at ROW, COL. If this overwrites one half of a wide character, the other half
 * becomes a blank in its role. */
static void set_cell(struct canvas *c, int row, int col, struct cell cell)
{
    struct cell *at = canvas_at(c, row, col);

    if (at->width == 0 && col > 0) {
        at[-1].base = ' ';
        at[-1].width = 1;
        memset(at[-1].combining, 0, sizeof at[-1].combining);
    } else if (at->width == 2 && col + 1 < c->cols) {
        at[1].base = ' ';
        at[1].width = 1;
    }
    *at = cell;
}

/* ---- splitting of text */

enum { JOINER = 0x200d, JOINED_MAX = 4 /* emoji family: four persons joined */ };

/* A unit of drawing that is never split: a character with its combining marks, an emoji sequence,
 * or an escape. */
struct glyph {
    size_t bytes;    /* length in the text */
    int cols;        /* total width, or the length of the escape */
    struct cell cell; /* base character and marks; base 0 for an escape */
    size_t joined_at; /* byte offset of the characters joined to the first; 0: none */
    char escape[UTF8_ESCAPE_BYTES];
};

/* Adds the combining marks at TEXT to CELL. Returns their length in bytes. */
static size_t add_marks(struct cell *cell, const char *text, size_t len)
{
    size_t taken = 0;
    size_t n_marks = 0;
    uint32_t code;
    size_t bytes;

    while (taken < len && (unsigned char)text[taken] >= 0x80 &&
           (bytes = utf8_decode(text + taken, len - taken, &code)) != 0 && char_cols(code) == 0) {
        if (n_marks < CELL_COMBINING)
            cell->combining[n_marks++] = code;
        taken += bytes;
    }
    return taken;
}

/* True for variation selectors and skin tone modifiers. */
static bool is_variation(uint32_t code)
{
    return code == 0xfe0e || code == 0xfe0f || (code >= 0x1f3fb && code <= 0x1f3ff);
}

/* Adds to G the rest of an emoji sequence. Terminals disagree on the width of such sequences, so
 * joiners, variation selectors and skin tones are omitted, and the joined emoji are drawn side by
 * side. */
static void add_joined(struct glyph *g, const char *text, size_t len)
{
    uint32_t code, next;
    size_t bytes, more;
    int n = 1;

    while (g->bytes < len && (unsigned char)text[g->bytes] >= 0x80 &&
           (bytes = utf8_decode(text + g->bytes, len - g->bytes, &code)) != 0) {
        const size_t behind = g->bytes + bytes;

        if (is_variation(code)) {
            g->bytes = behind;
            continue;
        }
        more = code == JOINER && behind < len ? utf8_decode(text + behind, len - behind, &next) : 0;
        if (!more || next < 0x2000 || char_cols(next) < 1 || n++ == JOINED_MAX)
            return;
        if (!g->joined_at)
            g->joined_at = g->bytes;
        g->cols += char_cols(next);
        g->bytes = behind + more;
    }
}

/* Returns the glyph at TEXT, of which LEN > 0 bytes remain. */
static struct glyph next_glyph(const char *text, size_t len)
{
    struct glyph g = {.cell = blank};
    size_t n_escape;
    uint32_t code;

    g.bytes = utf8_escape_at(text, len, g.escape, &n_escape);
    if (g.bytes) {
        g.cols = (int)n_escape;
        g.cell.base = 0;
        return g;
    }
    g.bytes = utf8_decode(text, len, &code);
    g.cols = char_cols(code);
    g.cell.base = code;
    if (g.cols < 0) {
        g.cols = 1;
        g.cell.base = '?';
    } else if (g.cols == 0) {
        /* A combining mark without a base is drawn on a space. */
        g.cols = 1;
        g.cell.base = ' ';
        g.bytes = 0;
    }
    g.cell.width = (uint8_t)g.cols;
    g.bytes += add_marks(&g.cell, text + g.bytes, len - g.bytes);
    if (code >= 0x2000)
        add_joined(&g, text, len);
    return g;
}

/* Number of characters at the start of TEXT that are one-byte glyphs. Excludes a character that
 * marks may follow. */
static size_t plain_glyphs(const char *text, size_t len)
{
    const size_t n = utf8_plain_run(text, len);

    return n && n < len && (unsigned char)text[n] >= 0x80 ? n - 1 : n;
}

static int add_cols(int cols, int more)
{
    return cols > INT_MAX - more ? INT_MAX : cols + more;
}

int text_cols(const char *text, size_t len)
{
    int cols = 0;

    for (size_t at = 0; at < len;) {
        const size_t plain = plain_glyphs(text + at, len - at);
        struct glyph g = {.bytes = plain, .cols = plain < INT_MAX ? (int)plain : INT_MAX};

        if (!plain)
            g = next_glyph(text + at, len - at);
        cols = add_cols(cols, g.cols);
        at += g.bytes;
    }
    return cols;
}

size_t text_fit(const char *text, size_t len, int cols)
{
    size_t at = 0;

    while (at < len) {
        struct glyph g = next_glyph(text + at, len - at);

        if (g.cols > cols)
            break;
        cols -= g.cols;
        at += g.bytes;
    }
    return at;
}

size_t text_fit_end(const char *text, size_t len, int cols)
{
    int left = text_cols(text, len);
    size_t at = 0;

    while (at < len && left > cols) {
        struct glyph g = next_glyph(text + at, len - at);

        left -= g.cols;
        at += g.bytes;
    }
    return len - at;
}

/* ---- areas */

struct area area_all(struct canvas *c)
{
    return (struct area){c, 0, 0, c->rows, c->cols};
}

struct area area_sub(struct area a, int top, int left, int rows, int cols)
{
    struct area sub = {.canvas = a.canvas};

    sub.top = clamp(top, 0, a.rows);
    sub.left = clamp(left, 0, a.cols);
    /* Rows before the edge of the parent reduce the size. */
    rows -= sub.top - top;
    cols -= sub.left - left;
    sub.rows = clamp(rows, 0, a.rows - sub.top);
    sub.cols = clamp(cols, 0, a.cols - sub.left);
    sub.top += a.top;
    sub.left += a.left;
    return sub;
}

/* Draws a character of one or two columns at COL. If it is only half inside the area, draws a blank
 * instead. */
static void put_char(struct area a, int row, int col, struct cell cell)
{
    int cols = cell.width;

    if (col < 0 || col + cols > a.cols) {
        for (int i = 0; i < cols; i++)
            if (col + i >= 0 && col + i < a.cols)
                set_cell(a.canvas, a.top + row, a.left + col + i,
                         (struct cell){.base = ' ', .width = 1, .role = cell.role});
        return;
    }
    /* The right half first: this blanks an older wide character there before the left half is
     * set. */
    if (cols == 2)
        set_cell(a.canvas, a.top + row, a.left + col + 1, (struct cell){.role = cell.role});
    set_cell(a.canvas, a.top + row, a.left + col, cell);
}

/* Draws N one-column characters of TEXT from COL on. Returns how many were inside or to the left of
 * the area. */
static size_t put_plain(struct area a, int row, int col, const char *text, size_t n, enum role role)
{
    const size_t room = col < a.cols ? (size_t)(a.cols - (int64_t)col) : 0;
    const size_t done = n < room ? n : room;

    for (size_t i = col < 0 ? (size_t)-(int64_t)col : 0; i < done; i++)
        set_cell(a.canvas, a.top + row, a.left + col + (int)i,
                 (struct cell){.base = (unsigned char)text[i], .width = 1, .role = (uint8_t)role});
    return done;
}

/* Draws the characters joined to G, which begin at TEXT, from COL on. */
static void put_joined(struct area a, int row, int col, const struct glyph *g, const char *text)
{
    for (size_t at = g->joined_at; at < g->bytes;) {
        struct cell cell = {.role = g->cell.role};

        at += utf8_decode(text + at, g->bytes - at, &cell.base);
        if (cell.base == JOINER || is_variation(cell.base))
            continue;
        cell.width = (uint8_t)char_cols(cell.base);
        put_char(a, row, col, cell);
        col += cell.width;
    }
}

static void put_escape(struct area a, int row, int col, const struct glyph *g)
{
    for (int i = 0; i < g->cols; i++)
        put_char(a, row, col + i,
                 (struct cell){.base = (uint32_t)g->escape[i], .width = 1, .role = g->cell.role});
}

int area_put(struct area a, int row, int col, const char *text, size_t len, enum role role)
{
    int at_col = col;

    if (row < 0 || row >= a.rows)
        return 0;
    while (len) {
        const size_t plain = plain_glyphs(text, len);
        const size_t done = put_plain(a, row, at_col, text, plain, role);
        struct glyph g;

        at_col += (int)done;
        text += done;
        len -= done;
        if (done < plain || !len)
            break;
        g = next_glyph(text, len);
        if (at_col + g.cols > a.cols)
            break;
        if (at_col + g.cols > 0) {
            g.cell.role = (uint8_t)role;
            if (g.cell.base)
                put_char(a, row, at_col, g.cell);
            else
                put_escape(a, row, at_col, &g);
            if (g.joined_at)
                put_joined(a, row, at_col + g.cell.width, &g, text);
        }
        at_col += g.cols;
        text += g.bytes;
        len -= g.bytes;
    }
    return at_col - col;
}

int area_puts(struct area a, int row, int col, const char *text, enum role role)
{
    return area_put(a, row, col, text, strlen(text), role);
}

void area_put_before(struct area a, int row, int end, struct strbuf *text, enum role role)
{
    area_put(a, row, end - text_cols(sb_text(text), text->len), sb_text(text), text->len, role);
    sb_clear(text);
}

int area_printf(struct area a, int row, int col, enum role role, const char *format, ...)
{
    struct strbuf sb = {0};
    va_list args;
    int cols;

    va_start(args, format);
    sb_vaddf(&sb, format, args);
    va_end(args);
    cols = area_put(a, row, col, sb_text(&sb), sb.len, role);
    sb_done(&sb);
    return cols;
}

void area_fill(struct area a, int row, int col, int cols, uint32_t ch, enum role role)
{
    struct area part = area_sub(a, row, col, 1, cols);

    for (int i = 0; i < part.cols && part.rows; i++)
        put_char(part, 0, i, (struct cell){.base = ch, .width = 1, .role = (uint8_t)role});
}

void area_paint(struct area a, int row, int col, int cols, enum role role)
{
    struct area part = area_sub(a, row, col, 1, cols);

    for (int i = 0; i < part.cols && part.rows; i++)
        canvas_at(part.canvas, part.top, part.left + i)->role = (uint8_t)role;
}

void area_cursor(struct area a, int row, int col, bool visible)
{
    struct canvas *c = a.canvas;

    c->cursor_row = clamp(a.top + clamp(row, 0, a.rows - 1), 0, c->rows - 1);
    c->cursor_col = clamp(a.left + clamp(col, 0, a.cols - 1), 0, c->cols - 1);
    c->cursor_visible = visible;
}

void canvas_dump_row(struct strbuf *sb, const struct canvas *c, int row)
{
    int cols = c->cols;

    while (cols && canvas_at(c, row, cols - 1)->base == ' ')
        cols--;
    for (int col = 0; col < cols; col++) {
        const struct cell *cell = canvas_at(c, row, col);

        if (!cell->base)
            continue;
        utf8_encode(sb, cell->base);
        for (int i = 0; i < CELL_COMBINING && cell->combining[i]; i++)
            utf8_encode(sb, cell->combining[i]);
    }
}
