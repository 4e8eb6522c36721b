/* seeds.c: writes the seeds of each fuzz target, derived from the golden models.
 *
 *     seeds FOLDER    writes FOLDER/TARGET/...; runs in tests/golden */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/crc32c.h"
#include "base/strbuf.h"
#include "base/wire_in.h"
#include "base/wire_out.h"
#include "fixtures/hlo_text.h"
#include "load/bytes/input.h"

/* Larger inputs are slow and find no more. */
enum { MAX_BYTES = 65536, MAX_NODES = 60 };

enum how {
    UNPACKED, /* a file's contents */
    PACKED,   /* unchanged */
    ONE_LINE, /* the lines of a file joined to one */
    NODES,    /* each NodeDef of a GraphDef */
    HLO_TEXT, /* a program in text form, converted to a message */
    /* a GraphDef wrapped in another message */
    META_GRAPH,
    SAVED_MODEL,
    EVENT, /* the same in a record */
};

struct seed {
    const char *target, *files; /* a pattern of glob() */
    enum how how;
    const char *head; /* bytes before the contents; NULL: none */
    size_t head_len;
};

#define HEAD(text) .head = (text), .head_len = sizeof(text) - 1

static const struct seed seeds[] = {
    {.target = "attrs", .files = "models/edge/shapes.pb.gz", .how = NODES},
    {.target = "attrs", .files = "models/towers/graph.pb.gz", .how = NODES},
    {.target = "attrs", .files = "modern/MobileNet.stripped.pb.gz", .how = NODES},
    {.target = "attrs", .files = "modern/nested_module.pb.gz", .how = NODES},
    {.target = "checkpoint", .files = "models/*/model.ckpt.index", HEAD("\0")},
    {.target = "checkpoint", .files = "models/towers/model.ckpt.index", HEAD("\377")},
    {.target = "events", .files = "models/edge/[a-z]*[a-z].pb.gz", .how = EVENT},
    {.target = "graph", .files = "models/edge/[a-z]*[a-z].pb.gz"},
    {.target = "graph", .files = "modern/nested_module.pb.gz"},
    {.target = "graph_text", .files = "models/edge/*.pbtxt.gz"},
    {.target = "graph_text", .files = "models/towers/graph.pbtxt.gz"},
    {.target = "gzip", .files = "models/edge/*.pb.gz", .how = PACKED},
    {.target = "gzip", .files = "models/edge/*.pb*.gz"},
    {.target = "hlo", .files = "../fixtures/programs/*.hlo", .how = HLO_TEXT},
    {.target = "keys", .files = "../tui/*.c"},
    {.target = "line", .files = "cases/edge/*.args", .how = ONE_LINE},
    {.target = "line", .files = "cases/towers/*.args", .how = ONE_LINE},
    {.target = "model", .files = "models/edge/[a-z]*[a-z].pb.gz", .how = META_GRAPH},
    {.target = "model", .files = "models/edge/[a-z]*[a-z].pb.gz", .how = SAVED_MODEL},
    {.target = "model", .files = "modern/*module*.gz"},
    {.target = "model", .files = "modern/*.meta*.gz"},
    {.target = "op_log", .files = "models/edge/*_log.*.gz"},
    {.target = "op_log", .files = "models/*/tfprof_log_*.pb.gz"},
    {.target = "profile", .files = "models/*/profile*.pb.gz"},
    {.target = "regexes", .files = "cases/edge/*.args"},
    {.target = "run_meta", .files = "models/edge/*meta*.gz"},
    {.target = "run_meta", .files = "models/towers/run_meta_0.pb.gz"},
    {.target = "settings", .files = "cases/edge/*.args", .how = ONE_LINE, HEAD("\0set ")},
    {.target = "settings", .files = "cases/edge/*.args", .how = ONE_LINE,
     HEAD("\3note scope 'a b'\ntext 'a note'\nscreen 'a row'\ncommand ")},
    {.target = "settings", .files = "cases/edge/*.args", .how = ONE_LINE, HEAD("\4/tmp a=b\n/ 'c=d,(.*)=$1' ")},
    {.target = "text", .files = "models/edge/*.pbtxt.gz", HEAD("\0")},
    {.target = "text", .files = "models/edge/*meta*.txt.gz", HEAD("\1")},
    {.target = "text", .files = "models/edge/*log.txt.gz", HEAD("\2")},
    {.target = "text", .files = "modern/*.meta.pbtxt.gz", HEAD("\4")},
    {.target = "views", .files = "models/edge/[a-z]*.pb*.gz"},
    {.target = "views", .files = "modern/*module*.gz"},
};

