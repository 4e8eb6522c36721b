/* mutate.c: runs the program repeatedly on real inputs with a few changed bytes.
 *
 *     mutate PROGRAM FIRST COUNT
 *
 * Runs in tests/golden.  Run number N always makes the same file from the same input, so a number
 * identifies a finding; its file is left in $top_builddir.  For any bytes the program must exit in
 * time, with status 0 and no message, or with status 1 and one line on standard error, within the
 * memory limit.
 *
 *   MUTATE_SECONDS   processor time for a run (5)
 *   MUTATE_MIB       resident memory for a run (128); 0 disables the limit, for sanitizers and
 *                    valgrind */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "fixtures/packed_file.h"

enum { MAX_WORDS = 16, MAX_CHANGES = 8, WALL_SECONDS = 60 };

/* An input to change, and the arguments that read it; "@" is replaced by the changed file. */
struct recipe {
    const char *name;
    const char *input;
    bool packed;        /* changes the compressed bytes, not their contents */
    const char *as;     /* required file name; NULL: any */
    const char *beside; /* a required file in the same folder, or NULL */
    const char *words[4];
};

#define TOWERS "models/towers/"
#define TRAINING "../../data/training.pt.trace.json.gz"
static const struct recipe recipes[] = {
    {.name = "graph", .input = TOWERS "graph.pb.gz", .words = {"--graph_path=@"}},
    {.name = "packed graph", .input = TOWERS "graph.pb.gz", .packed = true, .words = {"@"}},
    {.name = "small graph", .input = "models/edge/scopes.pb.gz", .words = {"--graph_path=@"}},
    {.name = "looping graph", .input = "models/edge/holes.pb.gz", .words = {"@"}},
    {.name = "shapes", .input = "models/edge/shapes.pb.gz", .words = {"--graph_path=@", "-flops=full"}},
    {.name = "text", .input = TOWERS "graph.pbtxt.gz", .words = {"--graph_path=@"}},
    {.name = "small text", .input = "models/edge/shapes.pbtxt.gz", .words = {"@"}},
    {.name = "step",
     .input = TOWERS "run_meta_gpu_0.pb.gz",
     .words = {"--graph_path=" TOWERS "graph.pb.gz", "--run_meta_path=@"}},
    {.name = "small step",
     .input = "models/edge/accel_meta_0.pb.gz",
     .words = {"--graph_path=models/edge/times.pb.gz", "--run_meta_path=@"}},
    {.name = "op log",
     .input = TOWERS "tfprof_log.pb.gz",
     .words = {"--graph_path=" TOWERS "graph.pb.gz", "--op_log_path=@"}},
    {.name = "small op log",
     .input = "models/edge/traces_log.pb.gz",
     .words = {"--graph_path=models/edge/traces.pb.gz", "--op_log_path=@"}},
    {.name = "profile", .input = TOWERS "profile_gpu.pb.gz", .words = {"--profile_path=@"}},
    {.name = "some profile", .input = TOWERS "profile.pb.gz", .words = {"@"}},
    {.name = "checkpoint table",
     .input = TOWERS "model.ckpt.index",
     .as = "model.ckpt.index",
     .beside = TOWERS "model.ckpt.data-00000-of-00001",
     .words = {"--graph_path=" TOWERS "graph.pb.gz", "--checkpoint_path=@"}},
    {.name = "checkpoint data",
     .input = TOWERS "model.ckpt.data-00000-of-00001",
     .as = "model.ckpt.data-00000-of-00001",
     .beside = TOWERS "model.ckpt.index",
     .words = {"--graph_path=" TOWERS "graph.pb.gz", "--checkpoint_path=@"}},
    {.name = "old checkpoint",
     .input = "models/resnet32/model_v1.ckpt.gz",
     .words = {"--graph_path=models/resnet32/graph.pb.gz", "--checkpoint_path=@"}},
    {.name = "saved model", .input = "modern/while_if_module.saved_model.pb.gz", .words = {"@"}},
    {.name = "nested functions", .input = "modern/nested_module.saved_model.pb.gz", .words = {"@", "-flops=full"}},
    {.name = "capture", .input = "../../data/training.xplane.pb", .words = {"@", "-host_events=all"}},
    {.name = "meta graph", .input = "modern/cnn.meta.gz", .words = {"@"}},
    {.name = "trace", .input = TRAINING, .words = {"@", "-step=all"}},
    {.name = "trace with rows of kernels", .input = TRAINING, .words = {"@", "-kernels=rows"}},
    {.name = "packed trace", .input = TRAINING, .packed = true, .words = {"@"}},
    {.name = "meta graph as text", .input = "modern/cnn.meta.pbtxt.gz", .words = {"@"}},
};

