/* term_input.h: bytes from a terminal into events: keys, mouse, paste,
 * the colour of the background.
 *
 * A plain state machine that knows no terminal library, so that every
 * sequence can be tested byte by byte. */
#ifndef TFPROF_TUI_TERM_INPUT_H
#define TFPROF_TUI_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "term/term.h"

enum input_state {
    INPUT_GROUND,
    INPUT_ESC,   /* ESC read: a key with Alt, a sequence, or Esc alone */
    INPUT_CSI,   /* within ESC [ ... */
    INPUT_SS3,   /* ESC O read */
    INPUT_X10,   /* within the three bytes of an old mouse report */
    INPUT_UTF8,  /* within a character */
    INPUT_PASTE, /* between the brackets of a paste */
    INPUT_OSC,   /* within ESC ] ..., an answer that is awaited */
    INPUT_OSC_ESC, /* ESC read within one: its end */
    INPUT_STATE_COUNT
};

/* A zeroed input is ready; all fields but the first two are private. */
struct key_decoder {
    bool awaits_background; /* the terminal was asked for its colour and has not answered */
    bool test_keys; /* ESC[99~ is EVENT_SYNC, ESC[97~ an early one, ESC[98~ a lone Esc */
    enum input_state state;
    uint32_t alt;   /* TK_ALT when the character being read has it */
    char part[64];  /* the sequence or character so far */
    size_t n_part;
    struct strbuf paste;
    size_t paste_end;  /* bytes of the closing bracket seen */
    bool paste_after_cr;
    VEC(struct term_event) ready; /* texts owned */
    size_t n_given;
    char *given_text; /* of the event given last */
};

enum { PASTE_MAX = 1 << 20 }; /* bytes of a paste that are kept */

void input_done(struct key_decoder *in);
/* One byte as it came. */
void input_byte(struct key_decoder *in, unsigned char byte);
/* A key that the terminal library has recognised already. */
void input_key(struct key_decoder *in, uint32_t key);
/* There is nothing more to read for now: what can be decided is (an ESC that
 * nothing follows is the key). */
void input_pause(struct key_decoder *in);
/* How long to wait for the rest of a sequence that is open, in ms; -1: none
 * is.  After that time call input_abandon(). */
int input_gap_ms(const struct key_decoder *in);
/* The rest did not come: drops the sequence, or ends the paste. */
void input_abandon(struct key_decoder *in);
/* True when input_next() has an event. */
bool input_ready(const struct key_decoder *in);
/* The next event; its text is valid until the next call.  False: none. */
bool input_next(struct key_decoder *in, struct term_event *ev);

#endif
