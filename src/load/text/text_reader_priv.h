/* text_reader_priv.h: the state of the text reader, shared by its files. */
#pragma once

#include "load/text/text_lexer.h"
#include "load/text/text_reader.h"

/* A message that is being read. */
struct open_message {
    const ProtobufCMessageDescriptor *message; /* NULL: unknown or skipped */
    const ProtobufCFieldDescriptor *field;     /* its field in the parent; NULL at the top */
    const ProtobufCFieldDescriptor *packed;    /* field of the packed chunk at packed_at */
    const ProtobufCFieldDescriptor *recent;    /* last field; the next one is probably nearby */
    size_t packed_at; /* wire_begin() of that chunk */
    size_t begin;     /* wire_begin() of the message */
    size_t offset;    /* of its contents in the text */
    char close;       /* closing bracket; 0 at the top */
    bool in_list;
    bool is_container;
};

struct reader {
    const struct text_source *source;
    text_handler *handler;
    void *context;
    struct err *err;
    struct text_lexer lexer;
    struct strbuf out; /* the current element */
    struct open_message frames[TEXT_MAX_DEPTH + 1];
    unsigned depth; /* frames[depth] is the innermost message */
    uint64_t n_unknown_enums;
    const uint8_t *first_unknown_enum;
    size_t first_unknown_enum_len;
};

/* Sets the error "PATH:LINE:COLUMN: CAUSE" and returns false. */
bool text_fail_at(struct reader *r, const uint8_t *where, const char *cause);
/* Fails with "expected WHAT for `name`, found TOKEN" at the current token. */
bool text_fail_expected(struct reader *r, const char *what, const char *preposition,
                        const char *name);

/* Passes the element, or the event, to the handler. */
bool text_deliver(struct reader *r, enum text_event event, const struct open_message *parent,
                  const ProtobufCFieldDescriptor *field, size_t offset, size_t end);

/* Inserts the length before the bytes written since BEGIN = wire_begin(). */
bool text_end_length(struct reader *r, size_t begin);
/* Ends the packed chunk of F, if there is one. */
bool text_end_packed(struct reader *r, struct open_message *f);
/* Reads one value of a known scalar field of F's message. */
bool text_read_scalar(struct reader *r, struct open_message *f,
                      const ProtobufCFieldDescriptor *field);
/* Skips an optional '-' and one number or name, or strings; false when there is none. */
bool text_skip_scalar(struct text_lexer *lx);
