/* term_input.h: decodes terminal input: keys, mouse, paste, background colour.
 *
 * A state machine without dependencies, so that tests can feed it byte by byte. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "term/term.h"

enum input_state {
    INPUT_GROUND,
    INPUT_ESC,   /* after ESC: Alt with a key, a sequence, or the Esc key */
    INPUT_CSI,   /* inside ESC [ ... */
    INPUT_SS3,   /* after ESC O */
    INPUT_X10,   /* inside an X10 mouse report of three bytes */
    INPUT_UTF8,  /* inside a UTF-8 character */
    INPUT_PASTE, /* inside a bracketed paste */
    INPUT_OSC,   /* inside ESC ] ..., an expected reply */
    INPUT_OSC_ESC, /* after ESC inside one: probably its end */
    INPUT_STATE_COUNT
};

/* A zeroed decoder is ready. All fields but the first two are private. */
struct key_decoder {
    bool awaits_background; /* a background query is unanswered */
    bool test_keys; /* ESC[99~ is EVENT_TEST_SYNC, ESC[97~ an early one, ESC[98~ the Esc key */
    enum input_state state;
    uint32_t alt;   /* TK_ALT if it applies to the character being read */
    char part[64];  /* incomplete sequence or character */
    size_t n_part;
    struct strbuf paste;
    size_t paste_end;  /* matched bytes of the end marker */
    bool paste_after_cr;
    VEC(struct term_event) ready; /* decoded events; texts are owned */
    size_t n_given;
    char *given_text; /* text of the last returned event */
};

enum { PASTE_MAX = 1 << 20 }; /* bytes of a paste that are kept; the rest is dropped */

void input_done(struct key_decoder *in);
/* Decodes one byte. */
void input_byte(struct key_decoder *in, unsigned char byte);
/* Adds a key that the terminal library has decoded. */
void input_key(struct key_decoder *in, uint32_t key);
/* Call this when no more input is available. Resolves what does not need more bytes: an ESC without
 * a successor is the Esc key. */
void input_pause(struct key_decoder *in);
/* How long to wait for the rest of an incomplete sequence, in ms; -1: none is open. After that time
 * call input_abandon(). */
int input_gap_ms(const struct key_decoder *in);
/* Drops an incomplete sequence, or ends the paste. */
void input_abandon(struct key_decoder *in);
/* True if input_next() has an event. */
bool input_ready(const struct key_decoder *in);
/* Returns the next event in *EV. Its text is valid until the next call. False if there is none. */
bool input_next(struct key_decoder *in, struct term_event *ev);
