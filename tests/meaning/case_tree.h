/* case_tree.h: a generated case as a tree of files and fields, so that parts of it can be changed
 * and left out.
 *
 *     a case -> files and options -> messages, records, tables -> fields
 *
 * Items stand in pre-order; an item's children are the items behind it that are deeper.  Removing
 * and copying a subtree is so the removing and copying of a range, whatever the format. */
#ifndef TFPROF_TESTS_MEANING_CASE_TREE_H
#define TFPROF_TESTS_MEANING_CASE_TREE_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum item_kind {
    ITEM_FILE,    /* text: its name; children: its contents */
    ITEM_JSON,    /* a file as well: `type` written as JSON */
    ITEM_OPTION,  /* text: "batch=3"; "@" in it stands for the folder of the files */
    ITEM_MESSAGE, /* children: fields of `type` */
    ITEM_NUMBER,  /* value: of an integer, enum or bool field; the bits of a real one */
    ITEM_BYTES,   /* text */
    ITEM_PACKED,  /* children: numbers of a repeated field */
    ITEM_RAW,     /* text, as it stands: what is no message */
    ITEM_RECORD,  /* of an event file; children: its data */
    ITEM_TABLE,   /* of a checkpoint; children: entries */
    ITEM_ENTRY,   /* text: the key; children: the value */
};

enum file_form { FORM_PLAIN, FORM_TEXT, FORM_GZIP };

struct item {
    uint8_t kind;  /* enum item_kind */
    uint8_t form;  /* enum file_form, of files; ITEM_JSON is never FORM_TEXT */
    uint32_t depth;
    uint32_t copies; /* that follow it in binary form, of a field alone */
    const ProtobufCFieldDescriptor *field;  /* NULL: not a field of a message */
    const ProtobufCMessageDescriptor *type; /* of ITEM_MESSAGE, and of what a file holds */
    uint64_t value;
    size_t text_at, text_len; /* in tree.texts */
};

/* A zeroed tree is empty and ready. */
struct case_tree {
    VEC(struct item) items;
    struct strbuf texts;
    uint32_t depth; /* of what is added next */
};

void case_tree_done(struct case_tree *t);
void case_tree_copy(struct case_tree *to, const struct case_tree *from);

/* ---- building: what is added goes into what was opened last */

void case_tree_open(struct case_tree *t, struct item item, const void *text, size_t len);
void case_tree_close(struct case_tree *t);
void case_tree_add(struct case_tree *t, struct item item, const void *text, size_t len);

/* A field by its name in the message that is open; the program ends when there is none. */
void put_open(struct case_tree *t, const char *field);
void put_int(struct case_tree *t, const char *field, int64_t value);
/* float and double fields */
void put_real(struct case_tree *t, const char *field, double value);
void put_text(struct case_tree *t, const char *field, const char *text);
void put_bytes(struct case_tree *t, const char *field, const void *bytes, size_t len);
/* A bytes field that holds a message of TYPE: to be closed. */
void put_open_as(struct case_tree *t, const char *field, const ProtobufCMessageDescriptor *type);
/* A map's entry: opens FIELD and puts KEY; to be closed. */
void put_entry(struct case_tree *t, const char *field, const char *key);
/* FILE with a message of TYPE (NULL: other contents); to be closed. */
void put_file(struct case_tree *t, const char *name, const ProtobufCMessageDescriptor *type);
/* The same in JSON. */
void put_json_file(struct case_tree *t, const char *name, const ProtobufCMessageDescriptor *type);
void put_option(struct case_tree *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the fields of a message in wire form; what TYPE does not know is left out. */
void case_tree_read(struct case_tree *t, const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
               size_t len);

/* ---- changing */

/* The end of item I and all below it. */
size_t case_tree_end(const struct case_tree *t, size_t i);
const char *case_tree_text(const struct case_tree *t, size_t i);
void case_tree_set_text(struct case_tree *t, size_t i, const void *text, size_t len);
void case_tree_remove(struct case_tree *t, size_t from, size_t to);
/* Puts a copy of item FROM of SOURCE (which may be T) and all below it before item AT, as a
 * neighbour of depth DEPTH. */
void case_tree_insert(struct case_tree *t, size_t at, uint32_t depth, const struct case_tree *source, size_t from);
/* The message that item I is a field of; SIZE_MAX: none. */
size_t case_tree_parent(const struct case_tree *t, size_t i);

/* ---- as files */

static inline bool item_is_file(const struct item *item)
{
    return item->kind == ITEM_FILE || item->kind == ITEM_JSON;
}

/* True when an item has copies: T is then far larger than its items. */
bool case_tree_is_large(const struct case_tree *t);
/* Appends what file I holds; returns how many bytes that is unpacked. */
size_t case_tree_encode(const struct case_tree *t, size_t i, struct strbuf *out);
/* The same of an ITEM_JSON, by trace.proto. */
void case_tree_encode_json(const struct case_tree *t, size_t i, struct strbuf *out);
/* Appends all of T for people: names, fields and values, a line each. */
void case_tree_print(const struct case_tree *t, struct strbuf *out);

#endif
