/* text_reader_priv.h: a text being read, shared by the reader's files. */
#ifndef TFPROF_LOAD_TEXT_READER_PRIV_H
#define TFPROF_LOAD_TEXT_READER_PRIV_H

#include "load/text/text_lexer.h"
#include "load/text/text_reader.h"

/* A message that is open. */
struct open_message {
    const ProtobufCMessageDescriptor *message; /* NULL: not known or not wanted */
    const ProtobufCFieldDescriptor *field;     /* that holds it; NULL at the top */
    const ProtobufCFieldDescriptor *packed;    /* whose chunk is open at packed_at */
    const ProtobufCFieldDescriptor *recent;    /* the field met last, the next is near */
    size_t packed_at; /* wire_begin() of that chunk */
    size_t begin;     /* wire_begin() of the message */
    size_t offset;    /* of its text */
    char close;       /* its closing bracket; 0 at the top */
    bool in_list;
    bool is_container;
};

struct reader {
    const struct text_source *source;
    text_handler *handler;
    void *context;
    struct err *err;
    struct text_lexer lexer;
    struct strbuf out; /* the element under construction */
    struct open_message frames[TEXT_MAX_DEPTH + 1];
    unsigned depth; /* frames[depth] is the innermost */
    uint64_t n_unknown_enums;
    const uint8_t *first_unknown_enum;
    size_t first_unknown_enum_len;
};

/* Sets the error "PATH:LINE:COLUMN: CAUSE" and returns false. */
bool text_fail_at(struct reader *r, const uint8_t *where, const char *cause);
/* "expected WHAT for `name`, found TOKEN" at the current token. */
bool text_fail_expected(struct reader *r, const char *what, const char *preposition,
                        const char *name);

/* The field of F's message that token T names, or NULL: mostly the one before
 * or the next. */
const ProtobufCFieldDescriptor *text_find_near(struct open_message *f, const struct text_token *t);

/* Hands the element that was written, or the event, to the handler. */
bool text_deliver(struct reader *r, enum text_event event, const struct open_message *parent,
                  const ProtobufCFieldDescriptor *field, size_t offset, size_t end);

/* Puts the length before what was written since BEGIN = wire_begin(). */
bool text_end_length(struct reader *r, size_t begin);
/* Closes the packed chunk that is open in F, if any. */
bool text_end_packed(struct reader *r, struct open_message *f);
/* One value of a scalar field that F's message knows. */
bool text_read_scalar(struct reader *r, struct open_message *f,
                      const ProtobufCFieldDescriptor *field);
/* Passes over [-] and one number or name, or strings; false when there is none. */
bool text_skip_scalar(struct text_lexer *lx);

#endif
