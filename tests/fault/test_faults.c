/* test_faults.c: runs the whole program repeatedly with one request refused: the first, the second,
 * ... until a run makes fewer requests.  A request is for memory, or a change of a file.  The same
 * with the program killed at that point.
 *
 * The program must exit in order: with its usual output, or with one line and status 1.  A file is
 * the new one or the old one, and there is no other; the terminal is restored.  A killed program
 * prints nothing, and may leave a file with a temporary name.
 *
 *   FAULT_STRIDE   refuse every N-th request only (make check); 1: all of them (make faults)
 *   FAULT_FROM     begin with that one
 *   FAULT_SAID     a file for the terminal output of the last failing run */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "base/strbuf.h"
#include "cli/main_cli.h"
#include "fixtures/patience.h"
#include "inject.h"
#include "tui/screen/tui.h"

enum { MAX_WORDS = 24, MEMORY_STRIDE = 11, SQLITE_STRIDE = 101, SCREEN_STRIDE = 211 };

/* A case: runs in tests/golden, with "@" for a temporary folder. */
struct fault_case {
    const char *name;
    const char *input; /* standard input; NULL: empty */
    const char *keys;  /* typed at a terminal; NULL: none */
    bool keeps_state;  /* in the folder */
    unsigned stride;   /* refuse every so many-th request for memory only (make check); 0: MEMORY_STRIDE */
    const char *words[MAX_WORDS];
};

#define EDGE "models/edge/"
#define ALL_FIELDS                                                                                \
    "-select=params,float_ops,micros,bytes,peak_bytes,occurrence,device,op_types,input_shapes"
#define TRACES                                                                                    \
    "--graph_path=" EDGE "traces.pb.gz", "--run_meta_path=" EDGE "traces_meta_0.pb.gz",           \
        "--op_log_path=" EDGE "traces_log.pb.gz"

static const struct fault_case cases[] = {
    /* every format */
    {"graph", .words = {"scope", EDGE "scopes.pb.gz", ALL_FIELDS}},
    {"graph as text", .words = {"scope", EDGE "shapes.pbtxt.gz", "-flops=full", ALL_FIELDS}},
    {"runs and op log", .words = {"scope", TRACES, ALL_FIELDS, "-max_depth=99"}},
    {"profile", .words = {"scope", "../fuzz/corpus/profile/traces", ALL_FIELDS}},
    {"saved model", .words = {"scope", "modern/nested_module.saved_model.pb.gz", "-max_depth=99"}},
    {"event file", .words = {"scope", "../fuzz/corpus/events/small", "-max_depth=99"}},
    {"checkpoint",
     .words = {"scope", "--graph_path=models/towers/graph.pb.gz",
               "--checkpoint_path=models/towers/model.ckpt", "-select=tensor_value",
               "-show_name_regexes=.*bias.*", "-max_depth=9"}},
    {"a file that is none", .words = {"scope", EDGE "malformed.pb.gz"}},
    /* every view, with filters */
    {"graph view", .words = {"graph", TRACES, ALL_FIELDS, "-show_name_regexes=.*a.*,[^b]+", "-trim_name_regexes=x.y"}},
    {"op view", .words = {"op", TRACES, ALL_FIELDS, "-order_by=micros", "-account_type_regexes=.*,Mat.+"}},
    {"code view", .words = {"code", TRACES, ALL_FIELDS, "-account_displayed_op_only=true", "-max_depth=99"}},
    {"advice", .words = {"advise", TRACES}},
    {"summary", .words = {"summary", TRACES}},
    /* every output */
    {"json", .words = {"scope", TRACES, ALL_FIELDS, "-output=json:outfile=@/out"}},
    {"csv", .words = {"op", TRACES, "-select=params,micros,bytes", "-output=csv:outfile=@/out"}},
    {"folded", .words = {"code", TRACES, "-max_depth=99", "-output=folded:outfile=@/out"}},
    {"dot", .words = {"graph", TRACES, "-output=dot:outfile=@/out"}},
    {"html", .words = {"scope", TRACES, "-output=html:outfile=@/out"}},
    {"svg", .words = {"code", TRACES, "-max_depth=99", "-output=svg:outfile=@/out"}},
    {"report", .words = {"report", TRACES, "-diff_step=0", "-output=html:outfile=@/out"}},
    {"sqlite", .stride = SQLITE_STRIDE, .words = {"scope", TRACES, "-output=sqlite:outfile=@/out"}},
    {"digest", .words = {"digest", TRACES}},
    {"merge", .words = {"merge", "../fuzz/corpus/digest/run", "../fuzz/corpus/digest/merged"}},
    {"part of a digest", .words = {"scope", "../fuzz/corpus/digest/merged"}},
    {"query in SQL", .stride = SQLITE_STRIDE, .words = {"sql", "select n.op, sum(s.micros_total) from scope s join nodes n using (node) group by 1", TRACES}},
    {"text file", .words = {"scope", TRACES, "-output=file:outfile=@/out"}},
    {"timeline", .words = {"graph", TRACES, "-output=timeline:outfile=@/out"}},
    {"timelines of steps",
     .words = {"graph", "--graph_path=" EDGE "times.pb.gz",
               "--run_meta_path=" EDGE "times_meta_0.pb.gz," EDGE "times_meta_1.pb.gz",
               "-output=timeline:outfile=@/out"}},
    {"pprof", .words = {"code", TRACES, "-max_depth=99", "-select=micros", "-output=pprof:outfile=@/out"}},
    {"profile written", .words = {"scope", TRACES, "-output=profile:outfile=@/out"}},
    /* several changes in a row */
    {"prompt",
     .input = "scope -max_depth 3\nset -order_by bytes\nop -select bytes\nscope -hide_name_regexes a.b\n"
              "graph -start_name_regexes .*a.*\ncode\nadvise\nhelp\n",
     .words = {"shell", TRACES}},
    {"screen", .stride = SCREEN_STRIDE, .keys = "jj\r2js4/a.\r3vj>xo\033:scope -max_depth 2\rEq\033i\033?\033Q",
     .words = {TRACES}},
    /* Ordered by name, the keys address single operations; in other views rows may be replaced by
     * groups when figures arrive. */
    {"notes", .stride = SCREEN_STRIDE, .keys = "jj\r;slow\r,\rQ", .keeps_state = true,
     .words = {"-order_by", "name", TRACES}},
    {"state of a screen", .stride = SCREEN_STRIDE, .keys = "jj\r2jjma3jQ", .keeps_state = true,
     .words = {"-order_by", "name", TRACES}},
};

