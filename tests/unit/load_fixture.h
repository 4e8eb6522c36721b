/* load_fixture.h: small inputs for tests of the loaders, written as texts. */
#ifndef TFPROF_TESTS_LOAD_FIXTURE_H
#define TFPROF_TESTS_LOAD_FIXTURE_H

#include "load/formats.h"

/* Group setup and teardown: a folder for the inputs, below the current one. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Path of NAME in the folder; valid until the next call. */
const char *fixture_path(const char *name);
/* Writes LEN bytes to the file NAME. */
void fixture_write(const char *name, const void *bytes, size_t len);
/* Writes TEXT, a message of FORMAT in text form, in binary form. */
void fixture_binary(const char *name, enum input_format format, const char *text);

/* Loads the files of the folder that the request's members name; fails the
 * test on an error. */
struct profile *fixture_load(const char *graph, const char *op_log, const char *run_meta_0,
                             const char *run_meta_1);
struct profile *fixture_load_profile(const char *name);
/* Loads NAME by content, which must fail with exactly the message WANTED
 * (without the folder's path), or succeed when WANTED is NULL. */
void fixture_load_file(const char *name, const char *wanted);

/* The same with files of known formats, NULL where there is none. */
void fixture_try(const char *graph, const char *op_log, const char *run_meta, const char *wanted);

/* The node of a name, which must be there. */
node_id fixture_node(const struct profile *p, const char *name);
/* True when NOTE is part of one of the profile's notes. */
bool fixture_has_note(const struct profile *p, const char *note);
/* The types of a node as "a|b". */
const char *fixture_types(const struct profile *p, const char *name);

#endif