#define FIGURES "params,float_ops,micros,bytes,peak_bytes,occurrence"

/* Arguments used with every input in turn. */
static const char *const questions[][7] = {
    {"scope", "-max_depth=10000", "-select=" FIGURES ",device,op_types,input_shapes,tensor_value"},
    {"graph", "-max_depth=10000", "-select=" FIGURES},
    {"op", "-max_depth=10000", "-order_by=bytes", "-select=" FIGURES},
    {"code", "-max_depth=10000", "-order_by=float_ops", "-select=" FIGURES},
    {"advise"},
    {"summary"},
    {"scope", "-output=json", "-max_depth=10000", "-select=" FIGURES},
    {"scope", "-output=profile:outfile=OUT"},
    {"graph", "-output=timeline:outfile=OUT"},
    {"code", "-output=pprof:outfile=OUT", "-select=micros"},
};

enum {
    N_RECIPES = sizeof recipes / sizeof *recipes,
    N_QUESTIONS = sizeof questions / sizeof *questions,
};

/* splitmix64: the same numbers on every machine. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t n)
{
    return n ? (size_t)(draw(state) % n) : 0;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void read_input(const struct recipe *recipe, struct strbuf *bytes)
{
    char block[65536];
    size_t got;

    if (recipe->packed) {
        FILE *plain = fopen(recipe->input, "rb");

        while (plain && (got = fread(block, 1, sizeof block, plain)) > 0)
            sb_add(bytes, block, got);
        if (plain)
            fclose(plain);
    } else if (!packed_file_read(recipe->input, bytes)) {
        fail(recipe->input);
    }
    if (!bytes->len)
        fail(recipe->input);
}

/* ---- changes: most leave the file almost well-formed */

static void change_byte(struct strbuf *b, uint64_t *state)
{
    static const uint8_t telling[] = {0, 1, 0x0a, 0x12, 0x20, 0x7b, 0x7d, 0x7f, 0x80, 0xfe, 0xff};
    size_t at = below(state, b->len);

    b->data[at] = (char)telling[below(state, sizeof telling)];
}

static void change_bit(struct strbuf *b, uint64_t *state)
{
    size_t at = below(state, b->len);

    b->data[at] = (char)(b->data[at] ^ 1 << below(state, 8));
}

/* Changes a length by one. */
static void change_by_one(struct strbuf *b, uint64_t *state)
{
    size_t at = below(state, b->len);

    b->data[at] = (char)(b->data[at] + (below(state, 2) ? 1 : -1));
}

static void cut_end(struct strbuf *b, uint64_t *state)
{
    sb_truncate(b, below(state, b->len));
}

static void remove_part(struct strbuf *b, uint64_t *state)
{
    size_t at = below(state, b->len), n = below(state, b->len - at < 64 ? b->len - at : 64);

    memmove(b->data + at, b->data + at + n, b->len - at - n);
    sb_truncate(b, b->len - n);
}

static void insert_at(struct strbuf *b, size_t at, const char *bytes, size_t n)
{
    struct strbuf tail = {0};

    sb_add(&tail, b->data + at, b->len - at);
    sb_truncate(b, at);
    sb_add(b, bytes, n);
    sb_add(b, sb_text(&tail), tail.len);
    sb_done(&tail);
}

