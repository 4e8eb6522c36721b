/* user_files.c: where a user's config and state are kept. */
#include "session/user_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"

/* As the XDG base directory specification says: relative paths are ignored. */
static bool base_folder(struct strbuf *sb, const char *variable, const char *below_home)
{
    const char *folder = getenv(variable);
    const char *home = getenv("HOME");

    if (folder && folder[0] == '/')
        sb_adds(sb, folder);
    else if (home && home[0] == '/')
        sb_addf(sb, "%s/%s", home, below_home);
    else
        return false;
    sb_adds(sb, "/tfprof");
    return true;
}

char *config_file(const char *name)
{
    struct strbuf path = {0};

    if (!base_folder(&path, "XDG_CONFIG_HOME", ".config"))
        return NULL;
    sb_addf(&path, "/%s", name);
    return sb_take(&path);
}

/* Makes PATH and the folders above it. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        bool ok;

        if (slash)
            *slash = '\0';
        ok = mkdir(path, 0700) == 0 || errno == EEXIST;
        if (!slash)
            return ok;
        *slash = '/';
        if (!ok && errno != EACCES && errno != EROFS)
            return false;
    }
}

char *state_file(const char *name, bool create, struct notes *notes)
{
    struct strbuf path = {0};

    if (!base_folder(&path, "XDG_STATE_HOME", ".local/state"))
        return NULL;
    if (create && !make_folders(path.data)) {
        note_add(notes, "%s: cannot be made: %s", path.data, strerror(errno));
        sb_done(&path);
        return NULL;
    }
    sb_addf(&path, "/%s", name);
    return sb_take(&path);
}
