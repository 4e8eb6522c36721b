/* export_dialog.c: format, file and rows of an export, with a preview. */
#include "tui/dialogs/options_editor.h"

#include <string.h>
#include <sys/stat.h>

#include "export/output.h"
#include "model/format.h"
#include "tui/action.h"
#include "tui/dialogs/overlay.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/tasks.h"

enum export_field { FIELD_FORMAT, FIELD_FILE, FIELD_OVERWRITE, FIELD_ROWS, FIELDS };
enum rows_choice { ROWS_IN_VIEW, ROWS_BELOW_CURSOR, ROWS_ALL, ROWS_CHOICES };
enum { LABEL = 11, DIALOG_COLS = 106, PREVIEW_ROWS = 3, FIELD_ROWS_MIN = 4,
       OTHER_ROWS = FIELD_ROWS_MIN + 1 + PREVIEW_ROWS, FORMATS_MAX = 24 };
#define AND_ONE(name) +1
_Static_assert(OUTPUT_LIST(AND_ONE) <= FORMATS_MAX, "room for every format");
#undef AND_ONE
enum { PREVIEW_BYTES = 1000, PREVIEW_NODES = 100000 };

static const char *const rows_labels[ROWS_CHOICES] = {"in view", "below the cursor", "all"};

/* Default file extensions that are not the name of the output. */
static const struct {
    const char *output, *suffix;
} suffixes[] = {{"file", "txt"}, {"timeline", "json"}, {"pprof", "pb.gz"},
                {"proto", "pb"}, {"oplog", "pb"},      {"profile", "pb"}};

struct export_dialog {
    struct overlay overlay;
    enum export_field at;
    const struct output *formats[FORMATS_MAX];
    size_t n_formats, format;
    struct lineedit file;
    bool file_typed; /* the user has typed a name: it no longer follows format and view */
    bool overwrite;
    enum rows_choice rows;
    struct strbuf preview[PREVIEW_ROWS]; /* first lines of the output */
};

static const char *suffix_of(const struct output *output)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(suffixes[i].output, output->name) == 0)
            return suffixes[i].suffix;
    return output->name;
}

static void name_file(struct export_dialog *d, const struct app *a)
{
    struct strbuf name = {0};

    if (d->file_typed)
        return;
    sb_addf(&name, "%s.%s", view_names[a->doc.result->view_id], suffix_of(d->formats[d->format]));
    lineedit_set(&d->file, sb_text(&name));
    sb_done(&name);
}

/* The existing file; false if there is none. */
static bool file_there(const struct export_dialog *d, struct stat *st)
{
    return d->file.text.len && stat(sb_text(&d->file.text), st) == 0;
}

/* ---- the output */

static void export_options(struct app *a, const struct export_dialog *d, struct options *o)
{
    struct strbuf value = {0};
    struct err err = {0};

    options_copy(o, &a->doc.result->options);
    if (d->rows == ROWS_BELOW_CURSOR && app_row(a)) {
        regexes_quote(&value, tree_name(a->doc.result->tree, app_row(a)),
                      tree_name_len(a->doc.result->tree, app_row(a)));
        option_set(o, option_find("start_name_regexes"), sb_text(&value), &err);
    } else if (d->rows == ROWS_ALL) {
        for (size_t i = 0; i < option_table_n; i++)
            if (option_table[i].default_text &&
                (option_table[i].stages & (STAGE_SHOW | STAGE_START)))
                option_set(o, &option_table[i], option_table[i].default_text, &err);
        o->max_depth = INT32_MAX;
    }
    sb_clear(&value);
    sb_addf(&value, "%s:outfile=%s", d->formats[d->format]->name, sb_text(&d->file.text));
    option_set(o, option_find("output"), sb_text(&value), &err);
    err_done(&err);
    sb_done(&value);
}

