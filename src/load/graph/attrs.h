/* attrs.h: decodes a node's attributes on demand. */
#pragma once

#include "base/vec.h"
#include "base/wire_in.h"
#include "load/graph/dtype.h"
#include "model/attr.h"

/* All attributes of NODE in file order, in ARENA (with pointers into the mapped input); *N is their
 * number, NULL with *N = 0 when there are none.  Of equal names the last one counts. */
const struct attr *attrs_decode(const struct profile *p, node_id node, struct arena *arena,
                                size_t *n);
/* The same for a definition, while a profile is under construction. */
const struct attr *attrs_of_def(const struct profile *p, struct node_def def, struct arena *arena,
                                size_t *n);
/* Attributes of NODE's first execution: memory and threads, as strings. *N is 0 if none are recorded. */
const struct attr *attrs_recorded(const struct profile *p, node_id node, struct arena *arena,
                                  size_t *n);
/* The NodeDef or ProfileNode of NODE (see its form) in wire format: in the input, or in ARENA if it
 * is text; empty when there is none. */
struct wire_in node_def_wire(const struct profile *p, node_id node, struct arena *arena);
/* The attributes in a message: map entries in field NUMBER (5 of NodeDef and FunctionDef, 11 of
 * ProfileNode, 2 of NameAttrList). */
const struct attr *attrs_of_message(struct wire_in message, uint32_t number, struct arena *arena,
                                    size_t *n);
/* The member of an AttrValue that is set.  Members exclude each other: the last one counts, and a
 * message is merged with the one directly before it.  VALUE ends at the end of the message or where
 * it is malformed. */
struct attr_member {
    uint32_t number; /* 0: none */
    uint64_t value;             /* numbers */
    struct wire_pieces message; /* other types; joined in PIECES */
};
void attr_member_set(struct wire_in *value, struct arena *pieces, struct attr_member *set);
/* Decodes an AttrValue; ATTR_NONE when no member is set. */
void attr_value_decode(struct wire_in message, struct arena *arena, struct attr_value *out);
/* The kind and encoding of a field that holds a value; ATTR_NONE: it holds none. */
struct attr_field {
    enum attr_kind kind;
    enum wire_type wire;
};
/* Decodes FIELD as a value of KIND. */
void attr_field_decode(enum attr_kind kind, const struct wire_field *field, struct arena *arena,
                       struct attr_value *out);
/* Decodes the items of a list: fields of MESSAGE in MEMBERS, by number.  All have the kind of the
 * first; ATTR_NONE if there is none. */
void attr_list_decode(struct wire_in message, const struct attr_field *members, size_t n_members,
                      struct arena *arena, struct attr_value *out);
/* Attributes that are being collected; names are static text unless they are in the arena. */
typedef VEC(struct attr) attr_list;
void attr_add(attr_list *list, const char *name, struct attr_value value);
void attr_add_int(attr_list *list, const char *name, int64_t value);
/* Adds a string of LEN bytes; nothing if BYTES is NULL. */
void attr_add_text(attr_list *list, const char *name, const void *bytes, size_t len);
/* Copies LIST to ARENA and frees it; *N is the number of attributes. */
const struct attr *attr_list_take(attr_list *list, struct arena *arena, size_t *n);
/* At most MAX elements of T in row-major order, in memory of ARENA, by the rules of
 * formats-graph.md section 8.  Integers are elements of signed and unsigned types, doubles those of
 * all types but complex ones; strings point into the message. */
struct attr_int64s tensor_int64s(const struct attr_tensor *t, size_t max, struct arena *arena);
struct attr_doubles tensor_doubles(const struct attr_tensor *t, size_t max, struct arena *arena);
struct attr_strings tensor_strings(const struct attr_tensor *t, size_t max, struct arena *arena);

/* The decoders as a record, for layers that must not include this file. */
extern const struct attr_source attrs_source;
