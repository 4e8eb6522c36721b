/* header.c: draws the rows with the profile's name and its verdict. */
#include "tui/panes/pane.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "activity/verdict.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "model/events.h"
#include "model/format.h"
#include "model/profile_kind.h"
#include "tui/action.h"

enum { MAX_BARS = 4, BAR_COLS = 12, GAP_COLS = 2, KEY_COLS = 4 };

/* ---- the profile */

/* The path of the first input, even before it is read. */
static const char *first_path(const struct app *a)
{
    const struct profile *p = a->doc.session ? a->doc.session->profile : NULL;
    const struct options *o = &a->doc.requested.options;
    const char *paths[] = {o->profile_path, o->graph_path,
                           a->doc.files.n ? a->doc.files.items[0] : NULL, o->run_meta_path};

    if (p)
        return p->n_files ? p->files[0].path : "";
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i])
            return paths[i];
    return "";
}

/* Appends the last component of the first input's path. */
static void add_file_name(const struct app *a, struct strbuf *sb)
{
    const char *path = first_path(a);
    const char *slash = strrchr(path, '/');

    utf8_escape(sb, slash && slash[1] ? slash + 1 : path, strlen(slash && slash[1] ? slash + 1 : path));
}

/* Facts about the profile, in display order. */
enum fact { FACT_FRAMEWORK, FACT_OP_SET, FACT_DEVICES, FACT_STEPS, FACT_STEP_TIME, FACT_NODES, FACT_PARAMS, FACTS };

/* The common model of the first N rows of V; STRID_EMPTY: unknown, or they differ. */
static strid common_model(const struct verdict *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (v->rows.data[i].model_name != v->rows.data[0].model_name)
            return STRID_EMPTY;
    return n ? v->rows.data[0].model_name : STRID_EMPTY;
}

/* Appends "4 ranks x NVIDIA A100", "2 ranks, 16 GPUs" or "NVIDIA H100" for the devices with
 * work. */
static void add_devices(const struct app *a, struct strbuf *sb)
{
    const struct verdict *v = a->doc.verdict;
    const struct profile *p = a->doc.session->profile;
    const size_t n_hosts = p->events ? p->events->hosts.n : 0;
    const size_t n_ranks = p->events ? p->events->ranks.n : 0;
    const size_t n_devices = v && v->has_accelerators ? v->rows.n : 0;
    const strid model = common_model(v, n_devices);
    const bool is_one_each = n_ranks == n_devices && model != STRID_EMPTY;

    if (n_ranks > 1)
        sb_addf(sb, "%zu ranks%s", n_ranks, is_one_each ? " x " : n_devices ? ", " : "");
    else if (n_hosts > 1)
        sb_addf(sb, "%zu hosts%s", n_hosts, n_devices ? ", " : "");
    if (n_devices > 1 && !is_one_each)
        sb_addf(sb, "%zu ", n_devices);
    if (model != STRID_EMPTY) {
        sb_adds(sb, n_devices > 1 && !is_one_each ? "x " : "");
        utf8_escape(sb, profile_text(p, model), intern_len(&p->strings, model));
    } else if (n_devices > 1) {
        sb_addf(sb, "%ss", v->noun);
    }
}

/* Appends "222.37 ms a step": the mean length of the steps' marks; if a step has none, the time from
 * a device's first work to its last, divided by its steps; mean over the devices. */
static void add_step_time(const struct app *a, struct strbuf *sb)
{
    const struct verdict *v = a->doc.verdict;

    const int64_t ps = !v ? 0 : v->wall_ps > 0 ? v->wall_ps : v->span_ps;

    if (ps <= 0 || !v->n_steps)
        return;
    format_spaced(sb, UNIT_TIME_PS, ps / v->n_steps);
    sb_adds(sb, " a step");
}

