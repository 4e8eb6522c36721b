/* term_input.c: decodes terminal input: keys, mouse, paste. */
#include "term/term_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "term/keyname.h"
#include "term/terminfo.h"

enum {
    ESC_BYTE = 0x1b,
    SEQUENCE_GAP_MS = 500,
    PASTE_GAP_MS = 2000,
    ANSWER_GAP_MS = 100, /* after an ESC while a reply, which begins with ESC, is expected */
    MAX_PARAMS = 8,
};

static const char paste_end[] = "\033[201~";

/* Final letters of ESC [ and ESC O sequences. */
static const struct {
    char final;
    uint32_t key;
} letter_keys[] = {
    {'A', TK_UP}, {'B', TK_DOWN}, {'C', TK_RIGHT}, {'D', TK_LEFT},  {'H', TK_HOME},
    {'F', TK_END}, {'P', TK_F1},  {'Q', TK_F2},    {'R', TK_F3},    {'S', TK_F4},
    {'Z', TK_BACKTAB}, {'M', TK_ENTER},
};

/* Numbers of ESC [ n ~ sequences (VT220, rxvt and the Linux console). */
static const uint32_t tilde_keys[] = {
    [1] = TK_HOME,  [2] = TK_INSERT,  [3] = TK_DELETE, [4] = TK_END,   [5] = TK_PAGE_UP,
    [6] = TK_PAGE_DOWN, [7] = TK_HOME, [8] = TK_END,   [11] = TK_F1,   [12] = TK_F2,
    [13] = TK_F3,   [14] = TK_F4,     [15] = TK_F5,    [17] = TK_F6,   [18] = TK_F7,
    [19] = TK_F8,   [20] = TK_F9,     [21] = TK_F10,   [23] = TK_F11,  [24] = TK_F12,
};

enum { TILDE_PASTE = 200, TILDE_SYNC = 99, TILDE_EARLY_SYNC = 97, TILDE_LONE_ESC = 98, TILDE_OTHER = 27 };

void input_done(struct key_decoder *in)
{
    for (size_t i = in->n_given; i < in->ready.n; i++)
        free((char *)in->ready.data[i].text);
    vec_done(&in->ready);
    free(in->given_text);
    sb_done(&in->paste);
    memset(in, 0, sizeof *in);
}

static void emit_event(struct key_decoder *in, struct term_event ev)
{
    vec_push(&in->ready, ev);
}

static void emit_key(struct key_decoder *in, uint32_t key)
{
    emit_event(in, (struct term_event){.kind = EVENT_KEY, .key = key_normal(key)});
}

static void go(struct key_decoder *in, enum input_state state)
{
    in->state = state;
    in->n_part = 0;
}

/* ---- sequences */

/* Reads the numeric parameters of a sequence; omitted ones are 0. */
static void read_params(const char *text, size_t len, int params[MAX_PARAMS])
{
    int n = 1;

    memset(params, 0, MAX_PARAMS * sizeof *params);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ';' && n < MAX_PARAMS)
            n++;
        else if (text[i] >= '0' && text[i] <= '9' && params[n - 1] < 100000)
            params[n - 1] = params[n - 1] * 10 + (text[i] - '0');
    }
}

/* Decodes xterm's modifier parameter: 1 + shift 1, alt 2, control 4. */
static uint32_t modifier_bits(int param)
{
    int bits = param > 0 ? param - 1 : 0;

    return (bits & 1 ? (uint32_t)TK_SHIFT : 0) | (bits & 2 ? (uint32_t)TK_ALT : 0) |
           (bits & 4 ? (uint32_t)TK_CTRL : 0);
}

static void emit_letter_key(struct key_decoder *in, char final, uint32_t bits)
{
    for (size_t i = 0; i < sizeof letter_keys / sizeof *letter_keys; i++)
        if (letter_keys[i].final == final)
            emit_key(in, letter_keys[i].key | bits);
}

/* Emits a mouse event. BUTTON is the code sent by the terminal: the low bits are the button, 32 is
 * motion, 64 the wheel. */
