/* checkpoint_files.c: finds the files of a checkpoint. */
#include "load/checkpoint/checkpoint_files.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "load/bytes/mapping.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "load/text/text_reader.h"
#include "proto/checkpoint.pb-c.h"

enum { MAX_STATE_BYTES = 1 << 20 };

static char *join(const char *a, const char *b)
{
    struct strbuf sb = {0};

    sb_adds(&sb, a);
    sb_adds(&sb, b);
    return sb_take(&sb);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool exists_with(const char *path, const char *suffix)
{
    char *whole = join(path, suffix);
    bool found = exists(whole);

    free(whole);
    return found;
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Length of PATH without a trailing "MARK-00000-of-00000" (MARK ends with the first dash), or 0. */
static size_t without_shard(const char *path, const char *mark)
{
    static const char digits[] = "0123456789";
    size_t len = 0;

    for (const char *at = path; (at = strstr(at, mark)); at++) {
        const char *tail = at + strlen(mark);

        tail += strspn(tail, digits);
        if (strncmp(tail, "-of-", 4) == 0 && tail[4 + strspn(tail + 4, digits)] == '\0')
            len = (size_t)(at - path);
    }
    return len;
}

/* PATH with the special characters of glob() escaped, then PATTERN. */
static char *glob_pattern(const char *path, const char *pattern)
{
    struct strbuf sb = {0};

    for (; *path; path++) {
        if (strchr("*?[]\\", *path))
            sb_addc(&sb, '\\');
        sb_addc(&sb, *path);
    }
    sb_adds(&sb, pattern);
    return sb_take(&sb);
}

static void add_table(struct checkpoint_files *f, char *path)
{
    f->tables = xreallocarray(f->tables, f->n_tables + 1, sizeof *f->tables);
    f->tables[f->n_tables++] = path;
}

/* Finds all shards of a V1 checkpoint. */
static void find_shards(struct checkpoint_files *f)
{
    char *pattern = glob_pattern(f->prefix, "-[0-9][0-9][0-9][0-9][0-9]-of-[0-9][0-9][0-9][0-9][0-9]");
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_table(f, xstrdup(found.gl_pathv[i]));
        globfree(&found);
    }
    free(pattern);
}

static bool find_by_prefix(struct checkpoint_files *f, char *prefix)
{
    f->prefix = prefix;
    if (exists_with(prefix, ".index"))
        add_table(f, join(prefix, ".index"));
    else if (exists(prefix) && !is_folder(prefix))
        add_table(f, xstrdup(prefix));
    else
        find_shards(f);
    return f->n_tables > 0;
}

/* ---- the state file */

static bool parse_state(const char *path, const struct file_map *map, char **prefix,
                        struct err *err)
{
    const struct text_source source = {.path = path, .text = map->bytes,
                                       .size_bytes = map->size_bytes,
                                       .message = &tfp__checkpoint_state__descriptor};
    struct strbuf wire = {0};
    Tfp__CheckpointState *state = NULL;

    if (map->size_bytes > MAX_STATE_BYTES)
        return err_set(err, ERR_INPUT, "%s: too large for a checkpoint state file", path);
    if (!text_to_wire(&source, &wire, err))
        return false;
    state = tfp__checkpoint_state__unpack(NULL, wire.len, (const uint8_t *)sb_text(&wire));
    sb_done(&wire);
    if (state && state->model_checkpoint_path.len)
        *prefix = xmemdupz(state->model_checkpoint_path.data, state->model_checkpoint_path.len);
    if (state)
        tfp__checkpoint_state__free_unpacked(state, NULL);
    return *prefix || err_set(err, ERR_INPUT, "%s: does not name a checkpoint", path);
}

static bool prefix_exists(const char *prefix)
{
    struct checkpoint_files found = {0};
    bool ok = find_by_prefix(&found, xstrdup(prefix));

    checkpoint_files_done(&found);
    return ok;
}

/* Resolves PREFIX of the state file in the first FOLDER_LEN bytes of PATH: relative to that folder;
 * if that does not exist, by its last component. */
static char *resolve(char *prefix, const char *path, size_t folder_len)
{
    const char *slash = strrchr(prefix, '/');
    struct strbuf sb = {0};

    if (*prefix == '/' && prefix_exists(prefix))
        return prefix;
    sb_add(&sb, path, folder_len);
    sb_adds(&sb, prefix);
    if (*prefix == '/' || !prefix_exists(sb_text(&sb))) {
        sb_clear(&sb);
        sb_add(&sb, path, folder_len);
        sb_adds(&sb, slash ? slash + 1 : prefix);
    }
    free(prefix);
    return sb_take(&sb);
}

static bool find_by_state(struct checkpoint_files *f, const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    struct file_map map;
    char *prefix = NULL;
    bool ok;

    if (!file_map_open(&map, path, err))
        return false;
    ok = parse_state(path, &map, &prefix, err);
    file_map_close(&map);
    if (!ok)
        return false;
    if (find_by_prefix(f, resolve(prefix, path, slash ? (size_t)(slash + 1 - path) : 0)))
        return true;
    return err_set(err, ERR_INPUT, "%s: names %s, which does not exist", path, f->prefix);
}

/* ---- finding */

static bool find_in_folder(struct checkpoint_files *f, const char *folder, struct err *err)
{
    char *state = join(folder, "/checkpoint");
    bool ok;

    if (exists_with(folder, "/variables/variables.index")) {
        free(state);
        return find_by_prefix(f, join(folder, "/variables/variables"));
    }
    ok = exists(state) ? find_by_state(f, state, err)
                       : err_set(err, ERR_INPUT, "%s: a folder without a checkpoint", folder);
    free(state);
    return ok;
}

bool checkpoint_path_is_state(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash ? slash + 1 : path, "checkpoint") == 0 && exists(path);
}

