/* test_row_batches.c: rows printed by several threads equal those of a sequential walk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "export/rows/row_batches.h"
#include "export/rows/row_cells.h"
#include "fixtures/random_profile.h"
#include "render/row.h"

/* A sink that stores its input, and fails at a limit. */
struct memory {
    struct sink sink;
    struct strbuf text;
    size_t limit;
};

static bool keep(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    struct memory *m = (struct memory *)s;

    if (m->text.len + len > m->limit)
        return err_set(err, ERR_INPUT, "full");
    sb_add(&m->text, bytes, len);
    return true;
}

struct printing {
    struct row_printer printer;
    struct row_cells cells;
};

/* Prints the row and its path, which depends on its ancestors. */
static void print_rows(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    const struct printing *p = arg;
    struct row_cells cells;

    row_cells_copy(&cells, &p->cells);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].is_first)
            sb_adds(sb, "first\n");
        render_row(sb, &p->printer, rows[i].row, rows[i].depth);
        row_cells_fill(&cells, rows[i].row, rows[i].depth);
        cell_text(sb, &cells.cells[CELL_PATH]);
    }
    row_cells_done(&cells);
}

static void print_walk(struct strbuf *sb, struct result *r, const struct printing *p)
{
    struct row_cells cells;
    struct result_walk walk;

    row_cells_copy(&cells, &p->cells);
    result_walk_init(&walk, r, 0);
    sb_adds(sb, "first\n");
    while (result_walk_next(&walk)) {
        if (r->view->is_list && walk.row == 0)
            continue;
        render_row(sb, &p->printer, walk.row, walk.depth);
        row_cells_fill(&cells, walk.row, walk.depth);
        cell_text(sb, &cells.cells[CELL_PATH]);
    }
    result_walk_done(&walk);
    row_cells_done(&cells);
}

struct fixture {
    struct profile *profile;
    struct query *query;
    struct options options;
    struct err err;
};

static void set_up(struct fixture *f, uint32_t n_nodes)
{
    uint64_t state = 7;

    *f = (struct fixture){.profile = random_profile(&state, n_nodes)};
    f->query = query_new_threads(f->profile, 1);
    options_init(&f->options);
    f->options.flops = FLOPS_LOG;
    f->options.max_depth = 1000;
    f->options.select |= FIELD_BIT(FIELD_DEVICE) | FIELD_BIT(FIELD_OP_TYPES);
}

static void tear_down(struct fixture *f)
{
    options_done(&f->options);
    query_free(f->query);
    profile_free(f->profile);
}

static void batches_come_in_display_order(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, 40000);
    for (int view = 0; view < VIEW_ADVISE; view++)
        for (int share = 0; share < 2; share++) {
            struct result *r = query_run(f.query, (enum view_id)view, &f.options, (struct cancel_mark){0}, &f.err);
            struct memory m = {.sink = {.write = keep}, .limit = SIZE_MAX};
            struct strbuf want = {0};
            struct printing p;
            struct outbuf out;

            assert_non_null(r);
            assert_true(view == VIEW_OP || r->n_shown > 2048);
            row_printer_init(&p.printer, r);
            row_cells_init(&p.cells, r, true);
            sb_adds(&want, "head\n");
            print_walk(&want, r, &p);
            outbuf_init(&out, &m.sink, &f.err);
            sb_adds(&out.text, "head\n");
            row_batches_write(&out, r,
                              &(struct row_batches){print_rows, &p, share && row_printer_can_share(&p.printer),
                                                    ROW_INDENT_BYTES});
            assert_true(outbuf_end(&out));
            assert_string_equal(sb_text(&m.text), sb_text(&want));
            row_cells_done(&p.cells);
            sb_done(&m.text);
            sb_done(&want);
            result_free(r);
        }
    tear_down(&f);
}

static void an_error_stops_the_walk(void **state)
{
    struct fixture f;
    struct result *r;
    struct memory m = {.sink = {.write = keep}, .limit = 100000};
    struct printing p;
    struct outbuf out;

    (void)state;
    set_up(&f, 40000);
    r = query_run(f.query, VIEW_SCOPE, &f.options, (struct cancel_mark){0}, &f.err);
    assert_non_null(r);
    row_printer_init(&p.printer, r);
    row_cells_init(&p.cells, r, true);
    outbuf_init(&out, &m.sink, &f.err);
    row_batches_write(&out, r, &(struct row_batches){print_rows, &p, true, ROW_INDENT_BYTES});
    assert_false(outbuf_end(&out));
    assert_string_equal(err_text(&f.err), "full");
    err_done(&f.err);
    row_cells_done(&p.cells);
    sb_done(&m.text);
    result_free(r);
    tear_down(&f);
}

static void count_batch(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    (void)rows, (void)arg;
    sb_addf(sb, "%zu\n", n);
}

static size_t count_batches(struct fixture *f, size_t indent_bytes)
{
    struct result *r = query_run(f->query, VIEW_SCOPE, &f->options, (struct cancel_mark){0}, &f->err);
    struct memory m = {.sink = {.write = keep}, .limit = SIZE_MAX};
    struct outbuf out;
    size_t n = 0;

    assert_non_null(r);
    outbuf_init(&out, &m.sink, &f->err);
    row_batches_write(&out, r, &(struct row_batches){count_batch, NULL, true, indent_bytes});
    assert_true(outbuf_end(&out));
    for (const char *at = sb_text(&m.text); *at; at++)
        n += *at == '\n';
    sb_done(&m.text);
    result_free(r);
    return n;
}

/* The indentation of deep rows ends a batch, but only if it is printed. */
static void indentation_cuts_batches(void **state)
{
    struct fixture f;
    size_t n_batches;

    (void)state;
    set_up(&f, 40000);
    n_batches = count_batches(&f, 0);
    assert_true(n_batches > 1);
    assert_int_equal(count_batches(&f, ROW_INDENT_BYTES), n_batches);
    assert_true(count_batches(&f, 100 << 10) > 100 * n_batches);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_come_in_display_order),
        cmocka_unit_test(an_error_stops_the_walk),
        cmocka_unit_test(indentation_cuts_batches),
    };

    return cmocka_run_group_tests_name("row_batches", tests, NULL, NULL);
}
