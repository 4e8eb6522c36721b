/* json_members.c: members of JSON objects. */
#include "export/sinks/json_members.h"

#include "export/sinks/escape.h"
#include "model/format.h"

void member_key(struct strbuf *sb, const char *key)
{
    const char last = sb->len ? sb->data[sb->len - 1] : '{';

    sb_adds(sb, last != '{' && last != '[' ? "," : "");
    sb_addf(sb, "\"%s\":", key);
}

void member_open(struct strbuf *sb, const char *key, char bracket)
{
    member_key(sb, key);
    sb_addc(sb, bracket);
}

void member_null(struct strbuf *sb, const char *key)
{
    member_key(sb, key);
    sb_adds(sb, "null");
}

void member_flag(struct strbuf *sb, const char *key, bool flag)
{
    member_key(sb, key);
    sb_adds(sb, flag ? "true" : "false");
}

void member_integer(struct strbuf *sb, const char *key, int64_t value)
{
    member_key(sb, key);
    sb_add_int(sb, value);
}

void member_number(struct strbuf *sb, const char *key, int64_t value)
{
    if (value == INT64_MIN)
        member_null(sb, key);
    else
        member_integer(sb, key, value);
}

void member_micros(struct strbuf *sb, const char *key, int64_t ps)
{
    member_key(sb, key);
    format_micros(sb, ps);
}

void member_string(struct strbuf *sb, const char *key, const char *text)
{
    if (text)
        member_text(sb, key, text_from(text));
    else
        member_null(sb, key);
}

void member_text(struct strbuf *sb, const char *key, struct text text)
{
    member_key(sb, key);
    json_add_string(sb, text.bytes, text.len);
}

void member_name(struct strbuf *sb, const char *key, const struct profile *p, strid id)
{
    member_text(sb, key, intern_string(&p->strings, id));
}

void member_known_name(struct strbuf *sb, const char *key, const struct profile *p, strid id)
{
    if (id == STRID_EMPTY)
        member_null(sb, key);
    else
        member_name(sb, key, p, id);
}
