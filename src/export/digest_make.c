/* digest_make.c: writes a profile as a digest part. */
#include "export/digest_make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "model/host.h"

struct maker {
    const struct digest_request *request;
    const struct profile *profile;
    VEC(struct digest_record *) records; /* heap */
    struct strbuf prefix;                /* key of the current node, up to the kind of device */
    struct strbuf list, key;
    size_t first; /* first record of the current node */
    struct exec_lists lists;
    uint64_t n_long;
};

static struct text text_of(const struct maker *m, strid id)
{
    const struct intern *strings = &m->profile->strings;

    return intern_string(strings, id);
}

static void add_text(struct strbuf *key, struct text text)
{
    digest_key_add(key, text.bytes, text.len);
}

/* ---- keys */

static void add_types(struct maker *m, node_id node)
{
    const struct profile *p = m->profile;
    const typeset_id set = p->typeset[node];

    sb_clear(&m->list);
    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++) {
        const strid type = p->typeset_types[i];

        /* Operation and device are separate parts of the key. */
        if (type != p->op[node] && type != p->device[node])
            add_text(&m->list, text_of(m, type));
    }
    digest_key_add(&m->prefix, sb_text(&m->list), m->list.len);
}

static void add_stack(struct maker *m, stack_id id)
{
    const struct profile *p = m->profile;
    frame_list frames = {0};

    sb_clear(&m->list);
    stack_frames(&p->call_stacks, profile_stack(p, id), &frames);
    for (uint32_t i = 0; i < frames.n; i++) {
        const struct frame *frame = frames.data[i];
        struct strbuf line = {0};

        sb_add_int(&line, frame->lineno);
        add_text(&m->list, text_of(m, frame->file));
        digest_list_add(&m->list, sb_text(&line), line.len);
        add_text(&m->list, text_of(m, frame->function));
        sb_done(&line);
    }
    vec_done(&frames);
    digest_key_add(&m->prefix, sb_text(&m->list), m->list.len);
}

static void begin_node(struct maker *m, node_id id)
{
    const struct profile *p = m->profile;
    const node_id node = profile_node_of_part(p, id);
    const char *program = m->request->program ? m->request->program : "";

    sb_clear(&m->prefix);
    digest_key_add(&m->prefix, program, strlen(program));
    add_text(&m->prefix, text_of(m, p->name[node]));
    add_text(&m->prefix, text_of(m, p->op[node]));
    add_types(m, node);
    add_stack(m, p->stack[id]);
    m->first = m->records.n;
}

/* "gpu" for all GPUs, and so on. */
static const char *kind_of(struct text device, bool is_accelerator)
{
    static const char *const kinds[] = {"gpu", "tpu", "sycl"};

    for (size_t k = 0; is_accelerator && k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t i = 0; i + strlen(kinds[k]) <= device.len; i++)
            if (strncasecmp(device.bytes + i, kinds[k], strlen(kinds[k])) == 0)
                return kinds[k];
    return is_accelerator ? "accelerator" : "cpu";
}

static void add_host(struct maker *m, struct text device, int64_t step)
{
    static const char local[] = "/job:localhost";
    const struct digest_request *q = m->request;
    struct text host = host_of_device(device);
    struct strbuf rank = {0};

    /* The host "localhost" identifies no machine. */
    if (host.len >= sizeof local - 1 && memcmp(host.bytes, local, sizeof local - 1) == 0)
        host.len = 0;
    if (q->host) {
        digest_key_add(&m->key, q->host, strlen(q->host));
    } else if (host.len) {
        digest_key_add(&m->key, host.bytes, host.len);
    } else if (m->profile->n_recorders) {
        sb_addf(&rank, "rank %" PRIu32, rank_of_ranked(step));
        digest_key_add(&m->key, rank.data, rank.len);
    } else {
        digest_key_add(&m->key, q->fallback, strlen(q->fallback));
    }
    sb_done(&rank);
}

