/* frame_lines.c: maps lines of a file after an edit, from the lines that occur in frames. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "match/frames.h"

/* Largest table of one file: lines of either side. */
enum { TABLE_MOST = 250000 };

/* A line of a file that occurs in a frame. */
struct line {
    uint64_t file;     /* number of the file, equal on both sides */
    uint64_t function;
    int32_t number;
    int32_t partner;   /* baseline lines: line in the current profile; -1: none */
};

typedef VEC(struct line) line_list;

/* A file of one side. */
struct source {
    struct text path;
    uint64_t base_name, hash;
    uint32_t partner; /* in the other list; UINT32_MAX: none */
};

typedef VEC(struct source) source_list;

struct renumbered {
    uint64_t from, to;
};

struct line_maps {
    VEC(struct renumbered) files; /* current files by hash, with the hash of the baseline file */
    line_list lines;              /* baseline lines, sorted */
};

/* ---- files */

COMPARE_BY(by_hash, struct source, hash)

static void list_sources(const struct frames *f, source_list *list)
{
    for (frame_id i = 1; i < f->rows.n; i++) {
        const struct frame_row *row = &f->rows.data[i];
        const struct text path = intern_string(&f->p->strings, row->frame->file);
        const char *slash = memrchr(path.bytes, '/', path.len);
        const size_t skip = slash ? (size_t)(slash + 1 - path.bytes) : 0;

        if (list->n && list->data[list->n - 1].hash == row->file)
            continue;
        vec_push(list, ((struct source){.path = path, .hash = row->file,
                                        .base_name = hash_bytes(path.bytes + skip, path.len - skip),
                                        .partner = UINT32_MAX}));
    }
    vec_sort(list, by_hash);
    vec_keep(list, i, !i || list->data[i].hash != list->data[i - 1].hash);
}

/* Length of the common suffix of two paths, in whole components. */
static uint32_t common_end(struct text a, struct text b)
{
    uint32_t n = 0, whole = 0;

    while (n < a.len && n < b.len && a.bytes[a.len - 1 - n] == b.bytes[b.len - 1 - n]) {
        whole = a.bytes[a.len - 1 - n] == '/' ? n : whole;
        n++;
    }
    if ((n == a.len || a.bytes[a.len - 1 - n] == '/') && (n == b.len || b.bytes[b.len - 1 - n] == '/'))
        whole = n;
    return whole;
}

/* The file with the longest common path suffix; UINT32_MAX: no file has the same base name, or
 * there is a tie. */
static uint32_t best_source(const struct source *of, const source_list *list)
{
    uint32_t best = UINT32_MAX, most = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct source *s = &list->data[i];
        const uint32_t common = s->base_name == of->base_name ? common_end(of->path, s->path) + 1 : 0;

        if (s->partner != UINT32_MAX || !common || common < most)
            continue;
        best = common == most ? UINT32_MAX : i;
        most = common;
    }
    return best;
}

static void pair_sources(source_list *base, source_list *now)
{
    for (uint32_t i = 0, k = 0; i < base->n && k < now->n;) {
        const uint64_t a = base->data[i].hash, b = now->data[k].hash;

        if (a == b) {
            base->data[i].partner = k;
            now->data[k].partner = i;
        }
        i += a <= b;
        k += b <= a;
    }
    for (uint32_t i = 0; i < base->n; i++) {
        const uint32_t k = base->data[i].partner == UINT32_MAX ? best_source(&base->data[i], now) : UINT32_MAX;

        if (k == UINT32_MAX || best_source(&now->data[k], base) != i)
            continue;
        base->data[i].partner = k;
        now->data[k].partner = i;
    }
}

uint64_t line_maps_file(const struct line_maps *maps, uint64_t file)
{
    size_t at = 0;

    LOWER_BOUND(at, maps->files.n, i, maps->files.data[i].from < file);
    return at < maps->files.n && maps->files.data[at].from == file ? maps->files.data[at].to : file;
}

/* ---- lines */

COMPARE_CHAIN(by_line, struct line, UP(file) || UP(number) || UP(function))

static void list_lines(const struct line_maps *maps, const struct frames *f, bool is_now,
                       line_list *list)
{
    for (frame_id i = 1; i < f->rows.n; i++) {
        const struct frame_row *row = &f->rows.data[i];

        if (row->frame->lineno >= 0)
            vec_push(list, ((struct line){is_now ? line_maps_file(maps, row->file) : row->file,
                                          row->function, row->frame->lineno, -1}));
    }
    vec_sort(list, by_line);
    vec_keep(list, i, !i || by_line(&list->data[i], &list->data[i - 1]));
}

/* Value of an alignment: most pairs, then fewest changes of the line offset, then smallest ones. */
enum { PAIR_VALUE = 1 << 20, SHIFT_COST = 1 << 8 };

struct alignment {
    struct line *base;
    const struct line *now;
    uint32_t n_base, n_now;
    int64_t *value; /* [base][now] of the best alignment that ends with this pair; -1: no pair */
    uint32_t *before; /* [base][now] cell of the pair before; UINT32_MAX: none */
};

/* Best value of all cells above and to the left: cell, or UINT32_MAX. */
static uint32_t better_cell(const struct alignment *a, uint32_t x, uint32_t y)
{
    if (x == UINT32_MAX || y == UINT32_MAX)
        return x == UINT32_MAX ? y : x;
    return a->value[y] > a->value[x] ? y : x;
}

static int64_t shift_at(const struct alignment *a, uint32_t cell)
{
    return (int64_t)a->now[cell % a->n_now].number - a->base[cell / a->n_now].number;
}

