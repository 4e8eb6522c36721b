/* exec_out.h: writes executions of a node as ExecProfile messages. */
#ifndef TFPROF_EXPORT_EXEC_OUT_H
#define TFPROF_EXPORT_EXEC_OUT_H

#include "base/strbuf.h"
#include "model/profile.h"

/* Appends E as an entry of ProfileNode.execs (map<int64, ExecProfile>); LISTS is scratch memory. */
void exec_write(struct strbuf *sb, const struct profile *p, const struct exec *e,
                struct exec_lists *lists);

#endif
