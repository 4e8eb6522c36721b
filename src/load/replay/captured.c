/* captured.c: the captures of a load, and copies of strings and arguments from their logs. */
#include "load/replay/captured.h"

#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/xalloc.h"

void captures_init(struct captures *all, struct loader *l)
{
    all->l = l;
    all->strings = xcalloc(1, sizeof *all->strings);
    loader_init(all->strings, l->request, NULL, l->cancel);
    trace_log_init(&all->log, all->strings->builder, builder_recorder(all->strings->builder, 0));
    EACH(intern_init, &all->names, &all->paths, &all->rows, &all->stack_ids);
}

void capture_done(struct captured_file *c)
{
    EACH(free, c->path, c->listed_mode);
    EACH(vec_done, &c->slices, &c->graphs, &c->launches, &c->tokens, &c->rows, &c->nodes);
}

void captures_done(struct captures *all)
{
    for (size_t i = 0; i < all->list.n; i++)
        capture_done(&all->list.data[i]);
    vec_done(&all->list);
    trace_log_done(&all->log);
    builder_abandon(all->strings->builder);
    loader_done(all->strings);
    free(all->strings);
    EACH(intern_done, &all->names, &all->paths, &all->rows, &all->stack_ids);
}

/* ---- copies */

strid log_copy_string(struct trace_log *to, const struct trace_log *from, strid id)
{
    const struct text text = log_text(from, id);

    return builder_str(to->builder, text.bytes, text.len);
}

uint32_t log_copy_args(struct trace_log *to, const struct trace_log *from, uint32_t args)
{
    const struct trace_args a = trace_args_of(from, args);
    const struct trace_args copy = {
        .dims = log_copy_string(to, from, a.dims),
        .values = log_copy_string(to, from, a.values),
        .types = log_copy_string(to, from, a.types),
        .collective = log_copy_string(to, from, a.collective),
        .group_name = log_copy_string(to, from, a.group_name),
        .group_ranks = log_copy_string(to, from, a.group_ranks),
        .seq = log_copy_string(to, from, a.seq),
        .elements = log_copy_string(to, from, a.elements),
        .type = log_copy_string(to, from, a.type),
    };

    return args ? intern_put(&to->args, &copy, sizeof copy) : 0;
}

uint16_t log_copy_category(struct trace_log *to, const struct trace_log *from, uint16_t category)
{
    return trace_category(to, log_text(from, from->categories.data[category].name));
}

int64_t log_graph_node(const struct trace_log *log, uint32_t slice)
{
    size_t at = 0;

    LOWER_BOUND(at, log->graph_nodes.n, i, log->graph_nodes.data[i].slice < slice);
    return at < log->graph_nodes.n && log->graph_nodes.data[at].slice == slice
               ? log->graph_nodes.data[at].number
               : NUMBER_NONE;
}

uint8_t *category_kinds(const struct trace_log *log)
{
    uint8_t *kinds = xcalloc(log->categories.n + 1, sizeof *kinds);

    for (size_t i = 0; i < log->categories.n; i++)
        kinds[i] = (uint8_t)category_kind_of(log, i);
    return kinds;
}
