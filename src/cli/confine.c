/* confine.c: builds the sandbox rules of one run of the program. */
#include "cli/cli.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "export/output.h"
#include "export/sinks/sink_file.h"
#include "session/state.h"

enum { MAX_PATHS = 4 };

struct writable_paths {
    struct sandbox_path list[MAX_PATHS];
    size_t n;
};

bool confine_is_secure(void)
{
    const char *asked = getenv("TFPROF_SECURE");

    return asked && *asked && strcmp(asked, "0") != 0;
}

/* Paths that do not exist need no rule, because nothing is written there. */
static void add_path(struct writable_paths *p, const char *path, bool is_folder)
{
    const int fd = open(path, O_PATH | O_CLOEXEC | (is_folder ? O_DIRECTORY : 0));

    if (fd >= 0)
        p->list[p->n++] = (struct sandbox_path){.fd = fd, .kind = is_folder ? SANDBOX_FOLDER : SANDBOX_FILE};
}

/* Allows writing to PATH: to a folder, device or pipe itself (links are followed), else to the
 * folder that contains the file. MAKES_FOLDER: a missing folder will be created. */
static void add_target(struct writable_paths *p, const char *path, bool makes_folder)
{
    struct err ignored = {0};
    struct target_path target;

    if (!target_path_find(path, &target, &ignored)) {
        err_done(&ignored); /* reported when the file is written */
        return;
    }
    if (target.exists && !S_ISREG(target.st.st_mode)) {
        const int fd = openat(target.folder_fd, target.name, O_PATH | O_CLOEXEC);

        if (fd >= 0)
            p->list[p->n++] =
                (struct sandbox_path){.fd = fd, .kind = S_ISDIR(target.st.st_mode) ? SANDBOX_FOLDER : SANDBOX_FILE};
    } else {
        p->list[p->n++] = (struct sandbox_path){
            .fd = target.folder_fd, .kind = makes_folder ? SANDBOX_NEW_FOLDERS : SANDBOX_FOLDER};
        target.folder_fd = -1;
    }
    target_path_done(&target);
}

/* Allows the output file of CL; false when CL names none. */
static bool add_output(struct writable_paths *p, const struct command_line *cl)
{
    struct err ignored = {0};
    struct output_spec spec;
    bool is_named;

    if (!output_parse(cl->options.output, &spec, &ignored)) {
        err_done(&ignored); /* reported when the output is made */
        return false;
    }
    is_named = spec.outfile != NULL;
    if (is_named)
        add_target(p, spec.outfile, spec.output->outfile == OUTFILE_FOLDER);
    output_spec_done(&spec);
    return is_named;
}

/* Allows locations that the screen and the prompt may write to later: output folder, state folder
 * and terminal. */
static void add_session(struct writable_paths *p, const struct command_line *cl)
{
    char *dir = cl->no_state ? NULL : state_dir();

    if (!add_output(p, cl))
        add_path(p, ".", true);
    if (dir && state_make_dir(dir))
        add_path(p, dir, true);
    free(dir);
    add_path(p, "/dev/tty", false);
}

/* Valgrind prints a warning to our standard error for a system call that it does not support. */
static bool is_in_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    return preloaded && strstr(preloaded, "/vgpreload_");
}

struct sandbox confine(const struct command_line *cl)
{
    const bool is_screen = !cl->command;
    const bool stays = is_screen || cl->command->kind == COMMAND_SHELL;
    struct writable_paths writable_paths = {.n = 0};
    struct sandbox on = {0};

    if ((is_screen && !cl->secure) || is_in_valgrind()) {
        on.no_new_privs = sandbox_no_new_privs();
        return on;
    }
    if (stays)
        add_session(&writable_paths, cl);
    else
        add_output(&writable_paths, cl);
#ifdef COVERAGE_FOLDER
    add_path(&writable_paths, COVERAGE_FOLDER, true); /* gcov writes counters to these files */
#endif
    on = sandbox_enter(&(struct sandbox_rules){.writable_paths = writable_paths.list,
                                               .n_paths = writable_paths.n,
                                               .writes_anywhere = stays && !cl->secure,
                                               .stops_job = stays});
    for (size_t i = 0; i < writable_paths.n; i++)
        close(writable_paths.list[i].fd);
    return on;
}
