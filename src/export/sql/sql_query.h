/* sql_query.h: the answer to a query in SQL, as text, csv or json. */
#ifndef TFPROF_EXPORT_SQL_QUERY_H
#define TFPROF_EXPORT_SQL_QUERY_H

#include "export/output.h"

/* All borrowed. */
struct sql_request {
    const struct profile *profile;
    struct query *query;           /* of the profile, for rows of views */
    const struct options *options; /* of the views */
    const char *statement;         /* or ".schema" */
    const struct output_spec *spec;
    struct cancel_mark cancel;
    struct sink *standard_out;     /* for a spec that names no file */
};

/* Writes the rows of a statement that reads; files whole or not at all.  False with ERR: usage
 * where the statement is wrong or would write, else as views and sinks say. */
bool sql_query_run(const struct sql_request *request, struct err *err);

#endif
