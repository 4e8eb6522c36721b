/* load_fixture.c: small inputs for tests of the loaders, written as texts. */
#include "load_fixture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "load/text/text_reader.h"

static char folder[64];

int fixture_setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "load_fixture.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static void empty_folder(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char name[512];

        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(name);
    }
    if (dir)
        closedir(dir);
}

int fixture_teardown(void **state)
{
    (void)state;
    empty_folder(folder);
    return rmdir(folder);
}

const char *fixture_path(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void fixture_write(const char *name, const void *bytes, size_t len)
{
    FILE *file = fopen(fixture_path(name), "wb");

    assert_non_null(file);
    assert_int_equal(len ? fwrite(bytes, 1, len, file) : 0, len);
    assert_int_equal(fclose(file), 0);
}

void fixture_binary(const char *name, enum input_format format, const char *text)
{
    struct text_source source = {.path = name,
                                 .text = (const uint8_t *)text,
                                 .size_bytes = strlen(text),
                                 .message = formats[format].message};
    struct strbuf wire = {0};
    struct err err = {0};

    if (!text_to_wire(&source, &wire, &err))
        fail_msg("%s", err_text(&err));
    fixture_write(name, wire.data, wire.len);
    sb_done(&wire);
}

static struct profile *load(const struct load_request *request)
{
    struct cancel_mark never = {0};
    struct err err = {0};
    struct profile *p = load_profile(request, NULL, never, &err);

    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

/* A heap copy of the path of NAME, NULL for NULL. */
static char *path_of(const char *name)
{
    return name ? strdup(fixture_path(name)) : NULL;
}

/* Loads what REQUEST says: fails with WANTED, or loads when that is NULL. */
static void check(const struct load_request *request, const char *wanted)
{
    struct cancel_mark never = {0};
    struct err err = {0};
    struct profile *p = load_profile(request, NULL, never, &err);

    if (wanted) {
        assert_null(p);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_true(strlen(err_text(&err)) > strlen(folder) + 1);
        assert_string_equal(err_text(&err) + strlen(folder) + 1, wanted);
    } else if (!p) {
        fail_msg("%s", err_text(&err));
    }
    err_done(&err);
    profile_free(p);
}

void fixture_try(const char *graph, const char *op_log, const char *run_meta, const char *wanted)
{
    char *paths[] = {path_of(graph), path_of(op_log), path_of(run_meta)};
    const char *run_metas[] = {paths[2]};
    struct load_request request = {
        .graph_path = paths[0],
        .op_log_path = paths[1],
        .run_meta_paths = run_metas,
        .n_run_meta_paths = run_meta != NULL,
    };

    check(&request, wanted);
    for (size_t i = 0; i < 3; i++)
        free(paths[i]);
}

struct profile *fixture_load(const char *graph, const char *op_log, const char *run_meta_0,
                             const char *run_meta_1)
{
    char *paths[] = {path_of(graph), path_of(op_log), path_of(run_meta_0), path_of(run_meta_1)};
    const char *run_metas[] = {paths[2], paths[3]};
    struct load_request request = {
        .graph_path = paths[0],
        .op_log_path = paths[1],
        .run_meta_paths = run_metas,
        .n_run_meta_paths = (size_t)(run_meta_0 != NULL) + (run_meta_1 != NULL),
    };
    struct profile *p = load(&request);

    for (size_t i = 0; i < 4; i++)
        free(paths[i]);
    return p;
}

struct profile *fixture_load_profile(const char *name)
{
    struct load_request request = {.profile_path = fixture_path(name)};

    return load(&request);
}

void fixture_load_file(const char *name, const char *wanted)
{
    const char *path = fixture_path(name);
    struct load_request request = {.files = &path, .n_files = 1};

    check(&request, wanted);
}

node_id fixture_node(const struct profile *p, const char *name)
{
    node_id node = profile_find(p, name, strlen(name));

    assert_int_not_equal(node, NODE_NONE);
    return node;
}

bool fixture_has_note(const struct profile *p, const char *note)
{
    for (size_t i = 0; i < p->notes.n; i++)
        if (strstr(p->notes.lines[i], note))
            return true;
    return false;
}

const char *fixture_types(const struct profile *p, const char *name)
{
    static char text[512];
    typeset_id set = p->typeset[fixture_node(p, name)];

    text[0] = '\0';
    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++) {
        if (i > p->typeset_begin[set])
            strcat(text, "|");
        strcat(text, profile_text(p, p->typeset_types[i]));
    }
    return text;
}
