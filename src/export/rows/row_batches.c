/* row_batches.c: a pipeline of three stages (collect rows, format them, write the text); each stage
 * works on its own round of rows. */
#include "export/rows/row_batches.h"

#include <stdlib.h>

#include "base/system/workers.h"
#include "base/xalloc.h"

enum { ROWS_A_BATCH = 512, BATCHES_A_ROUND = 32, ROWS_FOR_THREADS = 2048 };
/* A batch ends before 512 rows if its text would exceed this; three rounds of text are in memory at
 * a time. */
enum { MAX_TEXT_BYTES = 96 << 10 };

struct batch {
    struct printed_row rows[ROWS_A_BATCH];
    size_t n;
    struct strbuf text;
};

struct round {
    struct batch *batches; /* [max_batches] of the pipeline */
    size_t n;
};

struct pipeline {
    struct outbuf *out;
    struct result_walk walk;
    bool begun, ended; /* state of the walk */
    const struct row_batches *how;
    size_t max_batches;                         /* of a round: 1 without threads */
    struct round *collected, *turned, *written; /* current round of each stage */
};

static bool next_row(struct pipeline *p, struct printed_row *row)
{
    struct result *r = p->walk.result;

    p->ended = p->ended || !result_walk_next(&p->walk);
    if (!p->ended && p->walk.row == 0 && r->view->is_list)
        p->ended = !result_walk_next(&p->walk);
    *row = (struct printed_row){p->walk.row, p->walk.depth, !p->begun};
    p->begun = true;
    return !p->ended;
}

/* Bytes of indentation and name of a row. */
static size_t text_bytes(const struct pipeline *p, const struct printed_row *row)
{
    return p->how->indent_bytes * row->depth + tree_name_len(p->walk.result->tree, row->row);
}

static void collect_batch(struct pipeline *p, struct batch *b, struct printed_row first)
{
    size_t bytes = text_bytes(p, &first);

    sb_clear(&b->text);
    b->n = 0;
    b->rows[b->n++] = first;
    while (b->n < ROWS_A_BATCH && bytes < MAX_TEXT_BYTES && next_row(p, &b->rows[b->n]))
        bytes += text_bytes(p, &b->rows[b->n++]);
}

static void collect(struct pipeline *p)
{
    struct round *round = p->collected;
    struct printed_row row;

    round->n = 0;
    while (round->n < p->max_batches && next_row(p, &row))
        collect_batch(p, &round->batches[round->n++], row);
}

static void write_round(struct pipeline *p)
{
    for (size_t i = 0; i < p->written->n; i++)
        outbuf_add(p->out, &p->written->batches[i].text);
}

/* Jobs of a round: the single-threaded stages, then batches. */
enum { JOB_WRITE, JOB_COLLECT, JOB_BATCHES };

static void run_jobs(void *arg, size_t from, size_t to)
{
    struct pipeline *p = arg;

    for (size_t job = from; job < to; job++) {
        if (job == JOB_WRITE) {
            write_round(p);
        } else if (job == JOB_COLLECT) {
            collect(p);
        } else {
            struct batch *b = &p->turned->batches[job - JOB_BATCHES];

            p->how->fn(&b->text, b->rows, b->n, p->how->arg);
        }
    }
}

static void rotate_rounds(struct pipeline *p)
{
    struct round *free_one = p->written;

    p->written = p->turned;
    p->turned = p->collected;
    p->collected = free_one;
}

void row_batches_write(struct outbuf *out, struct result *r, const struct row_batches *b)
{
    struct workers *workers = b->can_share && r->n_shown >= ROWS_FOR_THREADS ? workers_new(0) : NULL;
    const size_t n = workers ? BATCHES_A_ROUND : 1;
    struct batch *batches = xcalloc(3 * n, sizeof *batches);
    struct round rounds[3] = {{batches, 0}, {batches + n, 0}, {batches + 2 * n, 0}};
    struct pipeline p = {.out = out, .how = b, .max_batches = n};

    p.collected = &rounds[0];
    p.turned = &rounds[1];
    p.written = &rounds[2];
    result_walk_init(&p.walk, r, 0);
    do {
        workers_run(workers, JOB_BATCHES + p.turned->n, 1, run_jobs, &p);
        rotate_rounds(&p);
    } while (!out->failed && (p.turned->n || p.written->n));
    result_walk_done(&p.walk);
    for (size_t i = 0; i < 3 * n; i++)
        sb_done(&batches[i].text);
    free(batches);
    workers_free(workers);
}