static uint32_t rows_of(struct app *a, enum rows_choice rows)
{
    const struct result *r = a->doc.result;
    uint32_t n = 0;

    if (rows == ROWS_IN_VIEW)
        return r->n_shown;
    if (rows == ROWS_ALL)
        return r->tree->n_rows - 1;
    for (row_id row = app_row(a); row < r->tree->end[app_row(a)]; row++)
        n += row && r->why[row] == WHY_SHOWN;
    return n;
}

/* A sink that refuses more than PREVIEW_BYTES. */
struct preview_sink {
    struct sink sink;
    struct strbuf text;
};

static bool preview_write(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    struct preview_sink *p = (struct preview_sink *)s;

    sb_add(&p->text, bytes, len);
    return p->text.len < PREVIEW_BYTES || err_set(err, ERR_CANCELLED, "enough");
}

static bool is_text(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)bytes[i] < ' ' && !strchr("\n\t\r", bytes[i]))
            return false;
    return true;
}

/* Computes the first lines of the chosen output. */
static void make_preview(struct export_dialog *d, struct app *a)
{
    const struct output *output = d->formats[d->format];
    struct preview_sink p = {.sink = {.write = preview_write}};
    struct err err = {0};
    const char *line;

    if (a->doc.result->profile->n_nodes < PREVIEW_NODES &&
        output_fits(output, a->doc.result->view_id, a->doc.result, &err))
        output->write(a->doc.result, &p.sink, &err);
    line = is_text(sb_text(&p.text), p.text.len) ? sb_text(&p.text) : "(not a text)";
    for (size_t i = 0; i < PREVIEW_ROWS; i++) {
        const size_t len = strcspn(line, "\n");

        sb_clear(&d->preview[i]);
        sb_add(&d->preview[i], line, len);
        line += len + (line[len] == '\n');
    }
    err_done(&err);
    sb_done(&p.text);
}

/* ---- drawing */

static void label(struct area box, int row, const char *text, bool at)
{
    area_puts(box, row, 1, text, at ? ROLE_KEY : ROLE_DIM);
    if (at)
        area_puts(box, row, 0, ">", ROLE_KEY);
}

/* Appends why OUTPUT cannot be written: "only of code", or the error of its check. */
static void add_reason(struct strbuf *why, const struct output *output, const struct result *r,
                       const struct err *err)
{
    if (output->views & 1u << r->view_id) {
        const char *text = err_text(err), *colon = strstr(text, ": ");

        sb_adds(why, colon ? colon + 2 : text); /* without the name of the option */
        return;
    }
    for (int v = 0; v < VIEW_ADVISE; v++)
        if (output->views & 1u << v)
            sb_addf(why, "%s%s", why->len ? ", " : "only of the view ", view_names[v]);
}

/* Number of visible formats: all before there is a preview; on low screens a window around the
 * selected one. */
static int formats_room(const struct export_dialog *d, struct area box)
{
    const int most = box.rows - FIELD_ROWS_MIN;
    const int room = most < (int)d->n_formats ? most : (int)d->n_formats;

    return room > 1 ? room : 1;
}

/* Draws TEXT after the labels, cut after a word. */
static void put_cut(struct area box, int row, const struct strbuf *text, enum role role)
{
    struct strbuf cut = {0};

    text_cut_words(&cut, sb_text(text), text->len, box.cols - LABEL - 1);
    area_put(box, row, LABEL, sb_text(&cut), cut.len, role);
    sb_done(&cut);
}

static int draw_formats(const struct export_dialog *d, struct app *a, struct area box, int row)
{
    const int room = formats_room(d, box);
    const size_t top = scroll_to(0, d->format, d->n_formats, room);

    label(box, row, "Format", d->at == FIELD_FORMAT);
    for (size_t i = top; i < d->n_formats && i < top + (size_t)room; i++, row++) {
        struct err err = {0};
        const bool fits = output_fits(d->formats[i], a->doc.result->view_id, a->doc.result, &err);
        struct strbuf why = {0}, text = {0};

        add_reason(&why, d->formats[i], a->doc.result, &err);
        sb_addf(&text, "(%s) %-9s %s", i == d->format ? "o" : " ", d->formats[i]->name,
                fits ? d->formats[i]->help : sb_text(&why));
        put_cut(box, row, &text, fits ? ROLE_TEXT : ROLE_DIM);
        EACH(sb_done, &why, &text);
        if (i == d->format && d->at == FIELD_FORMAT) {
            area_paint(box, row, LABEL, 14, ROLE_CURSOR);
            area_cursor(box, row, LABEL + 1, false);
        }
        err_done(&err);
    }
    return row;
}

