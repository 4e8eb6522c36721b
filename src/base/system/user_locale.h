/* user_locale.h: sets the locale from the environment. */
#pragma once

/* Sets the locale of the process from the environment, except for the format of numbers. If the
 * locale is not installed, as is common over ssh, but requests UTF-8, C.UTF-8 is used. */
void user_locale_set(void);
