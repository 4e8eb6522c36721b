/* iteration_name.h: the annotations by which LLM servers mark the iterations of their scheduler
 * (formats-trace.md section 11). */
#pragma once

#include "base/text.h"
#include "model/iteration.h"

/* Parses NAME into COUNTS; false if it is not the name of an iteration. */
bool iteration_name_read(struct text name, struct iteration_counts *counts);
