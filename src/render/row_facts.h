/* row_facts.h: what a row says beside its figures: columns, devices, types and
 * input shapes, for text and for the other outputs alike. */
#ifndef TFPROF_RENDER_ROW_FACTS_H
#define TFPROF_RENDER_ROW_FACTS_H

#include "base/vec.h"
#include "view/query.h"

/* The fields of a row in legend order: of the selected ones, micros with its
 * two parts.  COLUMNS has room for FIELD_COUNT; returns how many. */
size_t row_columns(const struct result *r, int *columns);
/* The metrics among them, for result_need(). */
field_set row_column_metrics(const struct result *r);

/* Distinct strings in byte order; a zeroed one is empty and ready. */
typedef VEC(struct text) text_list;

/* The devices of ROW: that of its node (scope, graph; none when it has none),
 * or those of its accounted nodes (code, op; "" stands for nodes without).
 * LIST is emptied first. */
void row_devices(const struct result *r, row_id row, text_list *list);
/* The types of its node or of its accounted nodes; of a row without a node
 * the view's synthetic type. */
void row_types(const struct result *r, row_id row, text_list *list);
/* The shapes of the inputs of ID, which is a node or a part of one, "0:1x2|1:unknown", with
 * BETWEEN between them: as recorded, which is what the original shows; or, when -flops asks for
 * rules, all that is known; of calls in traces what these recorded (call_shapes.h). */
void row_input_shapes(struct strbuf *sb, struct result *r, node_id id, const char *between);
/* All that is known of its outputs, "0:?x20|1:scalar"; of more than so many the first ones, then
 * "|and 65472 more". */
enum { ROW_OUTPUTS_MAX = 64 };
void row_output_shapes(struct strbuf *sb, struct result *r, node_id node);

/* The nodes of an op row that read the same shapes. */
struct input_group {
    char *shapes;  /* "0:1x2,\t1:3" */
    int64_t runs;  /* of all of them */
    int64_t time_ps;
    uint32_t nodes;
};
typedef VEC(struct input_group) input_groups;

/* The accounted nodes of ROW by what they read, most runs first (semantics.md
 * 5.2).  Free with input_groups_done(). */
void row_input_groups(struct result *r, row_id row, input_groups *groups);
void input_groups_done(input_groups *groups);

#endif
