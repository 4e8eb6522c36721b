/* hostile_run.c: hostile inputs other than graphs: steps, memory records, log entries, stacks,
 * slices of tensors; and nested text. */
#include "hostile.h"

#include <string.h>

#include "base/crc32c.h"
#include "base/wire_out.h"
#include "fixtures/table_bytes.h"
#include "load/checkpoint/checkpoint_parts.h"

enum { DT_FLOAT = 1 };

static void one_node(struct hostile_files *f)
{
    wire_end(&f->file[0], hostile_node(&f->file[0], 1, "VariableV2", "", "v"));
}

/* ---- runs */

static size_t execution_begin(struct strbuf *sb, unsigned start)
{
    const size_t node = wire_begin(sb, 2);

    wire_bytes(sb, 1, "v", 1);
    wire_int(sb, 2, 1000 + start);
    wire_int(sb, 4, 1);
    wire_int(sb, 5, 2);
    return node;
}

static void step_stats(struct strbuf *sb, uint32_t field, unsigned n)
{
    const size_t run = wire_begin(sb, field), stats = wire_begin(sb, 1), device = wire_begin(sb, 1);

    wire_bytes(sb, 1, "/device:CPU:0", strlen("/device:CPU:0"));
    for (unsigned i = 0; i < n; i++)
        wire_end(sb, execution_begin(sb, i));
    wire_end(sb, device);
    wire_end(sb, stats);
    wire_end(sb, run);
}

static void executions(struct hostile_files *f, unsigned n)
{
    struct strbuf whole = {0};
    size_t skip = 1;

    one_node(f);
    step_stats(&whole, 1, n);
    while ((unsigned char)sb_text(&whole)[skip++] & 0x80)
        ;
    sb_add(&f->file[1], sb_text(&whole) + skip, whole.len - skip);
    sb_done(&whole);
}

/* Half of the records belong to one use of memory, the others to one each. */
static void memory_records(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[1];
    size_t stats, device, node, memory;

    one_node(f);
    stats = wire_begin(sb, 1);
    device = wire_begin(sb, 1);
    wire_bytes(sb, 1, "/device:GPU:0", strlen("/device:GPU:0"));
    node = execution_begin(sb, 0);
    for (unsigned k = 0; k <= n / 2; k++) {
        memory = wire_begin(sb, 6);
        hostile_text(sb, 1, "GPU_%u_bfc", k);
        wire_int(sb, 2, 256);
        for (unsigned i = 0; k == 0 && i < n / 2; i++) {
            const size_t record = wire_begin(sb, 6);

            wire_int(sb, 1, 1000 + i);
            wire_int(sb, 2, i % 2 ? -256 : 256);
            wire_end(sb, record);
        }
        wire_end(sb, memory);
    }
    wire_end(sb, node);
    wire_end(sb, device);
    wire_end(sb, stats);
}

/* ---- event files */

static void add_record(struct strbuf *file, const struct strbuf *event)
{
    struct strbuf head = {0};

    wire_fixed(&head, event->len, 8);
    wire_fixed(&head, crc32c_mask(crc32c_extend(0, sb_text(&head), 8)), 4);
    sb_add(file, sb_text(&head), head.len);
    sb_add(file, sb_text(event), event->len);
    wire_fixed(file, crc32c_mask(crc32c_extend(0, sb_text(event), event->len)), 4);
    sb_done(&head);
}

static void first_records(struct strbuf *file)
{
    struct strbuf event = {0}, graph = {0};

    wire_bytes(&event, 3, "brain.Event:2", strlen("brain.Event:2"));
    add_record(file, &event);
    sb_clear(&event);
    wire_end(&graph, hostile_node(&graph, 1, "VariableV2", "", "v"));
    wire_bytes(&event, 4, sb_text(&graph), graph.len);
    add_record(file, &event);
    sb_done(&event);
    sb_done(&graph);
}

/* N traced runs of step 7. */
static void event_steps(struct hostile_files *f, unsigned n)
{
    struct strbuf event = {0}, run = {0};

    first_records(&f->file[0]);
    step_stats(&run, 2, 1);
    for (unsigned i = 0; i < n; i++) {
        size_t tagged;

        sb_clear(&event);
        wire_int(&event, 2, 7);
        tagged = wire_begin(&event, 8);
        wire_bytes(&event, 1, "t", 1);
        sb_add(&event, sb_text(&run), run.len);
        wire_end(&event, tagged);
        add_record(&f->file[0], &event);
    }
    sb_done(&event);
    sb_done(&run);
}

