/* generate_real.c: excerpts of the models of the golden tests, as a base for mutation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/packed_file.h"
#include "meaning/generators.h"
#include "proto/graph.pb-c.h"
#include "proto/meta_graph.pb-c.h"
#include "proto/run_meta.pb-c.h"
#include "proto/tfprof.pb-c.h"

struct real_row {
    const char *path; /* in tests/golden */
    const ProtobufCMessageDescriptor *type;
    const char *name, *option; /* of the file; the option that takes it */
    const char *beside;        /* graph that belongs to it; NULL: none */
};

static const struct real_row rows[] = {
    {"models/edge/shapes.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"models/edge/holes.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"models/edge/scopes.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"models/towers/graph.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"models/resnet32/graph.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"models/seq2seq/graph.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"models/mobilenet/graph.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"modern/MobileNet.stripped.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"modern/InceptionV3.stripped.pb.gz", &tfp__graph_def__descriptor, "g.pb", "", NULL},
    {"modern/cnn.meta.gz", &tfp__meta_graph_def__descriptor, "m.meta", "", NULL},
    {"modern/lstm_text.saved_model.pb.gz", &tfp__saved_model__descriptor, "saved_model.pb", "", NULL},
    {"modern/nested_module.saved_model.pb.gz", &tfp__saved_model__descriptor, "saved_model.pb", "", NULL},
    {"modern/while_if_module.saved_model.pb.gz", &tfp__saved_model__descriptor, "saved_model.pb", "", NULL},
    {"models/towers/run_meta_gpu_0.pb.gz", &tfp__run_metadata__descriptor, "r.pb", "--run_meta_path=", "models/towers/graph.pb.gz"},
    {"models/towers/tfprof_log.pb.gz", &tfp__op_log_proto__descriptor, "l.pb", "--op_log_path=", "models/towers/graph.pb.gz"},
    {"models/towers/profile_gpu.pb.gz", &tfp__profile_proto__descriptor, "p.pb", "--profile_path=", NULL},
    {"models/seq2seq/profile.pb.gz", &tfp__profile_proto__descriptor, "p.pb", "--profile_path=", NULL},
    {"models/edge/traces_log.pb.gz", &tfp__op_log_proto__descriptor, "l.pb", "--op_log_path=", "models/edge/traces.pb.gz"},
    {"models/edge/times_meta_0.pb.gz", &tfp__run_metadata__descriptor, "r.pb", "--run_meta_path=", "models/edge/times.pb.gz"},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static void read_golden(const char *path, struct strbuf *bytes)
{
    const char *top = getenv("top_srcdir");
    char whole[512];

    snprintf(whole, sizeof whole, "%s/tests/golden/%s", top ? top : ".", path);
    if (!packed_file_read(whole, bytes) || !bytes->len) {
        perror(whole);
        abort();
    }
}

/* The decoded contents of a file, read once per process. */
static const struct case_tree *golden_tree(const char *path, const ProtobufCMessageDescriptor *type)
{
    static struct {
        const char *path;
        struct case_tree tree;
    } kept[2 * N_ROWS];
    struct strbuf bytes = {0};
    size_t i = 0;

    while (kept[i].path && strcmp(kept[i].path, path) != 0)
        i++;
    if (kept[i].path)
        return &kept[i].tree;
    read_golden(path, &bytes);
    kept[i].path = path;
    case_tree_read(&kept[i].tree, type, (const uint8_t *)bytes.data, bytes.len);
    sb_done(&bytes);
    return &kept[i].tree;
}

void generate_real(struct draw *d)
{
    const struct real_row *row = &rows[draw_below(d, N_ROWS)];

    if (row->beside) {
        put_file(d->tree, "g.pb", &tfp__graph_def__descriptor);
        draw_excerpt(d, golden_tree(row->beside, &tfp__graph_def__descriptor));
        case_tree_close(d->tree);
        put_option(d->tree, "--graph_path=@/g.pb");
    }
    put_file(d->tree, row->name, row->type);
    draw_excerpt(d, golden_tree(row->path, row->type));
    case_tree_close(d->tree);
    put_option(d->tree, "%s@/%s", row->option, row->name);
}
