/* scratch.h: what programs that feed the readers share: a folder for files, and conditions. */
#ifndef TFPROF_TESTS_FUZZ_SCRATCH_H
#define TFPROF_TESTS_FUZZ_SCRATCH_H

/* A folder of this process for what must be read from files; made at the first
 * call, empty then. */
const char *fuzz_folder(void);
/* Removes all that is in it. */
void fuzz_folder_empty(void);
/* Removes it; for programs that end in order. */
void fuzz_folder_remove(void);

/* Ends the program when CONDITION does not hold. */
#define FUZZ_REQUIRE(condition) fuzz_require((condition), #condition, __FILE__, __LINE__)
void fuzz_require(int holds, const char *condition, const char *file, int line);

#endif
