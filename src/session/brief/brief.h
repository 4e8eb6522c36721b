/* brief.h: the command `brief`: inputs, verdict, findings and heaviest rows on one page, limited in
 * bytes. Text and JSON are printed from one structure. */
#pragma once

#include "base/strbuf.h"
#include "session/session.h"

enum { BRIEF_TEXT_BYTES = 4000, BRIEF_JSON_BYTES = 8000 };

/* Appends the brief of S, as JSON or text, of at most BUDGET bytes (0: the default). False with
 * ERR: even the shortest brief exceeds BUDGET (usage), or a query failed. */
bool brief_make(struct strbuf *sb, struct session *s, const struct options *o, bool is_json,
                int64_t budget, struct cancel_mark cancel, struct err *err);
