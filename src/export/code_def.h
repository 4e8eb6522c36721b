/* code_def.h: writes call stacks as CodeDef messages with a string table. */
#pragma once

#include "base/intern.h"
#include "base/strbuf.h"
#include "model/profile.h"

/* The id -> string table of an output file: id 0 is the text "none", others count up in order of
 * first use (oplog.md section 4.5). */
struct code_strings {
    const struct profile *profile;
    int64_t *id_of;  /* [profile strings] id + 1, 0: not used yet */
    strid *string_of; /* by id */
    size_t n;         /* number of ids, including 0 */
    size_t capacity;
};

void code_strings_init(struct code_strings *s, const struct profile *p);
void code_strings_done(struct code_strings *s);

/* Appends STACK of P as a message field (nothing for STACK_NONE); its texts are ids of STRINGS, or
 * inline with STRINGS NULL, for files without a string table. */
void code_def_write(struct strbuf *sb, uint32_t field, const struct profile *p,
                    struct code_strings *strings, const struct call_stack *stack);
/* Appends the table entry of ID as a map<int64, string> field. */
void code_string_write(struct strbuf *sb, uint32_t field, const struct code_strings *s, size_t id);
