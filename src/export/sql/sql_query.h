/* sql_query.h: runs an SQL query and writes its rows as text, csv or json. */
#pragma once

#include "export/output.h"

/* All borrowed. */
struct sql_request {
    const struct profile *profile;
    struct query *query;           /* query of the profile, for rows of views */
    const struct options *options; /* options of the views */
    const char *statement;         /* or ".schema" */
    const struct output_spec *spec;
    struct cancel_mark cancel;
    struct sink *standard_out;     /* used when spec names no file */
};

/* Runs a read-only statement and writes its rows; files are written atomically. False with ERR:
 * usage if the statement is invalid or would write, else the error of a view or of the sink. */
bool sql_query_run(const struct sql_request *request, struct err *err);
