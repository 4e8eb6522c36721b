/* json_members.h: members of JSON objects, with the comma that they need. */
#pragma once

#include "base/strbuf.h"
#include "model/profile.h"

/* Appends "KEY": of the next member. */
void member_key(struct strbuf *sb, const char *key);
/* Appends the member KEY up to BRACKET, which opens its object or array. */
void member_open(struct strbuf *sb, const char *key, char bracket);
void member_null(struct strbuf *sb, const char *key);
void member_flag(struct strbuf *sb, const char *key, bool flag);
void member_integer(struct strbuf *sb, const char *key, int64_t value);
/* The same; null for INT64_MIN. */
void member_number(struct strbuf *sb, const char *key, int64_t value);
/* In microseconds. */
void member_micros(struct strbuf *sb, const char *key, int64_t ps);
/* In quotes; null for NULL. */
void member_string(struct strbuf *sb, const char *key, const char *text);
void member_text(struct strbuf *sb, const char *key, struct text text);
/* A string of P; member_known_name(): null for STRID_EMPTY. */
void member_name(struct strbuf *sb, const char *key, const struct profile *p, strid id);
void member_known_name(struct strbuf *sb, const char *key, const struct profile *p, strid id);
