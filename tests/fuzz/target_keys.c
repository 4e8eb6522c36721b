/* target_keys.c: bytes from a terminal, and keys as text: every decoded key has a name that parses
 * back. */
#include "targets.h"
#include "term/keyname.h"
#include "term/term_input.h"

static void key_has_a_name(uint32_t key)
{
    struct strbuf name = {0};
    uint32_t back;

    key_name(&name, key);
    FUZZ_REQUIRE(key_parse(sb_text(&name), name.len, &back) == name.len && back == key);
    key_label(&name, key);
    sb_done(&name);
}

static void events_are_sound(struct key_decoder *in)
{
    struct term_event ev;

    while (input_next(in, &ev)) {
        if (ev.kind == EVENT_KEY)
            key_has_a_name(ev.key);
        else if (ev.kind == EVENT_MOUSE)
            FUZZ_REQUIRE(ev.mouse.row >= 0 && ev.mouse.col >= 0);
        else if (ev.kind == EVENT_PASTE)
            FUZZ_REQUIRE(ev.len <= PASTE_MAX && ev.text[ev.len] == '\0');
        else
            FUZZ_REQUIRE(ev.kind == EVENT_TEST_SYNC);
    }
}

/* Feeds the bytes with a pause every STRIDE bytes, and drops an unfinished sequence at the end. */
static void typed(const uint8_t *bytes, size_t size, size_t stride)
{
    struct key_decoder in = {.test_keys = true};

    for (size_t i = 0; i < size; i++) {
        input_byte(&in, bytes[i]);
        if (i % stride == stride - 1)
            input_pause(&in);
        events_are_sound(&in);
    }
    input_pause(&in);
    if (input_gap_ms(&in) >= 0)
        input_abandon(&in);
    events_are_sound(&in);
    FUZZ_REQUIRE(input_gap_ms(&in) == -1);
    input_done(&in);
}

static void macro(const char *text, size_t len)
{
    uint32_t key;
    size_t n;

    for (size_t at = 0; at < len && (n = key_parse(text + at, len - at, &key)) > 0; at += n) {
        FUZZ_REQUIRE(n <= len - at);
        key_has_a_name(key_normal(key));
        FUZZ_REQUIRE(key_normal(key_normal(key)) == key_normal(key));
    }
}

void target_keys(const uint8_t *bytes, size_t size)
{
    if (!size)
        return;
    typed(bytes, size, size);
    typed(bytes, size, bytes[0] % 7 + 1u);
    macro((const char *)bytes, size);
}
