/* row_names.h: names of rows for events without a launch or step. */
#pragma once

#define NO_LAUNCH_NAME "(no recorded launch)" /* device work whose launch is not in the file */
#define OUTSIDE_NAME "(outside of steps)"     /* device work outside of all steps */
