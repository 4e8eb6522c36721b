/* report_text.h: the report of a check in the outputs that have other contents too. */
#ifndef TFPROF_EXPORT_REPORT_TEXT_H
#define TFPROF_EXPORT_REPORT_TEXT_H

#include "export/check_report.h"
#include "export/output.h"

bool check_write_text(const struct check_report *report, struct sink *s, struct err *err);

#endif
