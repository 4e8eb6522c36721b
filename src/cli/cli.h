/* cli.h: data that main() passes to commands, and functions that implement commands. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/system/sandbox.h"
#include "export/output.h"
#include "model/profile.h"
#include "session/command_line.h"
#include "session/session.h"

/* The full screen, as the command line uses it. */
struct screen {
    /* Shows CL's profile on the terminal and returns the exit status.  ERR is set when an error
     * could not be shown on the screen; *SIGNAL_NUMBER is the signal that has to end the process,
     * or 0. */
    int (*run)(struct command_line *cl, int *signal_number, struct err *err);
    /* Appends a line for each key bound to an action whose name or help contains WORD; with NULL,
     * all keys below their headings.  False when no key matches. */
    bool (*list_keys)(struct strbuf *sb, const char *word);
};

struct cli_context {
    const struct screen *screen; /* NULL: built without the screen */
    struct sandbox sandbox;
};

/* True when TFPROF_SECURE is set to a value other than 0: the screen then runs no other program. */
bool confine_is_secure(void);

/* Enters the sandbox that fits CL, for the life of the process, and returns what the kernel
 * supports. One-shot commands may write below the folder of their output only.  The line prompt may
 * write anywhere its lines name, but runs no program.  The screen may run an editor and a shell and
 * only gives up new privileges.  With cl->secure, screen and prompt may write below the state
 * folder and the folder of the output only (the current folder without an output), and run no
 * program. */
struct sandbox confine(const struct command_line *cl);

/* SYNONYMS are separated by ", "; empty when there are none. */
struct glossary_term {
    const char *term, *synonyms, *meaning;
};

/* In alphabetical order; the last entry has no term. */
extern const struct glossary_term glossary[];

/* Appends the help about TOPIC: a command, option, field, output, preset, glossary term or "keys"
 * of SCREEN (NULL: no screen), or any word in their help texts.  NULL prints the overview.  False
 * with ERR (usage) when nothing matches. */
bool help_text(struct strbuf *sb, const char *topic, const struct screen *screen,
               struct err *err);
/* Appends all entries as JSON: kind, name, values, default and help of each. */
void help_json(struct strbuf *sb);
/* Appends the page of at most 60 lines. */
void help_overview(struct strbuf *sb);
/* The text for scripts and coding agents: at most 2,048 bytes of ASCII. */
extern const char help_agent_text[];
/* The same with a header, in its installed form. */
void help_skill(struct strbuf *sb);

/* Until interrupt_end(), the first ^C (SIGINT) cancels the work that holds the returned mark; the
 * second one ends the program.  An ignored SIGINT stays ignored. */
struct cancel_mark interrupt_begin(void);
/* Cancels the work that holds the returned mark after SECONDS; 0: never. */
struct cancel_mark time_limit_begin(int64_t seconds);
/* True after that time has passed; nothing is printed from then on. */
bool time_limit_passed(void);
/* Restores the default: ^C ends the program. */
void interrupt_end(void);

/* Prints TEXT, and frees it; false with ERR (input) when standard output cannot be written. */
bool print_text(struct strbuf *text, struct err *err);
/* Prints the help about TOPIC ; ERR (usage) when there is none. */
bool print_help(const char *topic, const struct screen *screen, struct err *err);
/* Prints the release and the state ON of the sandbox. */
bool print_version(const struct sandbox *on, struct err *err);
/* As JSON; for help with all entries. */
bool print_version_json(const struct sandbox *on, struct err *err);
bool print_help_json(struct err *err);

/* Private; valid from progress_start() to progress_stop(). */
struct progress_line;

/* Starts to watch PROGRESS (borrowed).  The line appears on standard error after half a second.
 * Returns NULL when standard error is no terminal, or with QUIET. */
struct progress_line *progress_start(const struct load_progress *progress, bool quiet);
/* Erases the line; LINE may be NULL. */
void progress_stop(struct progress_line *line);

/* Lines typed at a terminal, with history and completion.  The only module that uses
 * libedit. */
struct prompt;

/* P provides names for completion.  The history is shared with the screen and saved in the state
 * folder, unless NO_STATE; problems with it become NOTES. */
struct prompt *prompt_new(const struct profile *p, bool no_state, struct notes *notes);
/* The next line without its newline, valid until the next call; NULL at the end of input.  From
 * here on ^C cancels the work that holds *CANCEL; at the prompt it discards the typed line. */
const char *prompt_line(struct prompt *pr, struct cancel_mark *cancel, struct notes *notes);
void prompt_free(struct prompt *pr);

/* Runs the command of CL.  False with ERR, which is not printed yet. */
typedef bool command_runner(struct command_line *cl, const struct cli_context *in, struct err *err);

/* Checks the rules in CL's first file against the profile of the others; with -init writes rules.
 * False with ERR: input when a rule is violated, usage when a rule is malformed. */
command_runner run_check;

/* Writes one digest part to standard output: of CL's files as one profile, or of each file listed
 * in -files_from separately.  Unreadable files are reported and skipped; the result is then false
 * with ERR, after all others are written. */
command_runner run_digest;
/* Merges the parts that CL names into one, with the same rules. */
command_runner run_merge;

/* Prints the notes on the profile that CL names, with the totals of the comparison. */
command_runner run_notes;

/* Lists the runs below the folder that CL names.  False with ERR: input when there are none, usage
 * when it names no folder. */
command_runner run_runs;

/* Opens CL's files and runs the lines of standard input; false with ERR when a line failed. */
command_runner run_shell;

/* Prints the same list to help the user choose a run, if CL names such a folder; else nothing. */
void list_runs_to_choose(const struct command_line *cl);

/* Loads with a progress line; NULL with ERR.  Prints the notes of loading unless cl->quiet. */
struct session *open_session(struct command_line *cl, struct err *err);

/* Runs the command of CL, a view, report, brief or SQL query, on S (NULL: for the schema of SQL), and
 * writes its result to the output of its options, until cl->cancel.  Notes are printed, and added to
 * JSON, unless cl->quiet.  False with ERR, which is not printed yet. */
bool run_on_session(struct session *s, const struct command_line *cl, struct err *err);

/* Makes the first of the two files of CL the baseline.  False with ERR (usage): CL names others. */
bool set_baseline(struct command_line *cl, struct err *err);

/* A buffered sink; fields are private. */
struct stdout_sink {
    struct sink sink; /* must be first */
    struct strbuf waiting;
    uint64_t n_written_bytes;
};

void stdout_sink_init(struct stdout_sink *s);
/* Adds the lines of report_notes() to the JSON object that was written, as its last member "notes";
 * not if there are none, or if the answer would exceed BUDGET_BYTES (0: no limit). */
void stdout_sink_add_notes(struct stdout_sink *s, const struct notes *notes, unsigned without,
                           int64_t budget_bytes);
/* Writes the buffer if OK, and frees it.  False if not OK, or with ERR (input) when it cannot be
 * written.  When the reader is gone, the program ends by SIGPIPE. */
bool stdout_sink_end(struct stdout_sink *s, bool ok, struct err *err);