/* Facts that the file of a model states: format, the first version of an op set, nodes, parameters. */
static void list_model_facts(const struct profile *p, struct strbuf facts[FACTS])
{
    int64_t n_params = 0;

    for (uint32_t i = 0; i < p->n_file_facts; i++) {
        const struct file_fact *f = &p->file_facts[i];
        const char *text = profile_text(p, f->text);

        if (f->kind == FACT_TENSORS) {
            n_params = clamp_add(n_params, f->number[1]);
        } else if (f->kind == FACT_NUMBER && strcmp(f->key, "nodes") == 0) {
            figure_grouped(&facts[FACT_NODES], (uint64_t)f->number[0]);
            sb_adds(&facts[FACT_NODES], f->number[0] == 1 ? " node" : " nodes");
            sb_adds(&facts[FACT_FRAMEWORK], facts[FACT_FRAMEWORK].len ? "" : p->files[f->file].format);
        } else if (f->kind == FACT_TEXT && strcmp(f->key, "opset") == 0 && strchr(text, ' ')) {
            text = strchr(text, ' ') + 1;
            sb_adds(&facts[FACT_OP_SET], "opset ");
            utf8_escape(&facts[FACT_OP_SET], text, strcspn(text, ","));
        }
    }
    if (n_params) {
        format_spaced(&facts[FACT_PARAMS], UNIT_NUMBER, n_params);
        sb_adds(&facts[FACT_PARAMS], " params");
    }
}

static void list_facts(const struct app *a, struct strbuf facts[FACTS])
{
    const struct profile *p = a->doc.session->profile;
    const char *framework = profile_framework(p);

    if (strcmp(framework, "unknown") != 0)
        sb_adds(&facts[FACT_FRAMEWORK], framework);
    list_model_facts(p, facts);
    add_devices(a, &facts[FACT_DEVICES]);
    if (p->n_steps)
        sb_addf(&facts[FACT_STEPS], "%u step%s", p->n_steps, p->n_steps == 1 ? "" : "s");
    add_step_time(a, &facts[FACT_STEP_TIME]);
    if (!facts[FACT_NODES].len) {
        figure_grouped(&facts[FACT_NODES], p->n_nodes);
        sb_adds(&facts[FACT_NODES], p->n_nodes == 1 ? " node" : " nodes");
    }
}

/* Appends the facts that fit into COLS after TEXT; the most important ones are chosen first. */
static void add_facts(const struct app *a, struct strbuf *text, int cols)
{
    static const enum fact by_importance[] = {FACT_STEPS, FACT_STEP_TIME, FACT_DEVICES, FACT_FRAMEWORK,
                                              FACT_NODES, FACT_PARAMS, FACT_OP_SET};
    struct strbuf facts[FACTS] = {0};
    bool shown[FACTS] = {0};
    int left = cols - text_cols(sb_text(text), text->len);

    list_facts(a, facts);
    for (size_t i = 0; i < FACTS; i++) {
        const struct strbuf *fact = &facts[by_importance[i]];
        const int wanted = text_cols(sb_text(fact), fact->len) + 2;

        shown[by_importance[i]] = fact->len && wanted <= left;
        left -= shown[by_importance[i]] ? wanted : 0;
    }
    for (size_t i = 0; i < FACTS; i++) {
        if (shown[i])
            sb_addf(text, "  %s", sb_text(&facts[i]));
        sb_done(&facts[i]);
    }
}

void header_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.header);
    const struct profile *p = a->doc.session ? a->doc.session->profile : NULL;
    const int end = where.cols - 8;
    struct strbuf text = {0};

    area_fill(where, 0, 0, where.cols, ' ', ROLE_TITLE);
    area_puts(where, 0, where.cols - 7, "? help", ROLE_KEY);
    app_hit(a, where, 0, where.cols - 7, 6, action_find("help"), 0);
    sb_adds(&text, where.cols >= 100 ? "tfprof  " : "");
    add_file_name(a, &text);
    if (p && p->n_files > 1)
        sb_addf(&text, " +%zu", (size_t)p->n_files - 1);
    if (p)
        add_facts(a, &text, end - 2);
    area_put(area_sub(where, 0, 1, 1, end - 2), 0, 0, sb_text(&text), text.len, ROLE_TITLE);
    sb_done(&text);
}

/* ---- the verdict */

/* Parts of a device's time, in the order of the bar. */
enum part { PART_COMPUTE, PART_COMMUNICATION, PART_COPIES, PART_IDLE, PARTS };

