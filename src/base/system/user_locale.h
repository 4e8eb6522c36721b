/* user_locale.h: characters as the user's terminal has them. */
#ifndef TFPROF_BASE_SYSTEM_USER_LOCALE_H
#define TFPROF_BASE_SYSTEM_USER_LOCALE_H

/* Sets the process's locale as the environment says, but for numbers, which look alike everywhere.
 * A locale that is not installed here, as is common over ssh, still has its UTF-8: by C.UTF-8. */
void user_locale_set(void);

#endif