/* ---- op logs */

static void log_entries(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[1];

    one_node(f);
    for (unsigned i = 0; i < n; i++) {
        const size_t entry = wire_begin(sb, 1);

        wire_bytes(sb, 1, "v", 1);
        wire_int(sb, 2, 1 + i);
        hostile_text(sb, 3, "type%u", i);
        wire_end(sb, entry);
    }
}

/* One node whose stack has N frames. */
static void stacks(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[1];
    size_t entry, code;

    one_node(f);
    entry = wire_begin(sb, 1);
    wire_bytes(sb, 1, "v", 1);
    code = wire_begin(sb, 4);
    for (unsigned i = 0; i < n; i++) {
        const size_t frame = wire_begin(sb, 1);

        hostile_text(sb, 1, "f%u.py", i % 7);
        wire_int(sb, 2, 1 + i);
        hostile_text(sb, 3, "f%u", i);
        wire_end(sb, frame);
    }
    wire_end(sb, code);
    wire_end(sb, entry);
}

/* ---- checkpoints */

static void extent(struct strbuf *sb, uint32_t field, const struct slice_extent *e)
{
    const size_t slice = wire_begin(sb, field), part = wire_begin(sb, 1);

    wire_int(sb, 1, e->start);
    wire_int_always(sb, 2, e->length);
    wire_end(sb, part);
    wire_end(sb, slice);
}

static void size(struct strbuf *sb, uint32_t field, int64_t n)
{
    const size_t shape = wire_begin(sb, field), dim = wire_begin(sb, 2);

    wire_int(sb, 1, n);
    wire_end(sb, dim);
    wire_end(sb, shape);
}

static void finish_table(struct strbuf *file, struct strbuf *block)
{
    struct strbuf handle = {0}, index = {0};

    table_end_block(block);
    table_add_block(file, sb_text(block), block->len, false, &handle);
    table_add_entry(&index, 0, "z", sb_text(&handle), handle.len);
    table_end(file, &index);
    sb_done(&handle);
    sb_done(&index);
}

/* A tensor of N values, each a separate slice. */
static void slices(struct hostile_files *f, unsigned n)
{
    struct strbuf block = {0}, key = {0}, value = {0}, whole = {0};
    const char version[] = {0x1a, 0x02, 0x08, 0x01};

    one_node(f);
    wire_int(&value, 1, 1);
    sb_add(&value, version, sizeof version);
    table_add_bytes(&block, &key, &value);
    wire_int(&whole, 1, DT_FLOAT);
    size(&whole, 2, n);
    for (unsigned i = 0; i < n; i++) {
        const struct slice_extent e = {i, 1};
        const float number = (float)i;

        extent(&whole, 7, &e);
        sb_clear(&key);
        slice_key_add(&key, "v", 1, &e, 1);
        sb_clear(&value);
        wire_int(&value, 1, DT_FLOAT);
        size(&value, 2, 1);
        wire_int(&value, 4, i * 4);
        wire_int(&value, 5, 4);
        sb_add(&f->file[2], (const char *)&number, sizeof number);
        wire_fixed(&value, 6 << 3 | 5, 1);
        wire_fixed(&value, crc32c_mask(crc32c_extend(0, &number, sizeof number)), 4);
        table_add_bytes(&block, &key, &value);
    }
    table_add_entry(&block, 0, "v", sb_text(&whole), whole.len);
    finish_table(&f->file[1], &block);
    sb_done(&block);
    sb_done(&key);
    sb_done(&value);
    sb_done(&whole);
}

/* A V1 tensor of N values in slices of one value; with IS_TORN N tensors of the same name with
 * different shapes. */
