/* first_options.c: defaults of the screen that depend on the profile. */
#include "session/first_options.h"

#include <string.h>

#include "export/output.h"
#include "model/profile_kind.h"
#include "session/command_line.h"
#include "view/build/hidden_frames.h"

static const char *const first_names[] = {"select", "order_by", "max_depth", "hide_frames"};

bool option_depends_on_profile(const struct option *opt)
{
    for (size_t i = 0; i < sizeof first_names / sizeof *first_names; i++)
        if (strcmp(opt->name, first_names[i]) == 0)
            return true;
    return false;
}

/* True if the parts of the ratio M are known. */
static bool is_known_ratio(field_set found, const struct metric *m)
{
    const bool of = field_in(found, (int)m->of), per = field_in(found, (int)m->per);

    return metric_needs_roofs((int)(m - metrics)) ? of || per : of && per;
}

static field_set known_figures(const struct profile *p)
{
    const struct figures f = {.profile = p, .static_float_ops = p->static_float_ops,
                              .rank = RANK_ALL, .step = STEP_ALL};
    field_set found = profile_has_definitions(p) ? FIELD_BIT(METRIC_FLOAT_OPS) : 0;

    for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
        if (!profile_has_metric(p, m))
            continue;
        if (metric_is_ratio((int)m)) {
            found |= is_known_ratio(found, &metrics[m]) ? FIELD_BIT(m) : 0;
            continue;
        }
        for (node_id node = 0; node < p->n_nodes && !field_in(found, (int)m); node++) {
            bool saturated = false;

            if (metric_self(&f, m, node, &saturated))
                found |= FIELD_BIT(m);
        }
    }
    return found;
}

static bool has_libraries(const struct profile *p)
{
    struct hidden_frames libraries;
    bool found = false;

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    for (uint32_t i = 1; i < p->call_stacks.n_frames && !found; i++)
        found = frame_is_hidden(&libraries, &p->call_stacks.frames[i]);
    hidden_frames_done(&libraries);
    return found;
}

struct first_facts first_facts(const struct profile *p)
{
    return (struct first_facts){known_figures(p), has_libraries(p), p->kind};
}

/* True if memory is what the figures are about: no times, and no graph. */
static bool is_memory_only(field_set figures)
{
    const field_set others = FIELD_BIT(METRIC_MICROS) | FIELD_BIT(METRIC_PARAMS) | FIELD_BIT(METRIC_FLOAT_OPS);

    return !(figures & others) && figures & (FIELD_BIT(METRIC_PEAK_BYTES) | FIELD_BIT(METRIC_RESIDUAL_BYTES));
}

/* Empty if no figure is known: the default stays. */
static field_set first_select(field_set figures)
{
    static const field_set of_graphs = FIELD_BIT(METRIC_PARAMS) | FIELD_BIT(METRIC_FLOAT_OPS);
    static const field_set of_memory = FIELD_BIT(METRIC_PEAK_BYTES) | FIELD_BIT(METRIC_RESIDUAL_BYTES) |
                                       FIELD_BIT(METRIC_BYTES) | FIELD_BIT(METRIC_OCCURRENCE);

    if (field_in(figures, METRIC_MICROS))
        return figures & (FIELD_BIT(METRIC_MICROS) | FIELD_BIT(METRIC_FLOAT_OPS));
    if (is_memory_only(figures))
        return figures & of_memory;
    return figures & (figures & of_graphs ? of_graphs : FIELD_BIT(METRIC_BYTES));
}

/* The metric of the first order, of the selected and known ones; METRIC_COUNT if none. */
static enum metric_id first_metric(field_set selected, field_set have)
{
    if (is_memory_only(have) && field_in(selected, METRIC_PEAK_BYTES))
        return METRIC_PEAK_BYTES;
    if (is_memory_only(have) && field_in(selected, METRIC_RESIDUAL_BYTES))
        return METRIC_RESIDUAL_BYTES;
    return main_metric(selected);
}

/* Sets the metrics for a kind of input without preferred ones. */
static void set_default_metrics(struct options *o, const struct words *given, field_set have)
{
    if (!option_was_given(given, "select") && first_select(have))
        o->select = first_select(have);
    if (!option_was_given(given, "order_by")) {
        const enum metric_id m = first_metric(o->select & have, have);

        o->order_by = m < METRIC_COUNT ? ORDER_METRIC + (int)m : ORDER_NAME;
    }
}

void first_options(struct options *o, const struct words *given, const struct first_facts *facts,
                   bool runs_come)
{
    const struct option *depth = option_find("max_depth"), *frames = option_find("hide_frames");
    const field_set have = facts->figures | (runs_come ? FIELD_BIT(METRIC_MICROS) : 0);
    struct err err = {0};

    if (!kind_options(o, given, facts->kind))
        set_default_metrics(o, given, have);
    if (!option_was_given(given, "order_by") && (o->diff_base || options_compare_steps(o)) &&
        o->order_by == ORDER_METRIC + (int)options_compared_metric(o))
        o->order_by = ORDER_DELTA_ABS;
    if (!option_was_given(given, depth->name))
        option_set(o, depth, depth->words[0].word, &err);
    if (!option_was_given(given, frames->name) && facts->has_libraries)
        option_set(o, frames, LIBRARY_FRAMES, &err);
    err_done(&err);
}

/* ---- figures and order that come first for a kind of input */

/* Returns NULL if -output is invalid; its user reports the error. */
static const struct output *output_of(const struct options *o)
{
    const struct output *output = NULL;
    struct output_spec spec;
    struct err ignored = {0};

    if (output_parse(o->output, &spec, &ignored)) {
        output = spec.output;
        output_spec_done(&spec);
    }
    err_done(&ignored);
    return output;
}

static bool shows_one_figure(const struct options *o)
{
    const struct output *output = output_of(o);

    return output && output->one_figure;
}

void list_options(struct options *o, const struct words *given)
{
    const struct option *depth = option_find("max_depth");
    struct err err = {0};

    if (!option_was_given(given, depth->name) && output_of(o) == &output_json)
        option_set(o, depth, depth->words[0].word, &err);
    err_done(&err);
}

bool kind_options(struct options *o, const struct words *given, unsigned kind)
{
    const field_set threads = FIELD_BIT(METRIC_WORK_MICROS) | FIELD_BIT(METRIC_WAIT_MICROS) |
                              FIELD_BIT(METRIC_OCCURRENCE);
    const enum metric_id main =
        kind == PROFILE_DEVICE ? METRIC_ACCELERATOR_MICROS : METRIC_WORK_MICROS;

    if (kind < PROFILE_TRACE)
        return false;
    if (!option_was_given(given, "select"))
        o->select = FIELD_BIT(main) | (shows_one_figure(o) ? 0 : threads);
    if (!option_was_given(given, "order_by"))
        o->order_by = ORDER_METRIC + (int)main;
    return true;
}