static const struct {
    uint32_t ch;
    enum role role;
    const char *name;
} parts[PARTS] = {
    [PART_COMPUTE] = {0x2588, ROLE_BAR, "compute"},
    [PART_COMMUNICATION] = {0x2593, ROLE_HOT, "exposed comm"},
    [PART_COPIES] = {0x2592, ROLE_NOTE, "exposed copies"},
    [PART_IDLE] = {0x2591, ROLE_DIM, "idle"},
};

/* Disjoint parts of SPAN_PS; the time that no other part covers is compute. */
struct shares {
    int64_t span_ps, ps[PARTS];
};

static struct shares shares_of(int64_t span_ps, int64_t communication_ps, int64_t copies_ps,
                               int64_t idle_ps)
{
    return (struct shares){.span_ps = span_ps,
                           .ps = {[PART_COMPUTE] = span_ps - communication_ps - copies_ps - idle_ps,
                                  [PART_COMMUNICATION] = communication_ps,
                                  [PART_COPIES] = copies_ps,
                                  [PART_IDLE] = idle_ps}};
}

static double share(const struct shares *s, int part)
{
    return s->span_ps > 0 ? (double)s->ps[part] / (double)s->span_ps : 0.0;
}

/* Draws a bar; the cells of all parts add up to BAR_COLS. */
static void draw_bar(struct area where, int col, const struct shares *s)
{
    double before = 0;

    for (int part = 0; part < PARTS; part++) {
        const int from = (int)(before * BAR_COLS + 0.5);
        int to;

        before += share(s, part);
        to = part + 1 == PARTS ? BAR_COLS : (int)(before * BAR_COLS + 0.5);
        if (to > from)
            area_fill(where, 0, col + from, to - from, parts[part].ch, parts[part].role);
    }
}

/* Appends "compute 18 % exposed comm 6 % idle 76 %"; parts below one percent are omitted. */
static void add_shares(struct strbuf *sb, const struct shares *s)
{
    for (int part = 0; part < PARTS; part++) {
        const int percent = (int)(100 * share(s, part) + 0.5);

        if (percent)
            sb_addf(sb, "%s%s %d %%", sb->len ? "  " : "", parts[part].name, percent);
    }
}

/* Appends "rank 1 GPU0", "hosta GPU0" or "GPU0" for the device of ROW; V has several ranks or hosts,
 * or not. "/host:hosta/device:GPU:0" and "/gpu:0" are GPU0. */
static void add_device_name(struct strbuf *sb, const struct profile *p, const struct verdict *v,
                            const struct breakdown_row *row)
{
    const struct breakdown_row *last = &v->rows.data[v->rows.n - 1];
    const struct text name = intern_string(&p->strings, row->device);
    const char *from = name.bytes;
    struct strbuf device = {0};

    for (uint32_t i = 0; i < name.len; i++)
        if (name.bytes[i] == '/')
            from = name.bytes + i + 1;
    if (strncmp(from, "device:", 7) == 0)
        from += 7;
    for (const char *at = from; at < name.bytes + name.len; at++)
        if (*at != ':')
            sb_addc(&device, (char)toupper((unsigned char)*at));
    if (v->rows.data[0].rank != last->rank) {
        sb_addf(sb, "rank %" PRId64 " ", row->rank);
    } else if (v->rows.data[0].host != last->host) {
        utf8_escape(sb, profile_text(p, row->host), intern_len(&p->strings, row->host));
        sb_addc(sb, ' ');
    }
    utf8_escape(sb, sb_text(&device), device.len);
    sb_done(&device);
}

