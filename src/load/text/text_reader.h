/* text_reader.h: converts the protobuf text format of any message to wire format, element by
 * element, so that text and binary files share all further code.  Uses the protobuf-c message
 * descriptors. */
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/strbuf.h"

/* The maximum nesting depth, as in protobuf. */
enum { TEXT_MAX_DEPTH = 100 };

enum text_event {
    TEXT_ELEMENT, /* one complete value of a field */
    TEXT_ENTER,   /* start of a container, whose fields are separate elements */
    TEXT_LEAVE,   /* end of a container */
};

struct text_element {
    enum text_event event;
    const ProtobufCMessageDescriptor *parent; /* the message of the field */
    const ProtobufCFieldDescriptor *field;
    /* Of TEXT_ELEMENT: the payload after the tag in wire format: a message or string without its
     * length, else a varint or fixed-size number.  Valid during the call. */
    const uint8_t *wire;
    size_t wire_len;
    /* The range of the value in the text; of a message its contents between the brackets, which
     * text_read() accepts as well. */
    size_t offset, len_bytes;
};

/* Returns false with ERR to stop. */
typedef bool text_handler(void *context, const struct text_element *element, struct err *err);

struct text_source {
    const char *path; /* for error messages */
    const uint8_t *text;
    size_t size_bytes;
    const ProtobufCMessageDescriptor *message; /* type of the whole text */
    /* Message types whose fields are delivered one by one if they belong to the top message or to
     * another container; NULL-terminated.  NULL: only fields of the top message. */
    const ProtobufCMessageDescriptor *const *containers;
    /* Fields to skip without decoding; NULL-terminated or NULL. */
    const ProtobufCFieldDescriptor *const *skipped;
    struct notes *notes; /* gets a note on what was left out, or NULL */
    struct cancel_mark cancel;
};

/* Reads the whole text.  Fields that the descriptors do not have are skipped; repeated occurrences
 * of a field are all delivered, and the wire format's rules apply (the last one wins).  False with
 * ERR: "PATH:LINE:COLUMN: cause", the handler's error, or cancelled. */
bool text_read(const struct text_source *source, text_handler *handler, void *context,
               struct err *err);

/* Appends the wire format of the whole text to OUT. */
bool text_to_wire(const struct text_source *source, struct strbuf *out, struct err *err);

/* The field with a name of LEN bytes, or NULL; accepts names of older schemas. */
const ProtobufCFieldDescriptor *text_find_field(const ProtobufCMessageDescriptor *message,
                                                const char *name, size_t len);