/* Copies a part of the file to another position, so that fields occur where they do not belong. */
static void repeat_part(struct strbuf *b, uint64_t *state)
{
    size_t from = below(state, b->len), room = b->len - from, n = below(state, room < 400 ? room : 400);
    struct strbuf part = {0};

    sb_add(&part, b->data + from, n);
    insert_at(b, below(state, b->len), sb_text(&part), n);
    sb_done(&part);
}

static void write_huge_number(struct strbuf *b, uint64_t *state)
{
    static const char *const huge[] = {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                       "\xff\xff\xff\xff\x07", "\x80\x80\x80\x80\x08",
                                       "99999999999999999999", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"};
    const char *number = huge[below(state, sizeof huge / sizeof *huge)];

    for (size_t at = below(state, b->len); *number && at < b->len; at++)
        b->data[at] = *number++;
}

static void insert_noise(struct strbuf *b, uint64_t *state)
{
    char noise[16];

    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)draw(state);
    insert_at(b, below(state, b->len), noise, below(state, sizeof noise));
}

static void (*const changes[])(struct strbuf *, uint64_t *) = {
    change_byte, change_bit, change_by_one, change_byte, change_bit, change_by_one, write_huge_number,
    remove_part, repeat_part, insert_noise, cut_end,
};

/* Mostly one change; files with two are seldom read to their end. */
static void mutate(struct strbuf *b, uint64_t *state)
{
    size_t n = below(state, 4) ? 1 : 1 + below(state, MAX_CHANGES);

    for (; n && b->len; n--)
        changes[below(state, sizeof changes / sizeof *changes)](b, state);
}

/* ---- runs */

struct run {
    const struct recipe *recipe;
    const char *const *question;
    const char *program, *folder; /* folder: for this process only */
    char *path;                   /* the changed file */
    char *words[MAX_WORDS + 1];
    size_t n_words;
};

static char *joined(const char *folder, const char *name)
{
    struct strbuf path = {0};

    sb_addf(&path, "%s/%s", folder, name);
    return sb_take(&path);
}

static void add_word(struct run *run, const char *word, const char *mark, const char *path)
{
    const char *at = mark ? strstr(word, mark) : NULL;
    struct strbuf text = {0};

    if (at)
        sb_addf(&text, "%.*s%s", (int)(at - word), word, path);
    else
        sb_adds(&text, word);
    run->words[run->n_words++] = sb_take(&text);
}

static void make_words(struct run *run)
{
    char *out = joined(run->folder, "out");

    add_word(run, run->program, NULL, NULL);
    for (size_t i = 0; run->question[i]; i++)
        add_word(run, run->question[i], "OUT", out);
    for (size_t i = 0; run->recipe->words[i]; i++)
        add_word(run, run->recipe->words[i], "@", run->path);
    add_word(run, "-q", NULL, NULL);
    add_word(run, "--no-config", NULL, NULL);
    add_word(run, "--no-state", NULL, NULL);
    free(out);
}

static void write_file(const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(sb_text(bytes), 1, bytes->len, file) != bytes->len || fclose(file) != 0)
        fail(path);
}

