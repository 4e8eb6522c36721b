/* no_world.c: prevents random keys from running programs and writing files.  The first functions
 * replace those of tui/commands/spawn.h. */
#include <string.h>

#include "export/sinks/sink_file.h"
#include "scratch.h"
#include "tui/commands/spawn.h"

bool spawn_wait(const char *const *argv, const char *input, size_t input_len,
                enum spawn_output output, int *status, struct err *err)
{
    (void)input;
    (void)input_len;
    (void)output;
    *status = 0;
    return err_set(err, ERR_INPUT, "%s: nothing is run here", argv[0]);
}

bool spawn_editor(const char *file, long line, struct err *err)
{
    (void)line;
    return err_set(err, ERR_INPUT, "%s: nothing is edited here", file);
}

bool spawn_shell(const char *command, const char *input, size_t input_len, int *status,
                 struct err *err)
{
    (void)command;
    (void)input;
    (void)input_len;
    (void)err;
    *status = 1;
    return true;
}

void spawn_pause(void)
{
}

/* The linker replaces sink_file_open() by this. */
bool __wrap_sink_file_open(struct sink_file *f, const struct sink_file_request *request,
                           struct err *err);
bool __real_sink_file_open(struct sink_file *f, const struct sink_file_request *request,
                           struct err *err);

bool __wrap_sink_file_open(struct sink_file *f, const struct sink_file_request *request,
                           struct err *err)
{
    const char *path = request->path;
    const char *ours = fuzz_folder();

    if (strncmp(path, ours, strlen(ours)) != 0 || strstr(path, ".."))
        return err_set(err, ERR_INPUT, "%s: nothing is written here", path);
    return __real_sink_file_open(f, request, err);
}
