/* glossary.h: the terms of the field as users meet them, for `tfprof help TERM` and doc/glossary.md. */
#ifndef TFPROF_CLI_GLOSSARY_H
#define TFPROF_CLI_GLOSSARY_H

/* SYNONYMS are separated by ", "; empty when there are none. */
struct glossary_term {
    const char *term, *synonyms, *meaning;
};

/* In the order of the alphabet; the last one has no term. */
extern const struct glossary_term glossary[];

#endif