static void emit_mouse(struct key_decoder *in, int button, int col, int row, bool release)
{
    struct term_event ev = {.kind = EVENT_MOUSE};

    if (button & 32 || button >= 72 || col < 1 || row < 1)
        return;
    ev.mouse.row = row - 1;
    ev.mouse.col = col - 1;
    if (button & 64) {
        const bool sideways = button & (2 | 4);

        ev.mouse.kind = sideways ? (button & 1 ? MOUSE_WHEEL_RIGHT : MOUSE_WHEEL_LEFT)
                                 : (button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP);
    } else {
        ev.mouse.kind = release || (button & 3) == 3 ? MOUSE_RELEASE : MOUSE_PRESS;
        ev.mouse.button = (button & 3) == 3 ? 0 : (button & 3) + 1;
    }
    emit_event(in, ev);
}

/* Emits a key that is encoded by its character code: ESC [ code ; modifiers u and variants. */
static void emit_coded_key(struct key_decoder *in, int code, int modifiers)
{
    static const struct {
        int code;
        uint32_t key;
    } named[] = {{9, TK_TAB}, {13, TK_ENTER}, {27, TK_ESC}, {127, TK_BACKSPACE}, {8, TK_BACKSPACE}};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].code == code) {
            emit_key(in, named[i].key | modifier_bits(modifiers));
            return;
        }
    }
    if (code >= ' ' && code < TK_BASE)
        emit_key(in, (uint32_t)code | modifier_bits(modifiers));
}

static void emit_tilde_key(struct key_decoder *in, const int params[MAX_PARAMS])
{
    const size_t n = sizeof tilde_keys / sizeof *tilde_keys;
    int number = params[0];

    if (number == TILDE_PASTE) {
        sb_clear(&in->paste);
        in->paste_end = 0;
        in->paste_after_cr = false;
        in->state = INPUT_PASTE;
    } else if (in->test_keys && (number == TILDE_SYNC || number == TILDE_EARLY_SYNC)) {
        emit_event(in,
                   (struct term_event){.kind = EVENT_TEST_SYNC, .early = number == TILDE_EARLY_SYNC});
    } else if (in->test_keys && number == TILDE_LONE_ESC) {
        emit_key(in, TK_ESC);
    } else if (number == TILDE_OTHER) {
        emit_coded_key(in, params[2], params[1]);
    } else if (number > 0 && (size_t)number < n && tilde_keys[number]) {
        emit_key(in, tilde_keys[number] | modifier_bits(params[1]));
    }
}

/* Handles the complete sequence in `part`, which ends in FINAL. */
static void end_csi(struct key_decoder *in, char final)
{
    const char *text = in->part;
    size_t len = in->n_part;
    int params[MAX_PARAMS];
    uint32_t alt = in->alt;

    go(in, INPUT_GROUND);
    in->alt = 0;
    if (len && text[0] == '[') {
        if (final >= 'A' && final <= 'E') /* F1 to F5 on the Linux console */
            emit_key(in, (uint32_t)(TK_F1 + (final - 'A')));
        return;
    }
    read_params(text, len, params);
    if (len && text[0] == '<') {
        if (final == 'M' || final == 'm')
            emit_mouse(in, params[0], params[1], params[2], final == 'm');
    } else if (final == 'M' && !len) {
        go(in, INPUT_X10);
    } else if (final == '~') {
        emit_tilde_key(in, params);
    } else if (final == 'u') {
        emit_coded_key(in, params[0], params[1]);
    } else if (!len || (text[0] >= '0' && text[0] <= '9')) {
        emit_letter_key(in, final, modifier_bits(params[1]) | alt);
    }
}

static void csi_byte(struct key_decoder *in, unsigned char byte)
{
    if (byte == ESC_BYTE) {
        go(in, INPUT_ESC); /* incomplete sequence: a new one begins */
    } else if (byte < 0x20 || byte > 0x7e) {
        go(in, INPUT_GROUND);
    } else if (byte >= 0x40 && !(byte == '[' && !in->n_part)) {
        end_csi(in, (char)byte);
    } else if (in->n_part < sizeof in->part) {
        in->part[in->n_part++] = (char)byte;
    }
}

