/* output.h: the output table: all formats in which results are written. */
#pragma once

#include "activity/table.h"
#include "base/cancel.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "export/sinks/sink.h"
#include "view/query.h"

/* More files need files=N of -output. */
enum { OUTPUT_MAX_FILES = 16 };

/* A parsed -output value. */
struct output_spec {
    const struct output *output;
    char *outfile; /* heap; NULL: none */
    uint32_t max_files; /* limit for files of several steps */
};

struct advice;       /* view/advise/advise.h */
struct check_report; /* export/check_report.h */
struct note_report;  /* export/note_report.h */
struct table_format; /* export/tables/table_writer.h */

enum outfile_rule {
    OUTFILE_NONE,     /* "stdout", "none": never a file */
    OUTFILE_OPTIONAL, /* a file, or standard output */
    OUTFILE_NEEDED,
    OUTFILE_FOLDER, /* a folder, created if it is missing */
    OUTFILE_RULE_COUNT
};

_Static_assert(VIEW_COUNT <= 8 * sizeof(unsigned), "a bit for each view in output.views");
/* The views whose results are rows: all except advice. */
#define OUTPUT_TREE_VIEWS (1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_OP | 1u << VIEW_CODE)

struct output {
    const char *name; /* value of -output */
    const char *help;
    enum outfile_rule outfile;
    unsigned views; /* bit per view_id that it supports */
    bool compares; /* writes both sides of a comparison */
    bool one_figure; /* draws a single selected figure */
    bool shares_of_base; /* readers compute shares of the baseline, so rows without a difference
                          * are needed */
    bool counts_operations; /* the format has FLOPs: -flops_unit macs does not apply */
    /* True: one file per step of the profile: OUTFILE_STEP, or plain OUTFILE for a single step.
     * NULL: never. */
    bool (*per_step)(const struct result *r);
    /* Validates fields and options (usage errors of output NAME with a suggestion); NULL: always
     * valid. */
    bool (*check)(const char *name, const struct result *r, struct err *err);
    /* Writes R; NULL: nothing. */
    bool (*write)(struct result *r, struct sink *s, struct err *err);
    /* Writes all views; QUERY runs them with the options of R. NULL: not supported. */
    bool (*write_views)(struct result *r, struct query *query, struct cancel_mark cancel,
                        struct sink *s, struct err *err);
    /* Writes one table of the profile to a file OUTFILE/TABLE.NAME; called for each. NULL: not
     * supported. */
    bool (*write_table)(const struct table_rows *t, struct sink *s, struct err *err);
    /* Writes the advice of VIEW_ADVISE; required when `views` has it. */
    bool (*write_advice)(const struct advice *a, struct sink *s, struct err *err);
    /* Writes the report of a check; NULL: unsupported. */
    bool (*write_check)(const struct check_report *c, struct sink *s, struct err *err);
    const struct table_format *table; /* writes tables; NULL: unsupported */
    /* Writes notes on rows; NULL: unsupported. */
    bool (*write_notes)(const struct note_report *n, struct sink *s, struct err *err);
};

/* All outputs in the order of the help. The writer's source file defines the record output_NAME. */
#define OUTPUT_LIST(X) \
    X(stdout)          \
    X(file)            \
    X(timeline)        \
    X(pprof)           \
    X(proto)           \
    X(profile)         \
    X(oplog)           \
    X(json)            \
    X(csv)             \
    X(tsv)             \
    X(folded)          \
    X(dot)             \
    X(html)            \
    X(svg)             \
    X(junit)           \
    X(github)          \
    X(markdown)        \
    X(sqlite)          \
    X(parquet)         \
    X(none)

#define OUTPUT_RECORD(name) extern const struct output output_##name;
OUTPUT_LIST(OUTPUT_RECORD)
#undef OUTPUT_RECORD

extern const struct output *const outputs[]; /* NULL-terminated */

static inline bool output_needs_outfile(const struct output *output)
{
    return output->outfile == OUTFILE_NEEDED || output->outfile == OUTFILE_FOLDER;
}

/* The output named NAME, or NULL. */
const struct output *output_find(const char *name);
/* Parses TYPE[:key=value]; usage errors as in semantics.md section 3. */
bool output_parse(const char *text, struct output_spec *spec, struct err *err);
void output_spec_done(struct output_spec *spec);
/* False with ERR (usage) if O sets -budget and the output of SPEC does not support it. */
bool output_supports_budget(const struct output_spec *spec, const struct options *o, struct err *err);

/* False with ERR (usage, with a suggestion) when OUTPUT does not support this view or result. */
bool output_fits(const struct output *output, enum view_id view, const struct result *r,
                 struct err *err);

/* Lowers -min_delta in O to 0 if it is the default and OUTPUT needs rows without a difference. */
void output_adjust_options(const struct output *output, struct options *o);

/* All borrowed. */
struct output_request {
    const struct output_spec *spec;
    struct result *result;         /* exactly one of result, advice, check, notes, table is set */
    struct query *query;           /* query of the result; runs each step that has its own file */
    const struct advice *advice;   /* see result */
    const struct check_report *check; /* see result */
    const struct note_report *notes;  /* see result */
    const struct table_rows *table;   /* see result */
    const struct profile *inputs;  /* files that must not be overwritten; NULL: none */
    struct cancel_mark cancel;     /* cancels writing */
    struct sink *standard_out;     /* used when spec names no file */
};

/* Writes the output: files atomically (sink_file.h), or standard output. False with ERR: usage if
 * there are too many files, else the error of the sink. */
bool output_make(const struct output_request *request, struct err *err);

/* Opens TABLE for REQUEST and writes it to the output of SPEC. False with ERR: usage if the output
 * does not support tables; the profile lacks the data; or as output_make(). */
bool output_make_table(const struct output_spec *spec, const struct table *table,
                       const struct table_request *request, struct sink *standard_out,
                       struct err *err);