static int draw_file(const struct export_dialog *d, struct area box, int row)
{
    struct stat st;

    label(box, row, "File", d->at == FIELD_FILE);
    if (d->at == FIELD_FILE)
        lineedit_draw(&d->file, box, row, LABEL, box.cols - LABEL - 1);
    else
        area_put(box, row, LABEL, sb_text(&d->file.text), d->file.text.len, ROLE_TEXT);
    row++;
    label(box, row, "", d->at == FIELD_OVERWRITE);
    if (file_there(d, &st)) {
        struct strbuf size = {0};

        format_spaced(&size, UNIT_BYTES, st.st_size);
        area_printf(box, row, LABEL, ROLE_NOTE, "exists, %s   [%s] overwrite", sb_text(&size),
                    d->overwrite ? "x" : " ");
        if (d->at == FIELD_OVERWRITE)
            area_cursor(box, row, LABEL, false);
        sb_done(&size);
    } else {
        area_puts(box, row, LABEL, "a new file", ROLE_DIM);
    }
    return row + 1;
}

static int draw_rows(const struct export_dialog *d, struct app *a, struct area box, int row)
{
    int col = LABEL;

    label(box, row, "Rows", d->at == FIELD_ROWS);
    for (int i = 0; i < ROWS_CHOICES; i++) {
        struct strbuf text = {0};

        sb_addf(&text, "(%s) %s ", i == (int)d->rows ? "o" : " ", rows_labels[i]);
        figure_grouped(&text, rows_of(a, (enum rows_choice)i));
        if (d->at == FIELD_ROWS && i == (int)d->rows)
            area_cursor(box, row, col + 1, false);
        col += area_put(box, row, col, sb_text(&text), text.len,
                        d->at == FIELD_ROWS && i == (int)d->rows ? ROLE_CURSOR : ROLE_TEXT);
        col += 3;
        sb_done(&text);
    }
    return row + 1;
}

/* Draws as much as fits, but always the command. */
static void draw_rest(const struct export_dialog *d, struct app *a, struct area box, int row)
{
    const int last = box.rows - 1;
    struct strbuf command = {0}, cut = {0};
    struct options o;

    if (row < last)
        area_puts(box, row++, LABEL, "written atomically: temporary file, fsync, rename",
                  ROLE_DIM);
    for (int i = 0; i < PREVIEW_ROWS && row < last; i++, row++) {
        label(box, row, i ? "" : "Preview", false);
        put_cut(box, row, &d->preview[i], ROLE_DIM);
    }
    export_options(a, d, &o);
    session_print_command(&command, a->doc.session, a->doc.result->view_id, &o);
    label(box, row, "Same as", false);
    text_cut_end(&cut, sb_text(&command), command.len, box.cols - LABEL - 1);
    area_put(box, row, LABEL, sb_text(&cut), cut.len, ROLE_TEXT);
    options_done(&o);
    EACH(sb_done, &command, &cut);
}

static void dialog_draw(struct overlay *o, struct app *a, struct area screen)
{
    const struct export_dialog *d = (const struct export_dialog *)o;
    struct area box =
        overlay_box(screen, (int)d->n_formats + OTHER_ROWS, DIALOG_COLS, "Export");
    int row = 0;

    row = draw_formats(d, a, box, row);
    row = draw_file(d, box, row);
    row = draw_rows(d, a, box, row);
    draw_rest(d, a, box, row);
}