static void ss3_byte(struct key_decoder *in, unsigned char byte)
{
    go(in, INPUT_GROUND);
    if (byte >= 'j' && byte <= 'y') /* the keypad: * + , - . / and digits */
        emit_key(in, (uint32_t)byte - 0x40u);
    else
        emit_letter_key(in, (char)byte, 0);
}

static void x10_byte(struct key_decoder *in, unsigned char byte)
{
    const unsigned char *p = (const unsigned char *)in->part;

    in->part[in->n_part++] = (char)byte;
    if (in->n_part == 3) {
        go(in, INPUT_GROUND);
        emit_mouse(in, p[0] - 32, p[1] - 32, p[2] - 32, false);
    }
}

/* ---- characters */

static void utf8_byte(struct key_decoder *in, unsigned char byte)
{
    unsigned char first = in->n_part ? (unsigned char)in->part[0] : byte;
    size_t need = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    uint32_t code;

    if (in->n_part && (byte & 0xc0) != 0x80) {
        go(in, INPUT_GROUND);
        input_byte(in, byte);
        return;
    }
    in->state = INPUT_UTF8;
    in->part[in->n_part++] = (char)byte;
    if (in->n_part < need)
        return;
    need = utf8_decode(in->part, in->n_part, &code);
    go(in, INPUT_GROUND);
    if (need && code >= 0xa0)
        emit_key(in, code | in->alt);
    in->alt = 0;
}

static void ground_byte(struct key_decoder *in, unsigned char byte)
{
    uint32_t alt = in->alt;

    if (byte == ESC_BYTE) {
        in->alt = 0;
        go(in, INPUT_ESC);
        return;
    }
    if (byte >= 0x80) {
        utf8_byte(in, byte);
        return;
    }
    in->alt = 0;
    if (byte == 0x7f)
        emit_key(in, TK_BACKSPACE | alt);
    else if (byte == 0)
        emit_key(in, TK_CTRL | ' ' | alt);
    else if (byte < 27)
        emit_key(in, TK_CTRL | (byte + 0x60u) | alt);
    else if (byte < ' ')
        emit_key(in, TK_CTRL | (byte + 0x40u) | alt);
    else
        emit_key(in, byte | alt);
}

static void esc_byte(struct key_decoder *in, unsigned char byte)
{
    if (byte == ESC_BYTE) {
        emit_key(in, TK_ESC);
    } else if (byte == '[') {
        go(in, INPUT_CSI);
    } else if (byte == 'O') {
        go(in, INPUT_SS3);
    } else if (byte == ']' && in->awaits_background) {
        go(in, INPUT_OSC);
    } else {
        go(in, INPUT_GROUND);
        in->alt = TK_ALT;
        ground_byte(in, byte);
    }
}

/* ---- paste */

static void paste_add(struct key_decoder *in, char byte)
{
    bool after_cr = in->paste_after_cr;

    in->paste_after_cr = byte == '\r';
    if ((byte == '\n' && after_cr) || in->paste.len >= PASTE_MAX)
        return;
    sb_addc(&in->paste, (char)(byte == '\r' ? '\n' : byte));
}

static void end_paste(struct key_decoder *in)
{
    struct term_event ev = {.kind = EVENT_PASTE, .len = in->paste.len};

    ev.text = sb_take(&in->paste);
    go(in, INPUT_GROUND);
    emit_event(in, ev);
}

static void paste_byte(struct key_decoder *in, unsigned char byte)
{
    if ((char)byte == paste_end[in->paste_end]) {
        if (!paste_end[++in->paste_end])
            end_paste(in);
        return;
    }
    /* Not the end marker. Its only ESC is the first byte, so no earlier match can begin inside. */
    for (size_t i = 0; i < in->paste_end; i++)
        paste_add(in, paste_end[i]);
    in->paste_end = byte == ESC_BYTE;
    if (!in->paste_end)
        paste_add(in, (char)byte);
}

/* ---- reply with the background colour: ESC ] 11 ; rgb:1e1e/1e1e/1e1e, ended by BEL or ESC \ */

static const char answer_begin[] = "11;";

