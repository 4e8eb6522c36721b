/* row_facts.h: columns, devices, types and input shapes of rows, for text and all other outputs. */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"
#include "model/profile.h"
#include "view/query.h"

/* The selected fields in legend order, micros with its two parts.  COLUMNS has room for FIELD_COUNT
 * entries; returns their number. */
size_t row_columns(const struct result *r, int *columns);
/* The metrics among the columns, for result_need(). */
field_set row_column_metrics(const struct result *r);

/* Distinct strings in byte order; valid when zeroed. */
typedef VEC(struct text) text_list;

/* The devices of ROW: that of its node (scope, graph), or those of its accounted nodes (code, op;
 * "" for nodes without a device).  Clears LIST first. */
void row_devices(const struct result *r, row_id row, text_list *list);
/* The types of ROW's node or of its accounted nodes; of a row without a node the view's synthetic
 * type. */
void row_types(const struct result *r, row_id row, text_list *list);
/* Appends the input shapes of ID, a node or a part of one, "0:1x2|1:unknown", with BETWEEN instead
 * of the bar: the recorded shapes, as the original shows; with rules in -flops the inferred ones
 * too; of calls in traces the recorded ones. */
void row_input_shapes(struct strbuf *sb, struct result *r, node_id id, const char *between);
/* Appends the known output shapes, "0:?x20|1:scalar"; at most ROW_OUTPUTS_MAX, then "|and 65472
 * more". */
enum { ROW_OUTPUTS_MAX = 64 };
void row_output_shapes(struct strbuf *sb, struct result *r, node_id node);

/* Nodes of an op row with equal input shapes. */
struct input_group {
    char *shapes;  /* "0:1x2,\t1:3" */
    int64_t runs;  /* sum over its nodes */
    int64_t time_ps;
    uint32_t nodes;
};
typedef VEC(struct input_group) input_groups;

/* Groups the accounted nodes of ROW by input shapes, most runs first (semantics.md section 5.2).
 * Free with input_groups_done(). */
void row_input_groups(struct result *r, row_id row, input_groups *groups);
void input_groups_done(input_groups *groups);

/* If ROW stands for repeated layers, appends mean, minimum, maximum and outliers of the compared
 * metric, which R has to contain: " each 25.81ms (20.10ms to 30.22ms), outlier: layer_3
 * 30.22ms". */
void render_repeats(struct strbuf *sb, const struct result *r, row_id row);
/* Appends the part of REPEAT's name that differs from its siblings: of a scope the last
 * component. */
void render_repeat_name(struct strbuf *sb, const struct result *r, row_id repeat);

/* Appends the text, several values separated by "|"; false when ROW has no value of FIELD. */
bool row_field(struct strbuf *sb, struct result *r, row_id row, int field);
