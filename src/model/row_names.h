/* row_names.h: names of rows that stand for what the file does not place. */
#pragma once

#define NO_LAUNCH_NAME "(no recorded launch)" /* device work whose launch the file does not have */
#define OUTSIDE_NAME "(outside of steps)"     /* device work outside of all steps */
