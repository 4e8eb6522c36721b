/* scratch.h: a temporary folder and assertions, for programs that run the readers. */
#pragma once

/* A folder of this process; created at the first call. */
const char *fuzz_folder(void);
/* Removes its contents. */
void fuzz_folder_empty(void);
/* Removes it; called before a normal exit. */
void fuzz_folder_remove(void);

/* Aborts when CONDITION is false. */
#define FUZZ_REQUIRE(condition) fuzz_require((condition), #condition, __FILE__, __LINE__)
void fuzz_require(int holds, const char *condition, const char *file, int line);