static void end_answer(struct key_decoder *in)
{
    struct term_event ev = {.kind = EVENT_BACKGROUND};
    const size_t skip = strlen(answer_begin);
    const bool ok = background_parse(in->part + skip, in->n_part - skip, &ev.is_light);

    go(in, INPUT_GROUND);
    in->awaits_background = false;
    if (ok)
        emit_event(in, ev);
}

/* Emits the bytes as Alt-] and the keys after it. */
static void replay_as_keys(struct key_decoder *in)
{
    char text[sizeof in->part];
    const size_t n = in->n_part;

    memcpy(text, in->part, n);
    go(in, INPUT_GROUND);
    emit_key(in, ']' | TK_ALT);
    for (size_t i = 0; i < n; i++)
        ground_byte(in, (unsigned char)text[i]);
}

static void osc_byte(struct key_decoder *in, unsigned char byte)
{
    const size_t n = in->n_part;

    if (byte == '\a' && n >= strlen(answer_begin)) {
        end_answer(in);
    } else if (byte == ESC_BYTE) {
        in->state = INPUT_OSC_ESC;
    } else if (n < sizeof in->part) {
        in->part[in->n_part++] = (char)byte;
        if (n < strlen(answer_begin) && byte != (unsigned char)answer_begin[n])
            replay_as_keys(in);
    }
}

static void osc_esc_byte(struct key_decoder *in, unsigned char byte)
{
    if (byte == '\\' && in->n_part >= strlen(answer_begin)) {
        end_answer(in);
        return;
    }
    if (in->n_part < strlen(answer_begin))
        replay_as_keys(in);
    go(in, INPUT_ESC);
    esc_byte(in, byte);
}

/* ---- state machine */

void input_byte(struct key_decoder *in, unsigned char byte)
{
    static void (*const steps[])(struct key_decoder *in, unsigned char byte) = {
        [INPUT_GROUND] = ground_byte, [INPUT_ESC] = esc_byte, [INPUT_CSI] = csi_byte,
        [INPUT_SS3] = ss3_byte,       [INPUT_X10] = x10_byte, [INPUT_UTF8] = utf8_byte,
        [INPUT_PASTE] = paste_byte,   [INPUT_OSC] = osc_byte, [INPUT_OSC_ESC] = osc_esc_byte,
    };
    _Static_assert(sizeof steps / sizeof *steps == INPUT_STATE_COUNT, "a step for each state");

    steps[in->state](in, byte);
}

void input_key(struct key_decoder *in, uint32_t key)
{
    uint32_t alt = in->state == INPUT_ESC ? TK_ALT : 0;

    if (in->state == INPUT_PASTE)
        return; /* ignore key sequences inside a paste */
    go(in, INPUT_GROUND);
    in->alt = 0;
    emit_key(in, key | alt);
}

static void end_esc(struct key_decoder *in)
{
    go(in, INPUT_GROUND);
    emit_key(in, TK_ESC);
}

void input_pause(struct key_decoder *in)
{
    if (in->state == INPUT_ESC && !in->awaits_background)
        end_esc(in);
}

int input_gap_ms(const struct key_decoder *in)
{
    if (in->state == INPUT_GROUND)
        return -1;
    if (in->state == INPUT_ESC)
        return ANSWER_GAP_MS;
    if (in->state == INPUT_PASTE ||
        (in->state >= INPUT_OSC && in->n_part >= strlen(answer_begin)))
        return PASTE_GAP_MS;
    return SEQUENCE_GAP_MS;
}

void input_abandon(struct key_decoder *in)
{
    if (in->state == INPUT_PASTE)
        end_paste(in);
    else if (in->state == INPUT_ESC)
        end_esc(in);
    else if (in->state >= INPUT_OSC && in->n_part < strlen(answer_begin))
        replay_as_keys(in);
    go(in, INPUT_GROUND);
    in->alt = 0;
}

bool input_ready(const struct key_decoder *in)
{
    return in->n_given < in->ready.n;
}

bool input_next(struct key_decoder *in, struct term_event *ev)
{
    free(in->given_text);
    in->given_text = NULL;
    if (!input_ready(in)) {
        in->n_given = 0;
        in->ready.n = 0;
        return false;
    }
    *ev = in->ready.data[in->n_given++];
    in->given_text = (char *)ev->text;
    return true;
}