static void v1_slices(struct hostile_files *f, unsigned n, bool is_torn)
{
    struct strbuf block = {0}, key = {0}, value = {0}, meta = {0};
    size_t contents, tensor = 0, piece, data, numbers;

    one_node(f);
    contents = wire_begin(&meta, 1);
    for (unsigned i = 0; i < n; i++) {
        const struct slice_extent e = {i, 1};

        if (i == 0 || is_torn) {
            tensor = wire_begin(&meta, 1);
            wire_bytes(&meta, 1, "v", 1);
            size(&meta, 2, is_torn ? n + i : n);
            wire_int(&meta, 3, DT_FLOAT);
        }
        extent(&meta, 4, &e);
        if (i + 1 == n || is_torn)
            wire_end(&meta, tensor);
    }
    wire_end(&meta, contents);
    table_add_bytes(&block, &key, &meta);
    for (unsigned i = 0; i < n; i++) {
        const struct slice_extent e = {i, 1};

        sb_clear(&key);
        slice_key_add(&key, "v", 1, &e, 1);
        sb_clear(&value);
        piece = wire_begin(&value, 2);
        wire_bytes(&value, 1, "v", 1);
        extent(&value, 2, &e);
        data = wire_begin(&value, 3);
        numbers = wire_begin(&value, 5);
        wire_fixed(&value, 0x3f800000, 4);
        wire_end(&value, numbers);
        wire_end(&value, data);
        wire_end(&value, piece);
        table_add_bytes(&block, &key, &value);
    }
    finish_table(&f->file[1], &block);
    sb_done(&block);
    sb_done(&key);
    sb_done(&value);
    sb_done(&meta);
}

static void parts(struct hostile_files *f, unsigned n)
{
    v1_slices(f, n, false);
}

static void torn_parts(struct hostile_files *f, unsigned n)
{
    v1_slices(f, n, true);
}

/* ---- text */

static void text_nesting(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "node { name: 'v' op: 'X' ");
    for (unsigned i = 0; i < n; i++)
        sb_adds(sb, "attr { key: 'k' value { func { name: 'f' ");
    for (unsigned i = 0; i < n; i++)
        sb_adds(sb, "} } } ");
    sb_adds(sb, "}\n");
}

static void unknown_nesting(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "node { name: 'v' op: 'X' }\n");
    for (unsigned i = 0; i < n; i++)
        sb_adds(sb, i % 2 ? "a < " : "b { ");
    for (unsigned i = n; i-- > 0;)
        sb_adds(sb, i % 2 ? "> " : "} ");
    sb_adds(sb, "\n");
}

#define GRAPH_AND(option) "scope", "--graph_path", "@0", option, "@1"
#define VALUES "-select", "tensor_value,params"
#define RUN {"g.pb", "run.pb"}
#define LOG {"g.pb", "log.pb"}
#define ALL "-select", "micros,bytes,peak_bytes,params,float_ops,op_types,device"

const struct hostile_shape hostile_runs[] = {
    {"executions of a node", executions, 80000, {GRAPH_AND("--run_meta_path"), ALL}, RUN, false},
    {"records of memory", memory_records, 100000, {GRAPH_AND("--run_meta_path"), ALL}, RUN, false},
    {"runs of one step", event_steps, 10000,
     {"scope", "@0", ALL}, {"events.out.tfevents.1.h"}, false},
    {"log entries", log_entries, 40000, {GRAPH_AND("--op_log_path"), ALL}, LOG, false},
    {"frames of a stack", stacks, 20000,
     {"code", "--graph_path", "@0", "--op_log_path", "@1", "-max_depth", "20", ALL}, LOG, false},
    {"slices of a tensor", slices, 10000,
     {GRAPH_AND("--checkpoint_path"), VALUES}, {"g.pb", "c.index", "c.data-00000-of-00001"}, false},
    {"parts of a tensor", parts, 10000,
     {GRAPH_AND("--checkpoint_path"), VALUES}, {"g.pb", "c.ckpt"}, false},
    {"parts of many shapes", torn_parts, 10000,
     {GRAPH_AND("--checkpoint_path"), VALUES}, {"g.pb", "c.ckpt"}, false},
    {"nested text", text_nesting, 10000,
     {"scope", "@0", "-flops", "full", ALL}, {"g.pbtxt"}, false},
    {"nested unknown text", unknown_nesting, 100000, {"scope", "@0", ALL}, {"g.pbtxt"}, false},
};
const unsigned n_hostile_runs = sizeof hostile_runs / sizeof *hostile_runs;
