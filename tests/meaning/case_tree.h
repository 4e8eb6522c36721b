/* case_tree.h: a generated case as a tree of files and fields whose parts can be changed and
 * removed.
 *
 *     case -> files and options -> messages, records, tables -> fields
 *
 * Items are in pre-order: the descendants of an item follow it and are deeper.  So a subtree is a
 * range of items in every format. */
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum item_kind {
    ITEM_FILE,    /* text: its name; children: its contents */
    ITEM_JSON,    /* like ITEM_FILE, but `type` is written as JSON, */
    ITEM_SQLITE,  /* as a database, */
    ITEM_FLAT,    /* as a FlatBuffer */
    ITEM_OPTION,  /* text: "batch=3"; each "@" is replaced by the folder of the files */
    ITEM_MESSAGE, /* children: fields of `type` */
    ITEM_NUMBER,  /* value: an integer, enum or bool; for float and double the bits */
    ITEM_BYTES,   /* text */
    ITEM_PACKED,  /* children: values of a repeated packed field */
    ITEM_RAW,     /* text: bytes written unchanged, not as a message */
    ITEM_RECORD,  /* record of an event file; children: its data */
    ITEM_TABLE,   /* table of a checkpoint; children: entries */
    ITEM_ENTRY,   /* text: the key; children: the value */
};

enum file_form { FORM_PLAIN, FORM_TEXT, FORM_GZIP };

struct item {
    uint8_t kind;  /* enum item_kind */
    uint8_t form;  /* enum file_form, for files; only ITEM_FILE may have FORM_TEXT */
    uint32_t depth;
    uint32_t copies; /* how many more times the field is written in binary form */
    const ProtobufCFieldDescriptor *field;  /* NULL: not a field of a message */
    const ProtobufCMessageDescriptor *type; /* of ITEM_MESSAGE, or of the contents of a file */
    uint64_t value;
    size_t text_at, text_len; /* in tree.texts */
};

/* A zeroed tree is empty and valid. */
struct case_tree {
    VEC(struct item) items;
    struct strbuf texts;
    uint32_t depth; /* of the next item to be added */
};

void case_tree_done(struct case_tree *t);
void case_tree_copy(struct case_tree *to, const struct case_tree *from);

/* ---- construction: items are added to the item opened last */

void case_tree_open(struct case_tree *t, struct item item, const void *text, size_t len);
void case_tree_close(struct case_tree *t);
void case_tree_add(struct case_tree *t, struct item item, const void *text, size_t len);

/* Opens the field FIELD of the innermost open message; aborts the program if there is no such
 * field. */
void put_open(struct case_tree *t, const char *field);
void put_int(struct case_tree *t, const char *field, int64_t value);
/* For float and double fields. */
void put_real(struct case_tree *t, const char *field, double value);
void put_text(struct case_tree *t, const char *field, const char *text);
void put_bytes(struct case_tree *t, const char *field, const void *bytes, size_t len);
/* Opens a bytes field that contains a message of TYPE; the caller closes it. */
void put_open_as(struct case_tree *t, const char *field, const ProtobufCMessageDescriptor *type);
/* Opens an entry of the map FIELD and adds its key; the caller closes it. */
void put_entry(struct case_tree *t, const char *field, const char *key);
/* Opens a file with a message of TYPE (NULL: other contents); the caller closes it. */
void put_file(struct case_tree *t, const char *name, const ProtobufCMessageDescriptor *type);
/* Like put_file(), of another kind of file. */
void put_file_as(struct case_tree *t, enum item_kind kind, const char *name,
                 const ProtobufCMessageDescriptor *type);
void put_option(struct case_tree *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the fields of a message in wire format; fields unknown to TYPE are dropped. */
void case_tree_read(struct case_tree *t, const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
               size_t len);

/* ---- changing */

/* The index after the last descendant of item I. */
size_t case_tree_end(const struct case_tree *t, size_t i);
const char *case_tree_text(const struct case_tree *t, size_t i);
void case_tree_set_text(struct case_tree *t, size_t i, const void *text, size_t len);
void case_tree_remove(struct case_tree *t, size_t from, size_t to);
/* Inserts a copy of item FROM of SOURCE (which may be T) and its descendants before item AT, at
 * depth DEPTH. */
void case_tree_insert(struct case_tree *t, size_t at, uint32_t depth, const struct case_tree *source, size_t from);
/* The message that contains item I; SIZE_MAX: none. */
size_t case_tree_parent(const struct case_tree *t, size_t i);

/* ---- output */

static inline bool item_is_file(const struct item *item)
{
    return item->kind <= ITEM_FLAT;
}

/* True when an item has copies: the encoded case is then much larger than its tree. */
bool case_tree_is_large(const struct case_tree *t);
/* Appends the contents of file I; returns their length before compression. */
size_t case_tree_encode(const struct case_tree *t, size_t i, struct strbuf *out);
/* Like case_tree_encode() for an ITEM_JSON, with the field names of trace.proto. */
void case_tree_encode_json(const struct case_tree *t, size_t i, struct strbuf *out);
/* The same for an ITEM_SQLITE of nsys.proto, and for an ITEM_FLAT. */
void case_tree_encode_sqlite(const struct case_tree *t, size_t i, struct strbuf *out);
void case_tree_encode_flat(const struct case_tree *t, size_t i, struct strbuf *out);
/* Appends a readable form of T: one line for each name, field or value. */
void case_tree_print(const struct case_tree *t, struct strbuf *out);
