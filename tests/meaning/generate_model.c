/* generate_model.c: MetaGraphDefs, SavedModels and event files: graphs with signatures,
 * collections, objects, steps. */
#include <stdio.h>

#include "meaning/generators.h"
#include "proto/event.pb-c.h"
#include "proto/meta_graph.pb-c.h"
#include "proto/run_meta.pb-c.h"

static const char *const tags[] = {"serve", "serve", "serve", "train", "", "a b"};
static const char *const signatures[] = {"serving_default", "serving_default", "serving_default", "train", ""};

/* ---- meta graphs */

static void put_info(struct draw *d)
{
    put_open(d->tree, "meta_info_def");
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_text(d->tree, "tags", DRAW_ONE(d, tags));
    put_text(d->tree, "tensorflow_version", "2.15.1");
    if (!draw_rarely(d, 10)) { /* the loader tells a MetaGraphDef from a GraphDef by it */
        put_open(d->tree, "stripped_op_list");
        put_open(d->tree, "op");
        put_text(d->tree, "name", "Foo");
        for (uint32_t n = draw_below(d, 3); n > 0; n--) {
            put_open(d->tree, "output_arg");
            put_text(d->tree, "name", "y");
            put_text(d->tree, draw_rarely(d, 2) ? "number_attr" : "type_list_attr", "N");
            case_tree_close(d->tree);
        }
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_tensor_info(struct draw *d, const char *field)
{
    char name[96];

    put_entry(d->tree, field, draw_any_node(d));
    put_open(d->tree, "value");
    draw_any_node(d);
    snprintf(name, sizeof name, "%s:%u", d->text, draw_below(d, 3));
    put_text(d->tree, "name", name);
    put_int(d->tree, "dtype", draw_dtype(d));
    draw_shape(d, "tensor_shape");
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_signature(struct draw *d)
{
    put_entry(d->tree, "signature_def", DRAW_ONE(d, signatures));
    put_open(d->tree, "value");
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_tensor_info(d, "inputs");
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_tensor_info(d, "outputs");
    put_text(d->tree, "method_name", "tensorflow/serving/predict");
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_slice_of_variable(struct draw *d)
{
    static const char *const fields[] = {"full_shape", "var_offset", "var_shape"};

    put_open(d->tree, "save_slice_info_def");
    for (int f = 0; f < 3; f++)
        for (uint32_t n = draw_below(d, 4); n > 0; n--)
            put_int(d->tree, fields[f], draw_size(d));
    case_tree_close(d->tree);
}

static void put_collection(struct draw *d)
{
    static const char *const names[] = {"trainable_variables", "variables", "cond_context"};
    char name[96];

    put_entry(d->tree, "collection_def", DRAW_ONE(d, names));
    put_open(d->tree, "value");
    put_open(d->tree, "bytes_list");
    for (uint32_t n = draw_below(d, 5); n > 0; n--) {
        put_open_as(d->tree, "value", &tfp__variable_def__descriptor);
        draw_any_node(d);
        snprintf(name, sizeof name, "%s:0", d->text);
        put_text(d->tree, "variable_name", name);
        put_int(d->tree, "trainable", draw_below(d, 2));
        if (draw_rarely(d, 4))
            put_slice_of_variable(d);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_objects(struct draw *d)
{
    put_open(d->tree, "object_graph_def");
    for (uint32_t n = draw_below(d, 6); n > 0; n--) {
        put_open(d->tree, "nodes");
        for (uint32_t k = draw_below(d, 3); k > 0; k--) {
            put_open(d->tree, "children");
            put_int(d->tree, "node_id", draw_int(d));
            put_text(d->tree, "local_name", draw_any_node(d));
            case_tree_close(d->tree);
        }
        put_open(d->tree, "variable");
        put_int(d->tree, "dtype", draw_dtype(d));
        draw_shape(d, "shape");
        put_int(d->tree, "trainable", draw_below(d, 2));
        put_text(d->tree, "name", draw_any_node(d));
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    for (uint32_t n = draw_below(d, 3); n > 0; n--) {
        put_entry(d->tree, "concrete_functions", draw_any_function(d));
        put_open(d->tree, "value");
        for (uint32_t k = draw_below(d, 3); k > 0; k--)
            put_int(d->tree, "bound_inputs", draw_int(d));
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void draw_meta_graph(struct draw *d)
{
    put_info(d);
    put_open(d->tree, "graph_def");
    draw_graph(d);
    case_tree_close(d->tree);
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_collection(d);
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_signature(d);
    if (draw_rarely(d, 2))
        put_objects(d);
}

void generate_meta_graph(struct draw *d)
{
    put_file(d->tree, "model.meta", &tfp__meta_graph_def__descriptor);
    draw_meta_graph(d);
    case_tree_close(d->tree);
    put_option(d->tree, "@/model.meta");
    if (draw_rarely(d, 6))
        put_option(d->tree, "--signature=%s", DRAW_ONE(d, signatures));
}

void generate_saved_model(struct draw *d)
{
    put_file(d->tree, "saved_model.pb", &tfp__saved_model__descriptor);
    put_int(d->tree, "saved_model_schema_version", 1);
    for (uint32_t n = 1 + draw_below(d, 2); n > 0; n--) {
        put_open(d->tree, "meta_graphs");
        draw_meta_graph(d);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    put_option(d->tree, draw_rarely(d, 3) ? "%s/" : "%s/saved_model.pb", "@");
    if (draw_rarely(d, 8))
        put_option(d->tree, "--tag=%s", DRAW_ONE(d, tags));
    if (draw_rarely(d, 6))
        put_option(d->tree, "--signature=%s", DRAW_ONE(d, signatures));
}

/* ---- event files */

static void put_summary(struct draw *d)
{
    static const char *const plugins[] = {"graphs", "graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model"};
    const uint32_t plugin = draw_below(d, 4);

    put_open(d->tree, "summary");
    put_open(d->tree, "value");
    put_text(d->tree, "tag", "step_1");
    put_open(d->tree, "metadata");
    put_open(d->tree, "plugin_data");
    put_text(d->tree, "plugin_name", plugins[plugin]);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    put_open(d->tree, "tensor");
    put_int(d->tree, "dtype", draw_rarely(d, 10) ? draw_dtype(d) : 7);
    draw_shape_of(d, "tensor_shape", NULL, 0);
    put_open_as(d->tree, "string_val", plugin == 0 ? &tfp__graph_def__descriptor : &tfp__run_metadata__descriptor);
    if (plugin == 0)
        draw_graph(d);
    else
        draw_run(d);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_event(struct draw *d)
{
    static const char *const run_tags[] = {"step_1", "step_10", "step_x", "", "step_99999999999999999999"};

    put_real(d->tree, "wall_time", 1.5e9);
    put_int(d->tree, "step", draw_rarely(d, 6) ? draw_int(d) : draw_below(d, 4));
    switch (draw_below(d, 5)) {
    case 0:
        put_open_as(d->tree, "graph_def", &tfp__graph_def__descriptor);
        draw_graph(d);
        case_tree_close(d->tree);
        break;
    case 1:
        put_open_as(d->tree, "meta_graph_def", &tfp__meta_graph_def__descriptor);
        draw_meta_graph(d);
        case_tree_close(d->tree);
        break;
    case 2:
        put_summary(d);
        break;
    default:
        put_open(d->tree, "tagged_run_metadata");
        put_text(d->tree, "tag", DRAW_ONE(d, run_tags));
        put_open_as(d->tree, "run_metadata", &tfp__run_metadata__descriptor);
        draw_run(d);
        case_tree_close(d->tree);
        case_tree_close(d->tree);
        break;
    }
}

void generate_events(struct draw *d)
{
    put_file(d->tree, "events.out.tfevents.1", &tfp__event__descriptor);
    for (uint32_t n = 1 + draw_below(d, 5); n > 0; n--) {
        case_tree_open(d->tree, (struct item){.kind = ITEM_RECORD, .type = &tfp__event__descriptor}, NULL, 0);
        put_event(d);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    put_option(d->tree, "@/events.out.tfevents.1");
}
