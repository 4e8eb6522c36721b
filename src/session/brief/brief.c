/* brief.c: collects a brief with suggested commands, and limits its size. */
#include "session/brief/brief_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory_records.h"
#include "model/profile_kind.h"
#include "view/advise/advise.h"
#include "view/pictures/live_memory.h"
#include "view/pictures/timeline_text.h"

static void add_files(struct strbuf *sb, const struct brief *b)
{
    command_add_files(sb, &b->inputs);
}

static void add_base_and_now(struct strbuf *sb, const struct brief *b)
{
    const char *now = b->session->files.n == 1 ? b->session->files.items[0] : NULL;

    if (!now || strchr(b->options->diff_base, ',')) {
        sb_adds(sb, "tfprof scope");
        add_files(sb, b);
        sb_adds(sb, " -diff_base");
        command_add_word(sb, b->options->diff_base);
        sb_adds(sb, " -output json");
        return;
    }
    sb_adds(sb, "tfprof diff");
    command_add_word(sb, b->options->diff_base);
    command_add_word(sb, now);
    sb_adds(sb, " -output json");
}

/* Fills b->next. */
static void brief_find_next(struct brief *b)
{
    struct strbuf sb = {0};

    if (b->findings.list.n > 0) {
        command_add_finding(&sb, &b->inputs, &b->findings.list.data[0]);
    } else {
        sb_adds(&sb, "tfprof op");
        add_files(&sb, b);
        sb_adds(&sb, b->metric == METRIC_ACCELERATOR_MICROS ? " -order_by accelerator_micros" : "");
        sb_adds(&sb, " -top 20 -output json");
    }
    b->next[0] = sb_take(&sb);
    if (b->findings.list.n > 1) {
        command_add_finding(&sb, &b->inputs, &b->findings.list.data[1]);
    } else {
        sb_adds(&sb, b->verdict.n_devices ? "tfprof anatomy" : "tfprof summary");
        add_files(&sb, b);
        sb_adds(&sb, " -output json");
    }
    b->next[1] = sb_take(&sb);
    if (b->session->base) {
        add_base_and_now(&sb, b);
    } else {
        sb_adds(&sb, b->p->n_nodes ? "tfprof sql 'SELECT name, op FROM nodes LIMIT 20'"
                                   : "tfprof sql 'SELECT * FROM files'");
        add_files(&sb, b);
        sb_adds(&sb, " -output json");
    }
    b->next[2] = sb_take(&sb);
}

const char *const brief_part_names[BRIEF_PARTS] = {
    [PART_SYSTEM] = "system",   [PART_ANATOMY] = "anatomy", [PART_MEMORY] = "memory",
    [PART_MISSING] = "missing", [PART_FLOPS] = "flops",
};

const char *const brief_share_names[BRIEF_SHARES] = {"compute", "exposed_communication",
                                                     "exposed_copies", "idle"};

/* ---- contents of both formats */

int64_t brief_share_ps(const struct brief *b, int share)
{
    const struct verdict *v = &b->verdict;
    const int64_t others[BRIEF_SHARES] = {0, v->exposed_communication_ps, v->exposed_memory_ps,
                                          v->idle_ps};

    return share ? others[share] : v->span_ps - others[1] - others[2] - others[3];
}

int64_t brief_tenths(int64_t part, int64_t whole)
{
    for (; whole > INT64_MAX / 4000 || part > INT64_MAX / 4000; whole /= 2)
        part /= 2;
    return whole > 0 ? (2000 * part + whole) / (2 * whole) : 0;
}

int64_t brief_flops_tenths(const struct brief *b, int64_t ps)
{
    const double tenths = ps > 0 ? 1000 * (double)b->float_ops / (double)ps *
                                       (double)PS_PER_SECOND / (double)b->peak_flops.per_second : 0;

    return tenths >= (double)INT64_MAX ? INT64_MAX : (int64_t)(tenths + 0.5);
}

const char *brief_verdict_id(const struct brief *b)
{
    const int64_t span_ps = b->verdict.span_ps;

    if (b->findings.list.n)
        return b->findings.list.data[0].rule->id;
    return span_ps > 0 && brief_share_ps(b, 0) >= span_ps - span_ps / 5 ? "compute-bound" : "no-finding";
}