static void fail(const char *what)
{
    fprintf(stderr, "seeds: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Writes one seed with a unique number. */
static void write_seed(const char *folder, const struct seed *s, const void *bytes, size_t len)
{
    static unsigned number;
    struct strbuf path = {0};
    FILE *f;

    if (len > MAX_BYTES)
        return;
    sb_addf(&path, "%s/%s", folder, s->target);
    if (mkdir(sb_text(&path), 0777) != 0 && errno != EEXIST)
        fail(sb_text(&path));
    sb_addf(&path, "/seed-%u", number++);
    f = fopen(sb_text(&path), "wb");
    if (!f || fwrite(s->head, 1, s->head_len, f) != s->head_len ||
        fwrite(bytes, 1, len, f) != len || fclose(f) != 0)
        fail(sb_text(&path));
    sb_done(&path);
}

static void write_nodes(const char *folder, const struct seed *s, const struct source_file *file)
{
    struct wire_in in = wire_in_of(file->bytes, file->size_bytes);
    struct wire_field f;

    for (int n = 0; n < MAX_NODES && wire_next(&in, &f);)
        if (f.number == 1 && f.type == WIRE_LEN) {
            write_seed(folder, s, f.bytes, f.len);
            n++;
        }
}

static void write_line(const char *folder, const struct seed *s, const struct source_file *file)
{
    struct strbuf line = {0};

    sb_add(&line, file->bytes, file->size_bytes);
    for (char *at = line.data; at && (at = strchr(at, '\n'));)
        *at = ' ';
    write_seed(folder, s, sb_text(&line), line.len);
    sb_done(&line);
}

static void write_program(const char *folder, const struct seed *s, const struct source_file *file)
{
    struct strbuf text = {0}, message = {0};

    sb_add(&text, file->bytes, file->size_bytes);
    hlo_text_proto(&message, sb_text(&text));
    write_seed(folder, s, sb_text(&message), message.len);
    sb_done(&text);
    sb_done(&message);
}

/* Wraps the GraphDef in fields NUMBERS, from the inside out, up to a 0. */
static void wrap(struct strbuf *out, const struct source_file *file, const uint32_t *numbers)
{
    struct strbuf inner = {0};

    sb_add(&inner, file->bytes, file->size_bytes);
    for (; *numbers; numbers++) {
        struct strbuf outer = {0};

        wire_bytes(&outer, *numbers, sb_text(&inner), inner.len);
        sb_done(&inner);
        inner = outer;
    }
    sb_add(out, sb_text(&inner), inner.len);
    sb_done(&inner);
}

static void write_wrapped(const char *folder, const struct seed *s, const struct source_file *file)
{
    static const uint32_t numbers[][3] = {
        [META_GRAPH] = {2}, [SAVED_MODEL] = {2, 2}, [EVENT] = {4}};
    struct strbuf message = {0}, out = {0};

    wrap(&message, file, numbers[s->how]);
    if (s->how == EVENT) {
        wire_fixed(&out, message.len, 8);
        wire_fixed(&out, crc32c_mask(crc32c_extend(0, out.data, 8)), 4);
        sb_add(&out, sb_text(&message), message.len);
        wire_fixed(&out, crc32c_mask(crc32c_extend(0, sb_text(&message), message.len)), 4);
    } else {
        sb_add(&out, sb_text(&message), message.len);
    }
    write_seed(folder, s, sb_text(&out), out.len);
    sb_done(&message);
    sb_done(&out);
}

static void write_packed(const char *folder, const struct seed *s, const char *path)
{
    char bytes[MAX_BYTES + 1];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;

    if (!f)
        fail(path);
    fclose(f);
    write_seed(folder, s, bytes, n);
}

static void make(const char *folder, const struct seed *s, const char *path)
{
    const struct cancel_mark never = {0};
    struct source_file file;
    struct err err = {0};

    if (s->how == PACKED) {
        write_packed(folder, s, path);
        return;
    }
    if (!input_read(path, &file, never, &err)) {
        fprintf(stderr, "seeds: %s\n", err_text(&err));
        exit(1);
    }
    if (s->how == NODES)
        write_nodes(folder, s, &file);
    else if (s->how == HLO_TEXT)
        write_program(folder, s, &file);
    else if (s->how == ONE_LINE)
        write_line(folder, s, &file);
    else if (s->how >= META_GRAPH)
        write_wrapped(folder, s, &file);
    else
        write_seed(folder, s, file.bytes, file.size_bytes);
    input_drop(&file);
    free(file.path);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: seeds FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        glob_t found;

        if (glob(seeds[i].files, 0, NULL, &found) != 0)
            fail(seeds[i].files);
        for (size_t k = 0; k < found.gl_pathc; k++)
            make(argv[1], &seeds[i], found.gl_pathv[k]);
        globfree(&found);
    }
    return 0;
}