static int64_t shift_cost(int64_t shift, int64_t before)
{
    const int64_t size = shift < 0 ? -shift : shift;

    return shift == before ? 0 : SHIFT_COST + (size < SHIFT_COST / 2 ? size : SHIFT_COST / 2);
}

/* Last cell with the same line offset before a cell, found by walking back both sorted lists. */
static uint32_t same_shift_before(const struct alignment *a, uint32_t i, uint32_t k)
{
    const int64_t shift = (int64_t)a->now[k].number - a->base[i].number;

    while (i && k) {
        const int64_t at = (int64_t)a->now[k - 1].number - a->base[i - 1].number;

        if (at == shift && a->value[(size_t)(i - 1) * a->n_now + k - 1] >= 0)
            return (i - 1) * a->n_now + k - 1;
        if (at >= shift)
            k--;
        if (at <= shift)
            i--;
    }
    return UINT32_MAX;
}

static void fill_cell(struct alignment *a, uint32_t i, uint32_t k, uint32_t best)
{
    const uint32_t cell = i * a->n_now + k, same = same_shift_before(a, i, k);
    const int64_t shift = (int64_t)a->now[k].number - a->base[i].number;
    int64_t value = PAIR_VALUE - shift_cost(shift, 0);

    a->before[cell] = UINT32_MAX;
    for (int which = 0; which < 2; which++) {
        const uint32_t from = which ? best : same;
        int64_t with;

        if (from == UINT32_MAX)
            continue;
        with = a->value[from] + PAIR_VALUE - shift_cost(shift, shift_at(a, from));
        if (with > value) {
            value = with;
            a->before[cell] = from;
        }
    }
    a->value[cell] = value;
}

/* Aligns the lines of one file on both sides, keeping their order; functions must be equal. */
static void align_file(struct alignment *a)
{
    uint32_t *best = xreallocarray(NULL, a->n_now + 1, sizeof *best); /* best above, by column */
    uint32_t last = UINT32_MAX;

    memset(best, 0xff, (a->n_now + 1) * sizeof *best);
    for (uint32_t i = 0; i < a->n_base; i++) {
        uint32_t diagonal = UINT32_MAX, left = UINT32_MAX; /* diagonal: above column k - 1 */

        for (uint32_t k = 0; k < a->n_now; k++) {
            const uint32_t cell = i * a->n_now + k, above = best[k];

            a->value[cell] = -1;
            if (a->base[i].function == a->now[k].function)
                fill_cell(a, i, k, diagonal);
            diagonal = above;
            left = better_cell(a, left, a->value[cell] >= 0 ? cell : UINT32_MAX);
            best[k] = better_cell(a, above, left);
        }
        last = a->n_now ? best[a->n_now - 1] : last;
    }
    for (; last != UINT32_MAX; last = a->before[last])
        a->base[last / a->n_now].partner = a->now[last % a->n_now].number;
    free(best);
}

/* For long files, pairs only lines with equal numbers. */
static void pair_equal_lines(struct alignment *a)
{
    for (uint32_t i = 0, k = 0; i < a->n_base && k < a->n_now;) {
        const int order = by_line(&a->base[i], &a->now[k]);

        if (!order)
            a->base[i].partner = a->now[k].number;
        i += order <= 0;
        k += order >= 0;
    }
}

static size_t end_of_file(const line_list *list, size_t from)
{
    size_t to = from;

    while (to < list->n && list->data[to].file == list->data[from].file)
        to++;
    return to;
}

static void align_files(line_list *base, const line_list *now)
{
    for (size_t i = 0, k = 0; i < base->n && k < now->n;) {
        const size_t i_end = end_of_file(base, i), k_end = end_of_file(now, k);
        const uint64_t x = base->data[i].file, y = now->data[k].file;
        struct alignment a = {base->data + i, now->data + k, (uint32_t)(i_end - i),
                              (uint32_t)(k_end - k), NULL, NULL};
        const size_t cells = (size_t)a.n_base * a.n_now;

        if (x == y && cells > TABLE_MOST) {
            pair_equal_lines(&a);
        } else if (x == y) {
            a.value = xreallocarray(NULL, cells, sizeof *a.value);
            a.before = xreallocarray(NULL, cells, sizeof *a.before);
            align_file(&a);
            EACH(free, a.value, a.before);
        }
        i = x <= y ? i_end : i;
        k = y <= x ? k_end : k;
    }
}

COMPARE_BY(by_from, struct renumbered, from)

struct line_maps *line_maps_new(const struct frames *base, const struct frames *now)
{
    struct line_maps *maps = xcalloc(1, sizeof *maps);
    source_list a = {0}, b = {0};
    line_list lines = {0};

    list_sources(base, &a);
    list_sources(now, &b);
    pair_sources(&a, &b);
    for (size_t i = 0; i < b.n; i++)
        if (b.data[i].partner != UINT32_MAX)
            vec_push(&maps->files, ((struct renumbered){b.data[i].hash, a.data[b.data[i].partner].hash}));
    vec_sort(&maps->files, by_from);
    list_lines(maps, base, false, &maps->lines);
    list_lines(maps, now, true, &lines);
    align_files(&maps->lines, &lines);
    EACH(vec_done, &a, &b, &lines);
    return maps;
}

void line_maps_free(struct line_maps *maps)
{
    EACH(vec_done, &maps->files, &maps->lines);
    free(maps);
}

int32_t line_maps_line(const struct line_maps *maps, const struct frame_row *base)
{
    const struct line key = {base->file, base->function, base->frame->lineno, -1};
    const struct line *found =
        maps->lines.n ? bsearch(&key, maps->lines.data, maps->lines.n, sizeof key, by_line) : NULL;

    return found ? found->partner : -1;
}