void brief_add_verdict(struct strbuf *sb, const struct brief *b)
{
    if (b->verdict.text)
        sb_adds(sb, b->verdict.text);
    if (b->findings.list.n)
        sb_addf(sb, "%s%s", b->verdict.text ? "; " : "", b->findings.list.data[0].claim);
    else if (!b->verdict.text)
        sb_adds(sb, b->p->n_steps ? "no device work" : "no time is recorded");
}

struct brief_counts brief_count(const struct brief *b)
{
    const struct event_store *s = b->p->events;
    struct brief_counts n = {0};

    if (!s)
        return n;
    n.n_hosts = s->hosts.n;
    n.n_ranks = s->ranks.n;
    n.n_devices = b->verdict.rows.n;
    return n;
}

const char *brief_option(const struct brief *b, enum brief_unknown what)
{
    enum { GRAPH = 1 };
    static const struct {
        const char *framework, *options[BRIEF_UNKNOWNS];
    } rows[] = {
        {"PyTorch", {"schedule and prof.step()", "ProfilerActivity.CUDA", "profile_memory=True",
                     "record_shapes=True"}},
        /* [1]: graphs; [2]: captures */
        {"TensorFlow", {"-run_meta_path", "trace_level=FULL_TRACE", "trace_level=FULL_TRACE", "-graph_path"}},
        {"TensorFlow", {"tf.profiler.experimental.Trace(step_num=)", NULL, NULL, NULL}},
        {"XLA", {NULL, "jax.profiler.start_trace", NULL, NULL}},
        {"JAX", {"jax.profiler.StepTraceAnnotation", NULL, "jax.profiler.save_device_memory_profile", NULL}},
    };
    const char *framework = profile_framework(b->p);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(framework, rows[i].framework) == 0)
            return rows[i + (i == GRAPH && b->p->kind != PROFILE_GRAPH)].options[what];
    return NULL;
}

/* ---- collecting */

static const char *option_in(const char *why)
{
    static const char *const options[] = {"record_shapes=True", "with_stack=True", "profile_memory=True",
                                          "schedule and prof.step()"};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strstr(why, options[i]))
            return options[i];
    return strstr(why, "prof.step()") ? options[3] : NULL;
}

static void find_missing(struct brief *b)
{
    struct summary *s = summary_missing_new(b->p);

    for (size_t i = 0; i < s->n; i++) {
        struct strbuf what = {0};

        sb_add(&what, sb_text(&s->lines[i].label), s->lines[i].label.len);
        sb_adds(&what, "");
        vec_push(&b->missing, ((struct brief_missing){.option = option_in(sb_text(&s->lines[i].value)),
                                                      .what = sb_take(&what)}));
    }
    summary_free(s);
}

/* Sums the FLOPs of all steps; unknown without shapes. */
static bool find_flops(struct brief *b, struct cancel_mark cancel, struct err *err)
{
    struct options o = *b->options;
    struct result *r;

    b->float_ops = INT64_MIN;
    if (b->session->base || !b->p->n_nodes)
        return true;
    o.step = b->p->n_steps ? STEP_ALL : b->options->step;
    o.rank = RANK_ALL;
    o.select = FIELD_BIT(METRIC_FLOAT_OPS);
    r = query_run(b->session->query, VIEW_SCOPE, &o, cancel, err);
    if (r && !result_is_unknown(r, METRIC_FLOAT_OPS) && r->total[METRIC_FLOAT_OPS][0] > 0)
        b->float_ops = r->total[METRIC_FLOAT_OPS][0];
    if (r && b->float_ops != INT64_MIN)
        b->peak_flops = result_roofs(r).flops;
    if (b->peak_flops.source == ROOF_MEASURED)
        b->peak_flops = (struct roof){.source = ROOF_UNKNOWN};
    result_free(r);
    return r != NULL;
}

/* Adds advice of the checkers as findings, for captures and runs of graphs. */
static bool add_advice(struct brief *b, struct cancel_mark cancel, struct err *err)
{
    struct advice *advice;

    if (b->findings.is_of_trace || b->session->base)
        return true;
    advice = advise_run(b->p, b->session->query, NULL, true, cancel, err);
    if (advice)
        findings_add_advice(&b->findings, advice, false);
    advice_free(advice);
    return advice != NULL;
}

