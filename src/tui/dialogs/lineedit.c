/* lineedit.c: the line editor of prompts and of the options. */
#include "tui/dialogs/lineedit.h"

#include <string.h>

#include "base/utf8.h"

void lineedit_set(struct lineedit *e, const char *text)
{
    sb_clear(&e->text);
    sb_adds(&e->text, text);
    e->caret = e->text.len;
    e->gives_way = false;
}

/* Clears a proposal before text is typed or pasted. */
static void begin_typing(struct lineedit *e)
{
    if (e->gives_way)
        lineedit_set(e, "");
}

static void insert_bytes(struct lineedit *e, const char *bytes, size_t len)
{
    struct strbuf tail = {0};

    sb_add(&tail, sb_text(&e->text) + e->caret, e->text.len - e->caret);
    sb_truncate(&e->text, e->caret);
    sb_add(&e->text, bytes, len);
    sb_add(&e->text, sb_text(&tail), tail.len);
    e->caret += len;
    sb_done(&tail);
}

void lineedit_insert(struct lineedit *e, const char *text, size_t len)
{
    begin_typing(e);
    while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    for (size_t i = 0; i < len; i++) {
        const char c = text[i] == '\n' || text[i] == '\r' || text[i] == '\t' ? ' ' : text[i];

        if (c) /* NUL would end the value of an option */
            insert_bytes(e, &c, 1);
    }
}

void lineedit_type(struct lineedit *e, uint32_t code)
{
    uint8_t bytes[4];

    begin_typing(e);
    insert_bytes(e, (const char *)bytes, utf8_put(bytes, code));
}

/* Length in bytes of the character (or stray byte) at I. */
static size_t char_len(const struct lineedit *e, size_t i, uint32_t *code)
{
    const size_t n = utf8_decode(e->text.data + i, e->text.len - i, code);

    return n ? n : 1;
}

/* The position behind the character at FROM and its combining marks. */
static size_t next_stop(const struct lineedit *e, size_t from)
{
    uint32_t code = 0;
    size_t i = from;

    if (i < e->text.len)
        i += char_len(e, i, &code);
    while (i < e->text.len) {
        const size_t n = char_len(e, i, &code);

        if (char_cols(code) != 0)
            break;
        i += n;
    }
    return i;
}

static size_t previous_stop(const struct lineedit *e, size_t from)
{
    size_t stop = 0;

    for (size_t i = 0; i < from; i = next_stop(e, i))
        stop = i;
    return stop;
}

/* Start of the word before FROM. */
static size_t word_start(const struct lineedit *e, size_t from)
{
    const char *text = e->text.data;

    while (from > 0 && strchr(" ,", text[from - 1]))
        from--;
    while (from > 0 && !strchr(" ,", text[from - 1]))
        from--;
    return from;
}

static bool erase(struct lineedit *e, size_t begin, size_t end)
{
    struct strbuf tail = {0};

    if (begin == end)
        return false;
    sb_add(&tail, e->text.data + end, e->text.len - end);
    sb_truncate(&e->text, begin);
    sb_add(&e->text, sb_text(&tail), tail.len);
    sb_done(&tail);
    e->caret = begin;
    return true;
}

bool lineedit_do(struct lineedit *e, enum edit_op op)
{
    e->gives_way = false;
    switch (op) {
    case EDIT_LEFT:
        e->caret = previous_stop(e, e->caret);
        return false;
    case EDIT_RIGHT:
        e->caret = next_stop(e, e->caret);
        return false;
    case EDIT_HOME:
        e->caret = 0;
        return false;
    case EDIT_END:
        e->caret = e->text.len;
        return false;
    case EDIT_BACKSPACE:
        return erase(e, previous_stop(e, e->caret), e->caret);
    case EDIT_DELETE:
        return erase(e, e->caret, next_stop(e, e->caret));
    case EDIT_KILL_WORD:
        return erase(e, word_start(e, e->caret), e->caret);
    case EDIT_KILL_LINE:
        return erase(e, 0, e->caret);
    }
    return false;
}

void lineedit_draw(const struct lineedit *e, struct area a, int row, int col, int cols)
{
    const char *text = sb_text(&e->text);
    const int before = text_cols(text, e->caret);
    const int shift = before >= cols ? before - cols + 1 : 0;
    struct area box = area_sub(a, row, col, 1, cols);

    area_fill(box, 0, 0, cols, ' ', ROLE_INPUT);
    area_put(box, 0, -shift, text, e->text.len, ROLE_INPUT);
    area_cursor(box, 0, before - shift, true);
}

void lineedit_done(struct lineedit *e)
{
    sb_done(&e->text);
    e->caret = 0;
}