/* ---- keys */

static struct lineedit *dialog_edit(struct overlay *o)
{
    struct export_dialog *d = (struct export_dialog *)o;

    return d->at == FIELD_FILE ? &d->file : NULL;
}

static void dialog_edited(struct overlay *o, struct app *a UNUSED)
{
    struct export_dialog *d = (struct export_dialog *)o;

    d->file_typed = true;
    d->overwrite = false;
}

static void dialog_field(struct overlay *o, struct app *a UNUSED, int direction)
{
    struct export_dialog *d = (struct export_dialog *)o;

    d->at = (enum export_field)(((int)d->at + direction + FIELDS) % FIELDS);
}

static void dialog_adjust(struct overlay *o, struct app *a, int direction)
{
    struct export_dialog *d = (struct export_dialog *)o;

    switch (d->at) {
    case FIELD_FORMAT:
        d->format = (d->format + d->n_formats + (size_t)(ptrdiff_t)direction) % d->n_formats;
        name_file(d, a);
        make_preview(d, a);
        break;
    case FIELD_OVERWRITE:
        d->overwrite = !d->overwrite;
        break;
    case FIELD_ROWS:
        d->rows = (enum rows_choice)(((int)d->rows + direction + ROWS_CHOICES) % ROWS_CHOICES);
        break;
    case FIELD_FILE:
    case FIELDS:
        break;
    }
}

static unsigned dialog_idle(const struct overlay *o)
{
    return ((const struct export_dialog *)o)->at == FIELD_FILE ? OFFER_TICK : OFFER_CLEAR;
}

static void dialog_toggle(struct overlay *o, struct app *a)
{
    struct lineedit *edit = dialog_edit(o);

    if (!edit) {
        dialog_adjust(o, a, 1);
        return;
    }
    lineedit_type(edit, ' ');
    dialog_edited(o, a);
}

static void dialog_accept(struct overlay *o, struct app *a)
{
    struct export_dialog *d = (struct export_dialog *)o;
    struct err err = {0};
    struct options options;
    struct stat st;

    if (!output_fits(d->formats[d->format], a->doc.result->view_id, a->doc.result, &err)) {
        app_print_err(a, &err);
        return;
    }
    if (!d->file.text.len) {
        app_print(a, ROLE_NOTE, "a file needs a name");
        d->at = FIELD_FILE;
        return;
    }
    if (file_there(d, &st) && !d->overwrite) {
        app_print(a, ROLE_NOTE, "the file exists: tick overwrite with Space, or change the name");
        d->at = FIELD_OVERWRITE;
        return;
    }
    export_options(a, d, &options);
    export_begin(a, &options, NULL, sb_text(&d->file.text));
    options_done(&options);
    overlay_remove(a, o);
}

static void dialog_done(struct overlay *o)
{
    struct export_dialog *d = (struct export_dialog *)o;

    for (size_t i = 0; i < PREVIEW_ROWS; i++)
        sb_done(&d->preview[i]);
    lineedit_done(&d->file);
}

static const struct overlay_ops dialog_ops = {
    .mode = "DIALOG",
    .context = CTX_DIALOG,
    .draw = dialog_draw,
    .accept = dialog_accept,
    .edit = dialog_edit,
    .edited = dialog_edited,
    .field = dialog_field,
    .adjust = dialog_adjust,
    .toggle = dialog_toggle,
    .idle = dialog_idle,
    .done = dialog_done,
};

void export_dialog_open(struct app *a, int arg UNUSED)
{
    struct export_dialog *d;

    if (table_pane_is_on(a)) {
        table_pane_export(a);
        return;
    }
    d = overlay_open(a, &dialog_ops, sizeof *d);
    for (size_t i = 0; outputs[i]; i++)
        if (outputs[i]->write && outputs[i]->outfile != OUTFILE_NONE)
            d->formats[d->n_formats++] = outputs[i];
    name_file(d, a);
    make_preview(d, a);
}
