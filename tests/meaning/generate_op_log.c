/* generate_op_log.c: op logs: types, counts and stacks of calls, with strings inline or in an
 * incomplete table. */
#include <string.h>

#include "meaning/generators.h"
#include "proto/tfprof.pb-c.h"

static const char *const files[] = {"/x/net.py", "run.py", "", "a b.py", "/x/\n.py", "net.py"};

void draw_trace(struct draw *d, const char *field, bool with_ids)
{
    put_open(d->tree, field);
    for (uint32_t n = draw_below(d, 5); n > 0; n--) {
        put_open(d->tree, "traces");
        if (with_ids) {
            put_int(d->tree, "file_id", draw_rarely(d, 10) ? draw_int(d) : 1 + draw_below(d, 3));
            put_int(d->tree, "function_id", draw_rarely(d, 10) ? draw_int(d) : 4 + draw_below(d, 3));
            put_int(d->tree, "line_id", draw_rarely(d, 10) ? draw_int(d) : 7 + draw_below(d, 3));
        } else {
            put_text(d->tree, "file", DRAW_ONE(d, files));
            put_text(d->tree, "function", draw_any_function(d));
            put_text(d->tree, "line", "x = f(y)");
        }
        put_int(d->tree, "lineno", draw_int(d));
        put_int(d->tree, "func_start_line", draw_int(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

/* A table of ten strings, some with random keys, so that others are missing. */
void draw_strings(struct draw *d)
{
    for (int i = 0; i < 10; i++) {
        put_open(d->tree, "id_to_string");
        put_int(d->tree, "key", draw_rarely(d, 10) ? draw_int(d) : i);
        put_text(d->tree, "value", i < 4 ? DRAW_ONE(d, files) : draw_any_function(d));
        case_tree_close(d->tree);
    }
}

const char *draw_type(struct draw *d)
{
    static const char *const types[] = {"_trainable_variables", "mine", "_checkpoint_variables", "",
                                        "_kTFScopeParent", "Conv2D", "/device:gpu:0", "a\nb"};

    return DRAW_ONE(d, types);
}

void draw_op_log(struct draw *d)
{
    const bool with_ids = draw_rarely(d, 2);

    for (uint32_t n = draw_below(d, 20); n > 0; n--) {
        put_open(d->tree, "log_entries");
        put_text(d->tree, "name", draw_any_node(d));
        if (draw_rarely(d, 2))
            put_int(d->tree, "float_ops", draw_amount(d));
        for (uint32_t k = draw_below(d, 3); k > 0; k--)
            put_text(d->tree, "types", draw_type(d));
        if (draw_rarely(d, 2))
            draw_trace(d, "code_def", with_ids);
        case_tree_close(d->tree);
    }
    if (with_ids || draw_rarely(d, 8))
        draw_strings(d);
}

void generate_op_log(struct draw *d)
{
    generate_graph(d);
    put_file(d->tree, "log.pb", &tfp__op_log_proto__descriptor);
    draw_op_log(d);
    case_tree_close(d->tree);
    put_option(d->tree, "--op_log_path=@/log.pb");
}