static bool collect(struct brief *b, struct cancel_mark cancel, struct err *err)
{
    if (!verdict_make_of_run(&b->verdict, b->p, b->options, cancel, err))
        return false;
    if (!findings_make(&b->findings, b->p, false, cancel, err) ||
        (b->session->base && !findings_make(&b->base, b->session->base, false, cancel, err)))
        return false;
    find_missing(b);
    b->highest = memory_highest(profile_memory(b->p));
    if (!add_advice(b, cancel, err) || !find_flops(b, cancel, err) || !brief_find_top(b, cancel, err))
        return false;
    brief_find_next(b);
    return true;
}

static void brief_done(struct brief *b)
{
    for (size_t i = 0; i < b->missing.n; i++)
        free(b->missing.data[i].what);
    for (size_t i = 0; i < sizeof b->next / sizeof *b->next; i++)
        free(b->next[i]);
    vec_done(&b->missing);
    brief_top_done(b);
    EACH(findings_done, &b->findings, &b->base);
    verdict_done(&b->verdict);
}

/* ---- the budget */

static struct brief_plan whole_plan(const struct brief *b)
{
    struct brief_plan plan = {.n_findings = b->findings.list.n < BRIEF_FINDINGS ? b->findings.list.n
                                                                               : BRIEF_FINDINGS,
                              .n_inputs = b->p->n_files};

    for (int i = 0; i < BRIEF_PARTS; i++)
        plan.parts[i] = true;
    for (int i = 0; i < BRIEF_VIEWS; i++)
        plan.n_top[i] = b->top[i].rows.n;
    if (plan.n_inputs > BRIEF_INPUTS)
        plan.n_inputs = BRIEF_INPUTS - 1;
    return plan;
}

/* Adds the next item that WHOLE has and PLAN lacks; false if there is none. */
static bool plan_more(struct brief_plan *plan, const struct brief_plan *whole)
{
    int least = -1;

    for (int i = 0; i < BRIEF_PARTS; i++)
        if (!plan->parts[i]) {
            plan->parts[i] = true;
            return true;
        }
    if (plan->n_findings < whole->n_findings) {
        plan->n_findings++;
        return true;
    }
    for (int i = 0; i < BRIEF_VIEWS; i++) /* in turn */
        if (plan->n_top[i] < whole->n_top[i] && (least < 0 || plan->n_top[i] < plan->n_top[least]))
            least = i;
    if (least >= 0)
        plan->n_top[least]++;
    else if (plan->n_inputs < whole->n_inputs)
        plan->n_inputs++;
    else
        return false;
    return true;
}

/* Starts from the shortest output and adds items until one exceeds BUDGET. */
static bool fit(struct strbuf *sb, const struct brief *b,
                void (*print)(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan),
                size_t budget, struct err *err)
{
    const struct brief_plan whole = whole_plan(b);
    struct brief_plan plan = {.n_findings = whole.n_findings > 0};
    struct strbuf longer = {0};

    print(sb, b, &whole);
    if (sb->len <= budget)
        return true;
    sb_clear(sb);
    print(sb, b, &plan);
    if (sb->len > budget)
        return err_set(err, ERR_USAGE, "-budget %zu: this answer needs at least %zu bytes", budget, sb->len);
    while (plan_more(&plan, &whole)) {
        sb_clear(&longer);
        print(&longer, b, &plan);
        if (longer.len > budget)
            break;
        sb_clear(sb);
        sb_add(sb, longer.data, longer.len);
    }
    sb_done(&longer);
    return true;
}

bool brief_make(struct strbuf *sb, struct session *s, const struct options *o, bool is_json,
                int64_t budget, struct cancel_mark cancel, struct err *err)
{
    struct brief b = {.session = s, .p = s->now, .options = o};
    const int64_t bytes = budget ? budget : is_json ? BRIEF_JSON_BYTES : BRIEF_TEXT_BYTES;
    bool ok;

    b.inputs = (struct command_inputs){s->now, (const char *const *)s->files.items, s->files.n, o};
    ok = collect(&b, cancel, err) && fit(sb, &b, is_json ? brief_json : brief_text, (size_t)bytes, err);

    brief_done(&b);
    return ok;
}