/* Draws the bars of as many devices as fit between COL and END. Returns the end. */
static int draw_bars(const struct app *a, struct area where, int col, int end)
{
    const struct verdict *v = a->doc.verdict;
    size_t n = 0, n_drawn = 0;

    for (; n < v->rows.n && n < MAX_BARS; n++) {
        const struct breakdown_row *row = &v->rows.data[n];
        const struct shares s = shares_of(row->span_ps, row->exposed_communication_ps,
                                          row->exposed_memory_ps, row->idle_ps);
        struct strbuf name = {0};
        int cols;

        add_device_name(&name, a->doc.session->profile, v, row);
        cols = text_cols(sb_text(&name), name.len) + 1 + BAR_COLS + GAP_COLS;
        if (row->span_ps > 0 && col + cols <= end) {
            area_put(where, 0, col, sb_text(&name), name.len, ROLE_TEXT);
            draw_bar(where, col + cols - GAP_COLS - BAR_COLS, &s);
            col += cols;
            n_drawn++;
        }
        sb_done(&name);
    }
    if (n_drawn && v->rows.n > n_drawn && col + KEY_COLS <= end)
        col += area_printf(where, 0, col, ROLE_DIM, "+%zu", v->rows.n - n_drawn) + GAP_COLS;
    return col;
}

/* Length of TEXT that fits into COLS: all, or up to the end of a clause; 0: none fits. "2 of 6" and
 * "most in X" are one. An end that begins with a letter keeps it. */
static size_t fit_clauses(const char *text, int cols)
{
    static const char *const ends[] = {"; ", " (", "s of ", " for ", " by ", ", most in ", "s in ",
                                       ", but ", "B: ", ": set "};
    const size_t len = strlen(text), fits = text_fit(text, len, cols > 0 ? cols : 0);
    size_t best = 0;

    if (fits == len)
        return len;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (const char *at = strstr(text, ends[i]); at && (size_t)(at - text) <= fits;
             at = strstr(at + 1, ends[i]))
            KEEP_MAX(best, (size_t)(at - text) + (ends[i][0] >= 'A'));
    return best;
}

/* Appends the shares that precede the verdict within COLS, without "compute" if that does not
 * fit; returns the length of the verdict, which loses clauses to have room for them. */
static size_t fit_verdict(const char *verdict, const struct shares *s, int cols, struct strbuf *text)
{
    enum { LEAST_BAR_COLS = 6 + BAR_COLS + GAP_COLS, WIDE_COLS = 90 }; /* of GPU0 */
    struct shares fewer = *s;
    int room;
    size_t len;

    add_shares(text, s);
    room = cols - text_cols(sb_text(text), text->len) - GAP_COLS;
    len = cols < WIDE_COLS || s->span_ps <= 0 ? 0 : fit_clauses(verdict, room - LEAST_BAR_COLS);
    len = len ? len : fit_clauses(verdict, room);
    if (len)
        return len;
    fewer.ps[PART_COMPUTE] = 0;
    sb_clear(text);
    add_shares(text, &fewer);
    len = fit_clauses(verdict, cols - text_cols(sb_text(text), text->len) - GAP_COLS);
    if (len)
        return len;
    sb_clear(text);
    return fit_clauses(verdict, cols);
}

void verdict_row_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.verdict);
    const struct verdict *v = a->doc.verdict;
    struct strbuf text = {0};
    size_t len;
    const struct action *shows;
    struct shares all;
    int cols, left;

    if (where.rows && !v)
        area_puts(where, 0, 1, "\u2026", ROLE_DIM);
    if (!where.rows || !v || !v->text)
        return;
    all = shares_of(v->span_ps, v->exposed_communication_ps, v->exposed_memory_ps, v->idle_ps);
    len = fit_verdict(v->text, &all, where.cols - 2 - KEY_COLS, &text);
    cols = text_cols(v->text, len);
    left = where.cols - cols - KEY_COLS - 1;
    area_put(where, 0, left, v->text, len, ROLE_TITLE);
    shows = action_find(v->n_devices ? "breakdown" : v->evidence ? v->evidence : "timeline");
    area_puts(where, 0, where.cols - 3, shows->keys, ROLE_KEY);
    app_hit(a, where, 0, left, cols + KEY_COLS, shows, 0);
    if (text.len) {
        left -= text_cols(sb_text(&text), text.len) + GAP_COLS;
        area_put(where, 0, left, sb_text(&text), text.len, ROLE_TEXT);
    }
    draw_bars(a, where, 1, left);
    sb_done(&text);
}
