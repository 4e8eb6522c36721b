/* attrs.h: a node's attributes, decoded when somebody looks at them. */
#ifndef TFPROF_LOAD_ATTRS_H
#define TFPROF_LOAD_ATTRS_H

#include "base/wire_in.h"
#include "load/graph/dtype.h"
#include "model/attr.h"

/* All attributes of NODE in the order of the file, in ARENA (and borrowing
 * from the mapped input); *N of them; NULL with *N = 0 when it has none.  A
 * later one of the same name replaces an earlier one. */
const struct attr *attrs_decode(const struct profile *p, node_id node, struct arena *arena,
                                size_t *n);
/* The same by where the definition stands, for a profile under construction. */
const struct attr *attrs_of_def(const struct profile *p, struct node_def def, struct arena *arena,
                                size_t *n);
/* The NodeDef or ProfileNode of NODE (see its form) as wire bytes: where they
 * stand in the input, or in ARENA when it was text; empty for a node that has
 * none. */
struct wire_in node_def_wire(const struct profile *p, node_id node, struct arena *arena);
/* The attributes of a message where it stands: the map entries in field NUMBER (5 of
 * NodeDef and FunctionDef, 11 of ProfileNode, 2 of NameAttrList). */
const struct attr *attrs_of_message(struct wire_in message, uint32_t number, struct arena *arena,
                                    size_t *n);
/* The member of an AttrValue that is set: they exclude each other, the last one counts,
 * and a message is merged with what stands right before it.  VALUE ends at its end or at
 * what is malformed. */
struct attr_member {
    uint32_t number; /* 0: none */
    uint64_t value;             /* of a number */
    struct wire_pieces message; /* of all else: put together in PIECES */
};
void attr_member_set(struct wire_in *value, struct arena *pieces, struct attr_member *set);
/* One AttrValue; ATTR_NONE when no member is set. */
void attr_value_decode(struct wire_in message, struct arena *arena, struct attr_value *out);
/* At most MAX elements of T in memory of ARENA, row-major; the element rules of
 * formats-graph.md section 8.  Integers are those of signed and unsigned types, doubles
 * those of any type but complex ones; strings are borrowed from the message. */
struct attr_int64s tensor_int64s(const struct attr_tensor *t, size_t max, struct arena *arena);
struct attr_doubles tensor_doubles(const struct attr_tensor *t, size_t max, struct arena *arena);
struct attr_strings tensor_strings(const struct attr_tensor *t, size_t max, struct arena *arena);

/* The decoders in one record, for layers that must not include
 * this file. */
extern const struct attr_source attrs_source;

#endif
