/* oplog_out.c: writes types, counts and call stacks as an OpLogProto that the original reads
 * (message fields: formats-tfprof.md section 1). */
#include "export/output.h"

#include "base/wire_out.h"
#include "export/code_def.h"
#include "export/sinks/outbuf.h"

enum {
    OP_LOG_ENTRIES = 1,
    OP_LOG_ID_TO_STRING = 2,
    ENTRY_NAME = 1,
    ENTRY_FLOAT_OPS = 2,
    ENTRY_TYPES = 3,
    ENTRY_CODE_DEF = 4,
};

/* Writes the types except op and device, which readers of the graph derive themselves. */
static void add_types(struct strbuf *sb, const struct profile *p, node_id node)
{
    typeset_id set = p->typeset[node];

    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++) {
        strid type = p->typeset_types[i];

        if (type != p->op[node] && type != p->device[node])
            wire_string(sb, ENTRY_TYPES, profile_text(p, type), intern_len(&p->strings, type));
    }
}

static void add_entry(struct strbuf *sb, const struct result *r, node_id node,
                      struct code_strings *strings)
{
    const struct profile *p = r->profile;
    size_t start = sb->len;
    size_t mark = wire_begin(sb, OP_LOG_ENTRIES);
    size_t named;

    wire_string(sb, ENTRY_NAME, profile_text(p, p->name[node]),
                intern_len(&p->strings, p->name[node]));
    named = sb->len;
    wire_int(sb, ENTRY_FLOAT_OPS, r->static_float_ops[node]);
    add_types(sb, p, node);
    code_def_write(sb, ENTRY_CODE_DEF, p, strings, profile_stack(p, p->stack[node]));
    if (sb->len > named)
        wire_end(sb, mark);
    else
        sb_truncate(sb, start); /* drops an entry that has only a name */
}

static bool oplog_write(struct result *r, struct sink *sink, struct err *err)
{
    struct code_strings strings;
    struct outbuf out;

    if (!result_flops(r, err))
        return false;
    code_strings_init(&strings, r->profile);
    outbuf_init(&out, sink, err);
    for (node_id node = 0; node < r->profile->n_nodes && outbuf_step(&out); node++)
        add_entry(&out.text, r, node, &strings);
    for (size_t id = 0; id < strings.n && outbuf_step(&out); id++)
        code_string_write(&out.text, OP_LOG_ID_TO_STRING, &strings, id);
    code_strings_done(&strings);
    return outbuf_end(&out);
}

const struct output output_oplog = {
    .name = "oplog",
    .help = "types, counts and call stacks of all nodes as an op log",
    .outfile = OUTFILE_NEEDED,
    .counts_operations = true,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_OP | 1u << VIEW_CODE,
    .write = oplog_write,
};
