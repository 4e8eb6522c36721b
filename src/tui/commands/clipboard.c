/* clipboard.c: copies a text to the clipboard. */
#include "tui/commands/clipboard.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "session/state.h"
#include "tui/commands/spawn.h"

static void add_base64(struct strbuf *sb, const char *text, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)text;

    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        unsigned bits = (unsigned)p[i] << 16 | (n > 1 ? (unsigned)p[i + 1] << 8 : 0) |
                        (n > 2 ? (unsigned)p[i + 2] : 0);

        for (size_t j = 0; j < 4; j++)
            sb_addc(sb, j <= n ? digits[bits >> (18 - 6 * j) & 63] : '=');
    }
}

/* The text may be pasted into a shell, where a line end would run it and ESC [201~ would end a
 * bracketed paste. It is reduced to one line of printable characters. */
static void add_escaped(struct strbuf *sb, const char *text, size_t len)
{
    while (len && text[len - 1] == '\n')
        len--;
    while (len) {
        size_t n = 0;

        while (n < len && text[n] != '\n' && text[n] != '\t')
            n++;
        utf8_escape(sb, text, n);
        if (n < len) {
            sb_addc(sb, ' ');
            n++;
        }
        text += n;
        len -= n;
    }
}

static bool send_to_terminal(struct term *t, const char *text, size_t len)
{
    struct strbuf sb = {0};

    if (len > CLIPBOARD_OSC52_MAX)
        return false;
    sb_adds(&sb, "\033]52;c;");
    add_base64(&sb, text, len);
    sb_adds(&sb, "\a");
    t->ops->raw_write(t, sb_text(&sb), sb.len);
    sb_done(&sb);
    return true;
}

/* By default tmux ignores OSC 52 from programs, but its own command passes text on. */
static bool send_to_tmux(const char *text, size_t len)
{
    static const char *const argv[] = {"tmux", "load-buffer", "-w", "-", NULL};
    const char *inside = getenv("TMUX");
    struct err err = {0};
    int status = -1;
    bool ok = inside && *inside && spawn_wait(argv, text, len, SPAWN_SILENT, &status, &err);

    err_done(&err);
    return ok && status == 0;
}

bool clipboard_send(struct term *t, bool programs, const char *state_dir, const char *text,
                    size_t len, struct strbuf *message)
{
    const char *first = NULL;
    struct notes notes = {0};
    struct strbuf line = {0};
    bool kept;

    add_escaped(&line, text, len);
    if (programs && send_to_tmux(sb_text(&line), line.len))
        first = "the tmux buffer";
    else if (send_to_terminal(t, sb_text(&line), line.len))
        first = "the terminal";
    kept = state_save_raw(state_dir, "last-copy", sb_text(&line), line.len, &notes);
    sb_done(&line);
    if (first)
        sb_addf(message, "sent to %s", first);
    if (kept)
        sb_addf(message, "%s %s/last-copy", first ? " and to" : "too long for the terminal: sent to",
                state_dir);
    if (!first && !kept)
        sb_addf(message, "not sent: %s", notes.n ? notes.data[0].text : "too long for the terminal");
    notes_done(&notes);
    return first || kept;
}