struct run {
    const struct fault_case *c;
    enum inject_kind kind;
    char folder[64];
    int out, err; /* in memory */
    int typed;    /* descriptor of standard input */
    int status;   /* from waitpid() */
    bool refused; /* the injected request was reached */
    struct strbuf said, errors;
};

static void fail(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- the child */

/* Arguments are in static memory, because the child must not allocate. */
static int make_words(const struct run *r, const char **argv)
{
    static char texts[MAX_WORDS + 5][256];
    int n = 0;

    argv[n++] = "tfprof";
    for (size_t i = 0; i < MAX_WORDS && r->c->words[i]; i++) {
        const char *word = r->c->words[i], *at = strchr(word, '@');

        snprintf(texts[n], sizeof texts[n], "%.*s%s%s", at ? (int)(at - word) : (int)strlen(word),
                 word, at ? r->folder : "", at ? at + 1 : "");
        argv[n] = texts[n];
        n++;
    }
    argv[n++] = "--no-config";
    if (!r->c->keeps_state)
        argv[n++] = "--no-state";
    argv[n++] = "-q";
    argv[n] = NULL;
    return n;
}

/* Never returns.  Whether the request was reached is the last byte of R->err. */
static void child(const struct run *r, unsigned long number, bool for_ever, int terminal)
{
    const struct screen screen = {.run = tui_main};
    const char *argv[MAX_WORDS + 5];
    const int argc = make_words(r, argv);
    int status;

    if (terminal >= 0 && login_tty(terminal) != 0)
        _exit(99);
    if (terminal < 0 && (dup2(r->typed, 0) < 0 || dup2(r->out, 1) < 0))
        _exit(99);
    if (dup2(r->err, 2) < 0)
        _exit(99);
    alarm(PATIENCE_SECONDS);
    inject_at(r->kind, number, for_ever);
    status = cli_main(argc, (char **)(uintptr_t)argv, &screen);
    if (inject_asked() < number)
        status |= 64; /* fewer requests than NUMBER: the last run */
    inject_at(INJECT_KINDS, 0, false);
    exit(status);
}

/* ---- the parent */

static void take(int fd, struct strbuf *sb)
{
    char bytes[8192];
    ssize_t n;

    sb_clear(sb);
    for (off_t at = 0; (n = pread(fd, bytes, sizeof bytes, at)) > 0; at += n)
        sb_add(sb, bytes, (size_t)n);
    if (ftruncate(fd, 0) != 0)
        fail("ftruncate");
    lseek(fd, 0, SEEK_SET);
}

/* Reads what the screen writes until it exits; types the keys when the screen appears. */
static void watch(struct run *r, int master, pid_t pid)
{
    char bytes[8192];
    const time_t start = time(NULL);
    bool typed = false, ended = false;
    ssize_t n = 0;

    sb_clear(&r->said);
    while (!ended || n > 0) {
        struct pollfd p = {.fd = master, .events = POLLIN};

        n = poll(&p, 1, ended ? 0 : 5) > 0 ? read(master, bytes, sizeof bytes) : 0;
        if (n > 0)
            sb_add(&r->said, bytes, (size_t)n);
        if (!typed && r->said.len) {
            typed = true;
            if (write(master, r->c->keys, strlen(r->c->keys)) < 0)
                fail("write");
        }
        if (n <= 0 && !ended) {
            if (time(NULL) > start + PATIENCE_SECONDS)
                kill(pid, SIGSYS); /* a signal without a handler */
            ended = waitpid(pid, &r->status, WNOHANG) == pid;
            n = ended; /* reads the rest */
        }
    }
}

static void run_once(struct run *r, unsigned long number, bool for_ever)
{
    int master = -1, slave = -1;
    struct termios before, after;
    pid_t pid;

    lseek(r->typed, 0, SEEK_SET);
    if (r->c->keys && openpty(&master, &slave, NULL, NULL, &(struct winsize){24, 80, 0, 0}) != 0)
        fail("openpty");
    if (slave >= 0)
        tcgetattr(master, &before);
    fflush(stdout); /* otherwise the child prints it again */
    pid = fork();
    if (pid == 0)
        child(r, number, for_ever, slave);
    if (pid < 0)
        fail("fork");
    if (master >= 0)
        watch(r, master, pid);
    else if (waitpid(pid, &r->status, 0) != pid)
        fail("waitpid");
    if (slave >= 0) {
        tcgetattr(master, &after);
        if (before.c_lflag != after.c_lflag || before.c_iflag != after.c_iflag ||
            before.c_oflag != after.c_oflag)
            sb_addf(&r->said, "MODES LEFT %x %x %x\n", before.c_lflag ^ after.c_lflag,
                    before.c_iflag ^ after.c_iflag, before.c_oflag ^ after.c_oflag);
        close(master);
        close(slave);
    } else {
        take(r->out, &r->said);
    }
    take(r->err, &r->errors);
    r->refused = !WIFEXITED(r->status) || !(WEXITSTATUS(r->status) & 64);
    if (!r->refused)
        r->status &= ~(64 << 8);
}

static const char old_contents[] = "what was there before\n";

static void put_old_files(const struct run *r, const struct strbuf *good_files)
{
    char path[128];
    FILE *f;

    if (r->kind == INJECT_NO_MEMORY || !strstr(sb_text(good_files), "[out]\n"))
        return;
    snprintf(path, sizeof path, "%s/out", r->folder);
    f = fopen(path, "w");
    if (!f || fputs(old_contents, f) < 0 || fclose(f) != 0)
        fail(path);
}

/* Removes the screens in notes on rows from BYTES, because they depend on timing. */
static void drop_screens(struct strbuf *bytes)
{
    struct strbuf kept = {0};

    for (const char *line = sb_text(bytes); *line;) {
        const size_t len = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');

        if (strncmp(line, "screen ", 7) != 0 && strncmp(line, "command ", 8) != 0)
            sb_add(&kept, line, len);
        line += len;
    }
    sb_done(bytes);
    *bytes = kept;
}

/* Reads FD as the contents of NAME; false when they are neither those of a good run nor the old
 * ones.  GOOD NULL: this is the good run. */
static bool take_file(int fd, const char *name, struct strbuf *files, const struct strbuf *good,
                      enum inject_kind kind)
{
    struct strbuf bytes = {0}, entry = {0};
    bool ok;

    take(fd, &bytes);
    if (strstr(name, ".notes"))
        drop_screens(&bytes);
    sb_addf(&entry, "[%s]\n", name);
    sb_add(&entry, sb_text(&bytes), bytes.len);
    sb_adds(&entry, "[end]\n");
    ok = !good || (good->len && memmem(good->data, good->len, entry.data, entry.len)) ||
         strcmp(sb_text(&bytes), old_contents) == 0 ||
         (kind == INJECT_KILL && strstr(name, "tfprof-"));
    sb_add(files, entry.data, entry.len);
    sb_done(&bytes);
    sb_done(&entry);
    return ok;
}

static int is_no_folder(const struct dirent *entry)
{
    return entry->d_type == DT_REG;
}

/* The same for all files below FOLDER, which are removed. */
static bool take_files(const struct run *r, const char *folder, struct strbuf *files,
                       const struct strbuf *good)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_no_folder, alphasort);
    bool ok = true;

    for (int i = 0; i < n; i++) {
        char path[512];
        int fd;

        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        fd = open(path, O_RDWR);
        if (fd < 0)
            fail(path);
        ok = take_file(fd, entries[i]->d_name, files, good, r->kind) && ok;
        close(fd);
        unlink(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return ok;
}

static bool take_all_files(const struct run *r, struct strbuf *files, const struct strbuf *good)
{
    char state[128];
    bool ok;

    snprintf(state, sizeof state, "%s/tfprof", r->folder);
    ok = take_files(r, r->folder, files, good);
    return take_files(r, state, files, good) && ok;
}

static bool equal(const struct strbuf *a, const struct strbuf *b)
{
    return a->len == b->len && memcmp(sb_text(a), sb_text(b), a->len) == 0;
}

/* True when the program left the alternate screen and reset all modes. */
static bool is_restored(const struct strbuf *said)
{
    static const char on[] = "\033[?1049h", off[] = "\033[?1049l";
    const char *text = sb_text(said), *last_on = NULL, *last_off = NULL, *at;

    for (at = text; (at = strstr(at, on)); at++)
        last_on = at;
    for (at = text; (at = strstr(at, off)); at++)
        last_off = at;
    return (!last_on || (last_off && last_off > last_on)) && !strstr(text, "MODES LEFT");
}

static bool is_one_line(const struct strbuf *errors)
{
    const char *text = sb_text(errors);

    return strncmp(text, "tfprof: ", 8) == 0 && strchr(text, '\n') == text + errors->len - 1;
}

/* Returns the defect in the exit of a run that was not killed, or NULL. */
static const char *wrong_end(const struct run *r, const struct run *good, bool is_same)
{
    static const char *const reasons[] = {
        [INJECT_NO_MEMORY] = "memory", [INJECT_FULL_DISK] = "No space left"};
    const bool ok = r->status == good->status;

    if (ok && r->c->keys)
        return NULL; /* screens depend on timing */
    if (ok && equal(&r->errors, &good->errors))
        return is_same ? NULL : "another output";
    if (!r->refused)
        return "another end than the time before";
    if (WEXITSTATUS(r->status) != 1)
        return "the status is not 1";
    if (!is_one_line(&r->errors) && !r->c->keys) /* ncurses prints its own message */
        return "it does not say one line";
    return strstr(sb_text(&r->errors), reasons[r->kind]) || strstr(sb_text(&r->errors), "thread")
               ? NULL
               : "it does not say why";
}

/* Returns the defect of a run, or NULL. */
static const char *wrong(const struct run *r, const struct run *good, bool files_are_whole,
                         bool is_same)
{
    const int by = WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0;

    if (!files_are_whole)
        return "a file that is incomplete, or an additional one";
    if (by == SIGKILL && r->kind == INJECT_KILL)
        return NULL;
    if (r->c->keys && !is_restored(&r->said))
        return "the terminal is not given back";
    /* ncurses itself may crash; the screen is restored in any case. */
    if (r->c->keys && by == SIGSEGV && r->kind == INJECT_NO_MEMORY && r->refused)
        return NULL;
    if (by)
        return by == SIGALRM || by == SIGSYS ? "it hangs" : strsignal(by);
    return wrong_end(r, good, is_same && equal(&r->said, &good->said));
}

static void tell(const struct run *r, unsigned long number, bool for_ever, const char *why)
{
    static const char *const kinds[] = {"memory", "disk", "kill"};

    if (getenv("FAULT_SAID")) {
        FILE *f = fopen(getenv("FAULT_SAID"), "w");

        if (f && (fwrite(sb_text(&r->said), 1, r->said.len, f) != r->said.len || fclose(f) != 0))
            fail("FAULT_SAID");
    }
    printf("# %s %lu%s: %s; status %#x; errors: ", kinds[r->kind], number, for_ever ? " and all after it" : "",
           why, (unsigned)r->status);
    for (size_t i = 0; i < r->errors.len && i < 300; i++)
        putchar(r->errors.data[i] == '\n' ? '|' : r->errors.data[i]);
    puts("");
}

/* Prints FILES, one per line, with the prefix WHOSE. */
static void print_files(const char *whose, const struct strbuf *files)
{
    for (const char *line = sb_text(files); *line;) {
        const size_t len = strcspn(line, "\n");

        printf("#   %s: %.*s\n", whose, (int)len, line);
        line += len + (line[len] == '\n');
    }
}

static unsigned long stride_of(const struct run *r)
{
    const char *text = getenv("FAULT_STRIDE");

    if (text && *text)
        return strtoul(text, NULL, 10);
    return r->kind != INJECT_NO_MEMORY ? 1 : r->c->stride ? r->c->stride : MEMORY_STRIDE;
}

/* Refuses requests of one kind; returns the number of failing runs. */
static unsigned run_kind(struct run *r, const struct run *good, const struct strbuf *good_files,
                         unsigned long *n_runs)
{
    const char *from = getenv("FAULT_FROM");
    const unsigned long stride = stride_of(r), first = from ? strtoul(from, NULL, 10) : 1;
    struct strbuf files = {0};
    unsigned bad = 0;

    r->refused = true;
    for (unsigned long number = first; r->refused && bad < 10; number += stride) {
        const bool for_ever = r->kind == INJECT_FULL_DISK || number / stride % 3 == 2;
        const char *why;
        bool whole;

        put_old_files(r, good_files);
        run_once(r, number, for_ever);
        sb_clear(&files);
        whole = take_all_files(r, &files, good_files);
        why = wrong(r, good, whole, equal(&files, good_files));
        if (why)
            tell(r, number, for_ever, why), bad++;
        if (!whole)
            print_files("with all there is", good_files), print_files("now", &files);
        ++*n_runs;
    }
    sb_done(&files);
    return bad;
}

/* The same for all kinds of a case. */
static unsigned run_case(struct run *r, unsigned long *n_runs)
{
    struct strbuf good_files = {0};
    struct run good;
    unsigned bad = 0;

    if (ftruncate(r->typed, 0) != 0)
        fail("ftruncate");
    if (r->c->input && pwrite(r->typed, r->c->input, strlen(r->c->input), 0) < 0)
        fail("pwrite");
    r->kind = INJECT_NO_MEMORY;
    run_once(r, (unsigned long)-1, false);
    take_all_files(r, &good_files, NULL);
    good = *r;
    r->said = r->errors = (struct strbuf){0};
    if (!WIFEXITED(good.status) || (WEXITSTATUS(good.status) && !strstr(r->c->name, "none")))
        tell(&good, 0, false, "it does not even work with all there is"), bad++;
    for (; r->kind < INJECT_KINDS && !bad; r->kind++)
        bad += run_kind(r, &good, &good_files, n_runs);
    sb_done(&good.said);
    sb_done(&good.errors);
    sb_done(&good_files);
    return bad;
}

static bool is_wanted(const struct fault_case *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], c->name) == 0)
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    const char *top = getenv("top_srcdir");
    struct run r = {.folder = "/tmp/tfprof-fault-XXXXXX"};
    char golden[512];

    snprintf(golden, sizeof golden, "%s/tests/golden", top ? top : ".");
    if (chdir(golden) != 0 || !mkdtemp(r.folder))
        fail(golden);
    setenv("TFPROF_THREADS", "1", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("XDG_STATE_HOME", r.folder, 1);
    r.out = memfd_create("out", MFD_CLOEXEC);
    r.err = memfd_create("err", MFD_CLOEXEC);
    r.typed = memfd_create("typed", MFD_CLOEXEC);
    printf("1..%zu\n", sizeof cases / sizeof *cases);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned long n_runs = 0;
        unsigned bad;

        r.c = &cases[i];
        if (!is_wanted(r.c, argc, argv)) {
            printf("ok %zu # SKIP %s\n", i + 1, r.c->name);
            continue;
        }
        fflush(stdout);
        bad = run_case(&r, &n_runs);
        printf("%s %zu - %s: %lu runs\n", bad ? "not ok" : "ok", i + 1, r.c->name, n_runs);
    }
    sb_done(&r.said);
    sb_done(&r.errors);
    snprintf(golden, sizeof golden, "%s/tfprof", r.folder);
    rmdir(golden);
    return rmdir(r.folder) != 0;
}
