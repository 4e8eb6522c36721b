/* glossary.h: terms that users meet, for `tfprof help TERM` and doc/glossary.md. */
#ifndef TFPROF_CLI_GLOSSARY_H
#define TFPROF_CLI_GLOSSARY_H

/* SYNONYMS are separated by ", "; empty when there are none. */
struct glossary_term {
    const char *term, *synonyms, *meaning;
};

/* In alphabetical order; the last entry has no term. */
extern const struct glossary_term glossary[];

#endif
