/* output.h: the output table: every way a result leaves the program. */
#ifndef TFPROF_EXPORT_OUTPUT_H
#define TFPROF_EXPORT_OUTPUT_H

#include "activity/table.h"
#include "base/cancel.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "view/query.h"

/* Where bytes go.  write returns false with ERR when the bytes cannot be
 * taken; it may be called any number of times. */
struct sink {
    bool (*write)(struct sink *s, const void *bytes, size_t len, struct err *err);
    /* For who writes here and there and not from front to end, and reads it again; NULL where the
     * bytes become no file.  Behind its end read_at finds zeros. */
    bool (*write_at)(struct sink *s, const void *bytes, size_t len, uint64_t at, struct err *err);
    bool (*read_at)(struct sink *s, void *bytes, size_t len, uint64_t at, struct err *err);
};

/* So many files are made without being asked to (files=N of -output). */
enum { OUTPUT_MAX_FILES = 16 };

/* A parsed -output value. */
struct output_spec {
    const struct output *output;
    char *outfile; /* heap; NULL when none is needed */
    uint32_t max_files; /* that may be made of it, one for each step */
};

struct advice;       /* view/advise/advise.h */
struct check_report; /* export/check_report.h */
struct note_report;  /* export/note_report.h */
struct table_format; /* export/tables/table_writer.h */

enum outfile_rule {
    OUTFILE_NONE,     /* stdout, none: takes no file */
    OUTFILE_OPTIONAL, /* standard output without one */
    OUTFILE_NEEDED,
    OUTFILE_FOLDER, /* needed too, and made where it is missing */
    OUTFILE_RULE_COUNT
};

_Static_assert(VIEW_COUNT <= 8 * sizeof(unsigned), "a bit for each view in output.views");
/* The views whose results are rows: all but the advice. */
#define OUTPUT_TREE_VIEWS (1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_OP | 1u << VIEW_CODE)

struct output {
    const char *name; /* of -output */
    const char *help;
    enum outfile_rule outfile;
    unsigned views; /* bit per view_id it can be made of */
    bool compares; /* writes base and now of a comparison */
    bool one_figure; /* shows the only figure that is selected */
    bool shares_of_base; /* its readers take shares of the base: what does not differ counts too */
    bool counts_operations; /* by its format: no place for -flops_unit macs */
    /* True: one file per step of the profile, OUTFILE_STEP when there are
     * several, plain OUTFILE when there is one.  NULL: never. */
    bool (*per_step)(const struct result *r);
    /* Checks fields and options (usage errors that say what would work);
     * NULL: anything goes. */
    bool (*check)(const struct result *r, struct err *err);
    /* Writes R as it is at STEP (options.step, or the file's step); NULL:
     * nothing is written (none). */
    bool (*write)(struct result *r, int64_t step, struct sink *s, struct err *err);
    /* Instead, for what is made of all views: by QUERY with the options of R. */
    bool (*write_views)(struct result *r, struct query *query, struct cancel_mark cancel,
                        struct sink *s, struct err *err);
    /* Instead: a file OUTFILE/TABLE.NAME for each table of the profile. */
    bool (*write_table)(const struct table_rows *t, struct sink *s, struct err *err);
    /* Writes the advice of VIEW_ADVISE; needed when `views` has it. */
    bool (*write_advice)(const struct advice *a, struct sink *s, struct err *err);
    /* Writes which rules of a budget hold; NULL: it cannot. */
    bool (*write_check)(const struct check_report *c, struct sink *s, struct err *err);
    const struct table_format *table; /* writes tables; NULL: it cannot */
    /* Writes notes on rows; NULL: it cannot. */
    bool (*write_notes)(const struct note_report *n, struct sink *s, struct err *err);
};

/* Every output, in the order of the help: the record `output_NAME` stands beside its writer. */
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

/* The output of a name, or NULL. */
const struct output *output_find(const char *name);
/* Parses TYPE[:key=value]; usage error as semantics.md section 3 says. */
bool output_parse(const char *text, struct output_spec *spec, struct err *err);
void output_spec_done(struct output_spec *spec);

/* False with a usage error that says what would work when OUTPUT cannot be
 * made of this view or result. */
bool output_fits(const struct output *output, enum view_id view, const struct result *r,
                 struct err *err);

/* Sets in O what OUTPUT takes where nothing is said. */
void output_suit(const struct output *output, struct options *o);

/* All borrowed. */
struct output_request {
    const struct output_spec *spec;
    struct result *result;         /* exactly one of this */
    struct query *query;           /* of it: runs for each step that has a file of its own */
    const struct advice *advice;   /* and this */
    const struct check_report *check; /* and this */
    const struct note_report *notes;  /* and this */
    const struct table_rows *table;   /* and this */
    const struct profile *inputs;  /* whose files must not be overwritten; NULL: none */
    struct cancel_mark cancel;     /* ends the writing of files */
    struct sink *standard_out;     /* for a spec that names no file */
};

/* Makes what is asked for: files whole or not at all (sink_file.h), or on
 * standard output.  False with ERR: usage when it would be more files than the
 * spec allows, else as the sink says. */
bool output_make(const struct output_request *request, struct err *err);

/* Opens TABLE for REQUEST and makes what SPEC asks for.  False with ERR: usage when the output has
 * no tables; the profile lacks what the table is about; else as above. */
bool output_make_table(const struct output_spec *spec, const struct table *table,
                       const struct table_request *request, struct sink *standard_out,
                       struct err *err);

#endif