/* The record of the current node on DEVICE, created if needed; NULL when its key is too long. */
static struct digest_record *record_for(struct maker *m, strid device, bool is_accelerator,
                                        int64_t step)
{
    const char *kind = kind_of(text_of(m, device), is_accelerator);
    struct digest_record *made;

    sb_clear(&m->key);
    sb_add(&m->key, m->prefix.data, m->prefix.len);
    digest_key_add(&m->key, kind, strlen(kind));
    add_host(m, text_of(m, device), step);
    if (m->key.len > DIGEST_KEY_MAX_BYTES) {
        m->n_long++;
        return NULL;
    }
    for (size_t i = m->first; i < m->records.n; i++)
        if (digest_key_compare(&m->records.data[i]->key, &m->key) == 0)
            return m->records.data[i];
    made = xcalloc(1, sizeof *made);
    sb_add(&made->key, m->key.data, m->key.len);
    vec_push(&m->records, made);
    return made;
}

/* ---- figures */

static uint64_t at_least_0(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

/* Adds the figures of the whole node, which belong to no single device. */
static void add_node_figures(struct maker *m, node_id id, const struct exec *e)
{
    const struct profile *p = m->profile;
    const node_id node = profile_node_of_part(p, id);
    bool saturated = false;
    struct digest_record figures = {.figures = {
        [DIGEST_RUNS] = at_least_0(e->run_count),
        [DIGEST_FLOPS] =
            at_least_0(sat_mul(e->run_count, m->request->float_ops[node], &saturated)),
        [DIGEST_BYTES] = at_least_0(e->requested_bytes),
        [DIGEST_PEAK] = at_least_0(e->peak_bytes),
        [DIGEST_RESIDUAL] = at_least_0(e->residual_bytes),
        [DIGEST_OUTPUT] = at_least_0(e->output_bytes),
    }};
    uint32_t n;
    struct digest_record *r;

    /* Adds them to the device of the first execution, if any. */
    if (m->lists.times.n)
        r = record_for(m, m->lists.times.data[0].device, m->lists.times.data[0].accelerator, e->step);
    else
        r = record_for(m, profile_devices(p, node, &n)[0], profile_on_accelerator(p, node), e->step);
    if (r)
        digest_record_merge(r, &figures);
}

static void add_execs(struct maker *m, node_id id)
{
    const struct profile *p = m->profile;
    struct exec_walk walk = profile_execs(p, id);
    struct exec e;

    while (exec_next(&walk, &e)) {
        profile_exec_lists(p, &e, &m->lists);
        for (size_t i = 0; i < m->lists.times.n; i++) {
            const struct exec_time *t = &m->lists.times.data[i];
            bool saturated = false;
            struct digest_record *r = record_for(m, t->device, t->accelerator, e.step);

            if (r)
                digest_record_time(r, at_least_0(clock_ps(p->clock, t->dur_ticks, &saturated)));
        }
        add_node_figures(m, id, &e);
    }
}

COMPARE_POINTERS(by_key, struct digest_record, THEN(digest_key_compare(&a->key, &b->key)))

/* Writes the records; equal keys are merged. */
static bool write_records(struct maker *m, part_write_fn *write, void *context, struct err *err)
{
    struct part_out out;
    bool ok = true;

    part_out_begin(&out, write, context);
    vec_sort(&m->records, by_key);
    for (size_t i = 0, next; ok && i < m->records.n; i = next) {
        struct digest_record *r = m->records.data[i];

        for (next = i + 1; next < m->records.n && by_key(&r, &m->records.data[next]) == 0; next++)
            digest_record_merge(r, m->records.data[next]);
        ok = part_out_add(&out, r, err);
    }
    ok = ok && part_out_end(&out, err);
    part_out_done(&out);
    return ok;
}

bool digest_make(const struct digest_request *request, part_write_fn *write, void *context,
                 struct err *err)
{
    const struct profile *p = request->profile;
    struct maker m = {.request = request, .profile = p};
    bool ok;

    for (node_id id = 0; id < profile_n_ids(p); id++)
        if (profile_ran(p, id) && !profile_has_parts(p, id)) {
            begin_node(&m, id);
            add_execs(&m, id);
        }
    if (m.n_long)
        note_add(request->notes, "%" PRIu64 " executions omitted: their names are too long for a digest",
                 m.n_long);
    ok = write_records(&m, write, context, err);
    for (size_t i = 0; i < m.records.n; i++) {
        digest_record_done(m.records.data[i]);
        free(m.records.data[i]);
    }
    vec_done(&m.records);
    exec_lists_done(&m.lists);
    EACH(sb_done, &m.prefix, &m.list, &m.key);
    return ok;
}