bool checkpoint_path_is_data(const char *path)
{
    return without_shard(path, ".data-") != 0;
}

bool checkpoint_path_is_one(const char *path)
{
    return exists_with(path, ".index") || (checkpoint_path_is_data(path) && exists(path)) ||
           (text_ends(text_from(path), ".index") && exists(path)) || checkpoint_path_is_state(path);
}

bool checkpoint_files_find(struct checkpoint_files *f, const char *path, struct err *err)
{
    size_t len;

    memset(f, 0, sizeof *f);
    if (is_folder(path))
        return find_in_folder(f, path, err);
    if (checkpoint_path_is_state(path))
        return find_by_state(f, path, err);
    len = without_shard(path, ".data-");
    if (!len && text_ends(text_from(path), ".index") && exists(path))
        len = strlen(path) - strlen(".index");
    if (!len && !exists_with(path, ".index"))
        len = without_shard(path, "-");
    if (find_by_prefix(f, len ? xmemdupz(path, len) : xstrdup(path)))
        return true;
    return err_set(err, ERR_INPUT, "%s: no checkpoint: neither %s.index nor a table file exists",
                   path, f->prefix);
}

void checkpoint_files_done(struct checkpoint_files *f)
{
    for (size_t i = 0; i < f->n_tables; i++)
        free(f->tables[i]);
    EACH(free, f->tables, f->prefix);
    memset(f, 0, sizeof *f);
}

char *checkpoint_data_path(const struct checkpoint_files *f, uint32_t shard, uint32_t n_shards)
{
    struct strbuf sb = {0};
    char *pattern;
    char *path = NULL;
    glob_t found;

    sb_addf(&sb, "%s.data-%05u-of-%05u", f->prefix, shard, n_shards);
    if (exists(sb_text(&sb)))
        return sb_take(&sb);
    sb_clear(&sb);
    sb_addf(&sb, ".data-%05u-of-*", shard);
    pattern = glob_pattern(f->prefix, sb_text(&sb));
    sb_done(&sb);
    if (glob(pattern, 0, NULL, &found) == 0) {
        if (found.gl_pathc == 1)
            path = xstrdup(found.gl_pathv[0]);
        globfree(&found);
    }
    free(pattern);
    return path;
}

/* ---- tests whether a file belongs to a checkpoint */

static bool is_file(const char *path, dev_t device, ino_t inode)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

bool checkpoint_has_file(const struct checkpoint *c, dev_t device, ino_t inode)
{
    bool found = false;

    for (size_t i = 0; i < c->files.n_tables && !found; i++)
        found = is_file(c->files.tables[i], device, inode);
    for (size_t i = 0; c->is_v2 && i < c->parts.n && !found; i++) {
        char *path;

        if (i && c->parts.data[i].shard == c->parts.data[i - 1].shard)
            continue;
        path = checkpoint_data_path(&c->files, c->parts.data[i].shard, c->n_shards);
        found = path && is_file(path, device, inode);
        free(path);
    }
    return found;
}
