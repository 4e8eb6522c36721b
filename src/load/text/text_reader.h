/* text_reader.h: the protobuf text format of any message, turned into wire
 * bytes element by element, so that text and binary files meet the same code
 * behind it.  Driven by the protobuf-c message descriptors. */
#ifndef TFPROF_LOAD_TEXT_READER_H
#define TFPROF_LOAD_TEXT_READER_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/strbuf.h"

/* Messages may stand this deep inside each other, as protobuf allows. */
enum { TEXT_MAX_DEPTH = 100 };

enum text_event {
    TEXT_ELEMENT, /* one value of a field, whole */
    TEXT_ENTER,   /* a container begins: its fields come as elements */
    TEXT_LEAVE,   /* and ends */
};

struct text_element {
    enum text_event event;
    const ProtobufCMessageDescriptor *parent; /* whose field it is */
    const ProtobufCFieldDescriptor *field;
    /* Of TEXT_ELEMENT: the payload as it would stand behind the tag in a
     * binary file: a message or string without its length, else a varint or
     * fixed number.  Valid during the call. */
    const uint8_t *wire;
    size_t wire_len;
    /* The value in the text; of a message what stands between its brackets,
     * which is again a text that text_read() takes. */
    size_t offset, len_bytes;
};

/* Returns false with ERR set to stop. */
typedef bool text_handler(void *context, const struct text_element *element, struct err *err);

struct text_source {
    const char *path; /* for messages */
    const uint8_t *text;
    size_t size_bytes;
    const ProtobufCMessageDescriptor *message; /* what the text is */
    /* Message types whose fields are delivered one by one where the field
     * itself belongs to the text's message or to a container; NULL-terminated,
     * or NULL: only the text's message is taken apart. */
    const ProtobufCMessageDescriptor *const *containers;
    /* Fields that are not decoded, only passed over; NULL-terminated or NULL. */
    const ProtobufCFieldDescriptor *const *skipped;
    struct notes *notes; /* told what had to be left out; NULL: nobody */
    struct cancel_mark cancel;
};

/* Reads the whole text.  Fields that the descriptors do not know are passed
 * over; of a field given twice both come, and wire rules decide (the last
 * wins).  False with ERR: "PATH:LINE:COLUMN: cause", what the handler said,
 * or cancelled. */
bool text_read(const struct text_source *source, text_handler *handler, void *context,
               struct err *err);

/* Appends the wire form of the whole text to OUT. */
bool text_to_wire(const struct text_source *source, struct strbuf *out, struct err *err);

/* The field of a name (LEN bytes) or NULL; names of older schemas are known. */
const ProtobufCFieldDescriptor *text_find_field(const ProtobufCMessageDescriptor *message,
                                                const char *name, size_t len);

#endif
