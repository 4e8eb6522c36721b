/* json_lines.c: converts a JSON document on standard input to lines that can be sorted and
 * compared. Members are sorted, strings normalised, and every element of the top-level member
 * `traceEvents` is on a line of its own, because the order of trace events has no meaning. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum { MAX_DEPTH = 32 };

struct input {
    const char *at;
    struct strbuf *events; /* output for elements of traceEvents */
};

static void bad(const char *what, const struct input *in)
{
    fprintf(stderr, "json_lines: %s before '%.40s'\n", what, in->at);
    exit(1);
}

static char peek(struct input *in)
{
    while (*in->at && strchr(" \t\r\n", *in->at))
        in->at++;
    return *in->at;
}

static void expect(struct input *in, char c)
{
    if (peek(in) != c)
        bad("unexpected character", in);
    in->at++;
}

static uint32_t read_hex4(struct input *in)
{
    uint32_t code = 0;

    for (int i = 0; i < 4; i++, in->at++) {
        const char *digits = "0123456789abcdef";
        const char *digit = *in->at ? strchr(digits, tolower((unsigned char)*in->at)) : NULL;

        if (!digit)
            bad("bad \\u escape", in);
        code = code << 4 | (uint32_t)(digit - digits);
    }
    return code;
}

static void read_escape(struct input *in, struct strbuf *out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name = *in->at ? strchr(names, *in->at) : NULL;
    uint32_t code;

    if (name) {
        sb_addc(out, values[name - names]);
        in->at++;
        return;
    }
    if (*in->at++ != 'u')
        bad("unknown escape", in);
    code = read_hex4(in);
    if (code >= 0xd800 && code < 0xdc00 && in->at[0] == '\\' && in->at[1] == 'u') {
        in->at += 2;
        code = 0x10000 + ((code - 0xd800) << 10) + (read_hex4(in) - 0xdc00);
    }
    utf8_encode(out, code);
}

/* Normalises the escapes of a string. */
static void read_string(struct input *in, struct strbuf *out)
{
    struct strbuf text = {0};

    expect(in, '"');
    while (*in->at != '"') {
        if (!*in->at)
            bad("string without end", in);
        if (*in->at == '\\') {
            in->at++;
            read_escape(in, &text);
        } else {
            sb_addc(&text, *in->at++);
        }
    }
    in->at++;
    sb_addc(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];

        if (c < 0x20 || c == '"' || c == '\\')
            sb_addf(out, "\\x%02x", c);
        else
            sb_addc(out, (char)c);
    }
    sb_addc(out, '"');
    sb_done(&text);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_value(struct input *in, struct strbuf *out, int depth);

static void read_events(struct input *in, int depth)
{
    expect(in, '[');
    while (peek(in) != ']') {
        read_value(in, in->events, depth);
        sb_addc(in->events, '\n');
        if (peek(in) == ',')
            in->at++;
    }
    in->at++;
}

static void read_object(struct input *in, struct strbuf *out, int depth)
{
    VEC(char *) members = {0};

    expect(in, '{');
    while (peek(in) != '}') {
        struct strbuf member = {0};

        read_string(in, &member);
        expect(in, ':');
        if (depth == 0 && strcmp(member.data, "\"traceEvents\"") == 0) {
            read_events(in, depth + 1);
        } else {
            sb_addc(&member, ':');
            read_value(in, &member, depth + 1);
        }
        vec_push(&members, sb_take(&member));
        if (peek(in) == ',')
            in->at++;
    }
    in->at++;
    if (members.n)
        qsort(members.data, members.n, sizeof *members.data, by_text);
    sb_addc(out, '{');
    for (size_t i = 0; i < members.n; i++) {
        sb_addf(out, "%s%s", i ? "," : "", members.data[i]);
        free(members.data[i]);
    }
    sb_addc(out, '}');
    vec_done(&members);
}

static void read_array(struct input *in, struct strbuf *out, int depth)
{
    const char *between = "[";

    expect(in, '[');
    if (peek(in) == ']')
        sb_addc(out, '[');
    while (peek(in) != ']') {
        sb_adds(out, between);
        between = ",";
        read_value(in, out, depth + 1);
        if (peek(in) == ',')
            in->at++;
    }
    in->at++;
    sb_addc(out, ']');
}

/* Numbers are compared as text. */
static void read_plain(struct input *in, struct strbuf *out)
{
    size_t len = strspn(in->at, "0123456789+-.eEtrufalsn");

    if (!len)
        bad("no value", in);
    sb_add(out, in->at, len);
    in->at += len;
}

static void read_value(struct input *in, struct strbuf *out, int depth)
{
    if (depth > MAX_DEPTH)
        bad("nested too deep", in);
    switch (peek(in)) {
    case '{':
        read_object(in, out, depth);
        break;
    case '[':
        read_array(in, out, depth);
        break;
    case '"':
        read_string(in, out);
        break;
    default:
        read_plain(in, out);
    }
}

int main(void)
{
    struct strbuf text = {0}, document = {0}, events = {0};
    char block[65536];
    size_t n;
    struct input in;

    while ((n = fread(block, 1, sizeof block, stdin)) > 0)
        sb_add(&text, block, n);
    in = (struct input){sb_text(&text), &events};
    read_value(&in, &document, 0);
    if (peek(&in) || (size_t)(in.at - sb_text(&text)) != text.len)
        bad("something follows", &in);
    printf("%s%s\n", sb_text(&events), sb_text(&document));
    sb_done(&text);
    sb_done(&document);
    sb_done(&events);
    return 0;
}
