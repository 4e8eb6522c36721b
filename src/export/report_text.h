/* report_text.h: check reports for outputs that also write other contents. */
#ifndef TFPROF_EXPORT_REPORT_TEXT_H
#define TFPROF_EXPORT_REPORT_TEXT_H

#include "export/check_report.h"
#include "export/output.h"

bool check_write_text(const struct check_report *report, struct sink *s, struct err *err);

#endif