static void write_companion_file(const struct run *run)
{
    const char *beside = run->recipe->beside;
    char *here = realpath(beside, NULL), *there = joined(run->folder, strrchr(beside, '/') + 1);

    unlink(there);
    if (!here || symlink(here, there) != 0)
        fail(beside);
    free(here);
    free(there);
}

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* Executes the program; exceeding a limit ends it with a signal. */
static void become(const struct run *run, const char *errors)
{
    rlim_t seconds = (rlim_t)setting("MUTATE_SECONDS", 5);
    int null = open("/dev/null", O_RDWR), err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (null < 0 || err < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    alarm((unsigned)seconds * WALL_SECONDS);
    execv(run->program, run->words);
    _exit(127);
}

/* The defect of the messages on standard error, or NULL. */
static const char *wrong_words(const char *errors, int status)
{
    FILE *file = fopen(errors, "rb");
    char text[4096];
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    const char *end;

    if (file)
        fclose(file);
    text[n] = 0;
    if (status == 0)
        return n ? "words without an error" : NULL;
    end = strchr(text, '\n');
    if (strncmp(text, "tfprof: ", 8) != 0 || !end)
        return "no line says why";
    return end[1] ? "more than one line" : NULL;
}

static const char *wrong(int status, const struct rusage *use, const char *errors)
{
    long max_mib = setting("MUTATE_MIB", 128);

    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                   ? "it hangs"
                   : strsignal(WTERMSIG(status));
    if (WEXITSTATUS(status) > 1)
        return "the exit status is neither 0 nor 1";
    if (max_mib && use->ru_maxrss / 1024 > max_mib)
        return "too much memory";
    return wrong_words(errors, WEXITSTATUS(status));
}

static void tell(const struct run *run, uint64_t number, const char *why, const char *errors,
                 const struct strbuf *bytes)
{
    const char *build = getenv("top_builddir");
    struct strbuf name = {0};
    char *kept, line[400];
    FILE *file = fopen(errors, "rb");

    sb_addf(&name, "mutate-%llu", (unsigned long long)number);
    kept = joined(build ? build : ".", sb_text(&name));
    write_file(kept, bytes);
    printf("# run %llu, %s: %s\n# ", (unsigned long long)number, run->recipe->name, why);
    for (size_t i = 1; i < run->n_words; i++)
        printf(" %s", strstr(run->words[i], run->path) ? kept : run->words[i]);
    puts("");
    while (file && fgets(line, sizeof line, file))
        printf("#   %s", line);
    if (file)
        fclose(file);
    free(kept);
    sb_done(&name);
}

static bool run_once(const char *program, const char *folder, uint64_t number)
{
    uint64_t state = number;
    struct run run = {.program = program,
                      .folder = folder,
                      .recipe = &recipes[number % N_RECIPES],
                      .question = questions[number / N_RECIPES % N_QUESTIONS]};
    struct strbuf bytes = {0};
    char *errors = joined(folder, "errors");
    const char *why;
    struct rusage use;
    int status;
    pid_t child;

    run.path = joined(folder, run.recipe->as ? run.recipe->as : "input");
    unlink(run.path);
    if (run.recipe->beside)
        write_companion_file(&run);
    read_input(run.recipe, &bytes);
    mutate(&bytes, &state);
    write_file(run.path, &bytes);
    make_words(&run);
    child = fork();
    if (child == 0)
        become(&run, errors);
    if (child < 0 || wait4(child, &status, 0, &use) != child)
        fail("mutate");
    why = wrong(status, &use, errors);
    if (why)
        tell(&run, number, why, errors, &bytes);
    while (run.n_words)
        free(run.words[--run.n_words]);
    free(run.path);
    free(errors);
    sb_done(&bytes);
    return !why;
}

int main(int argc, char **argv)
{
    uint64_t first = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t count = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
    const char *tmp = getenv("TMPDIR");
    char *folder = joined(tmp && *tmp ? tmp : "/tmp", "mutate.XXXXXX");
    uint64_t bad = 0;
    struct strbuf remove = {0};

    if (!count || !mkdtemp(folder)) {
        fputs("usage: mutate PROGRAM FIRST COUNT\n", stderr);
        return 2;
    }
    for (uint64_t i = first; i < first + count; i++)
        bad += !run_once(argv[1], folder, i);
    printf("%s 1 - runs %llu to %llu, %llu of them bad\n1..1\n", bad ? "not ok" : "ok",
           (unsigned long long)first, (unsigned long long)(first + count - 1), (unsigned long long)bad);
    sb_addf(&remove, "rm -rf '%s'", folder);
    if (system(sb_text(&remove)) != 0)
        fail(folder);
    sb_done(&remove);
    free(folder);
    return bad != 0;
}
