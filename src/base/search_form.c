/* search_form.c: a regex of whole texts as one that is searched for. */
#include "base/search_form.h"

#include <string.h>

#include "base/regex_reader.h"

struct analysis {
    struct search_form *form;
    struct regex_reader reader;
    bool is_bounded;
    bool after_digits; /* the last element was digits */
};

/* True at the end of an alternative that is not in a group. */
static bool at_end(const struct regex_reader *r)
{
    return r->depth == 0 && (r->at == r->end || *r->at == '|');
}

/* True for "[0-9]", "[0-5]", "[13]". */
static bool is_digits_class(const char *element, size_t len)
{
    return len > 2 && *element == '[' && strspn(element + 1, "0123456789-") == len - 2;
}

/* Takes note of the element from BEGIN on, behind which the reader stands. */
static void add_element(struct analysis *a, const char *begin)
{
    const size_t len = (size_t)(a->reader.at - begin);

    sb_add(&a->form->regex, begin, len);
    if ((*begin == '*' || *begin == '+') && a->after_digits && at_end(&a->reader))
        a->form->may_end_in_digits = true;
    else if (strchr("*+{", *begin) || (*begin == '\\' && strchr("123456789k", begin[1])))
        a->is_bounded = false; /* a repetition, or another group's text once more */
    else
        a->form->max_len++;
    a->after_digits = (len == 2 && memcmp(begin, "\\d", 2) == 0) || is_digits_class(begin, len);
}

/* ".*" at the beginning of an alternative. */
static bool skip_open_start(struct regex_reader *r)
{
    const struct regex_reader before = *r;

    if (regex_starts_with(r, "^"))
        r->at++;
    if (regex_starts_with(r, ".*")) {
        r->at += 2;
        if (!regex_starts_with(r, "+") && !regex_starts_with(r, "?"))
            return true;
    }
    *r = before;
    return false;
}

/* ".*" at the end of an alternative. */
static bool skip_open_end(struct regex_reader *r)
{
    const struct regex_reader before = *r;

    if (r->depth == 0 && regex_starts_with(r, ".*")) {
        r->at += 2;
        if (regex_starts_with(r, "$"))
            r->at++;
        if (at_end(r))
            return true;
    }
    *r = before;
    return false;
}

/* At the beginning of a regex, where a form may bring them, PCRE2 10.42 takes
 * some things wrongly: "(?=a)b*a" does not match "a", nor "(a|.*){0}" nothing. */
static bool is_unsafe(const struct regex_reader *r)
{
    return regex_starts_with(r, "{0") ||
           (regex_starts_with(r, "(?") && !regex_starts_with(r, "(?:"));
}

static bool read_alternative(struct analysis *a, bool *open_start, bool *open_end)
{
    struct regex_reader *r = &a->reader;
    const size_t len_before = a->form->regex.len;

    a->after_digits = false;
    *open_start = skip_open_start(r);
    while (!(*open_end = skip_open_end(r)) && !at_end(r)) {
        const char *begin = r->at;

        if (r->at == r->end || is_unsafe(r) || !regex_skip_element(r))
            return false;
        add_element(a, begin);
    }
    return a->form->regex.len > len_before;
}

bool search_form_init(struct search_form *f, const char *regex, size_t len)
{
    struct analysis a = {.form = f, .reader = {regex, regex + len, 0}, .is_bounded = true};
    struct regex_reader *r = &a.reader;
    bool open_start, open_end;

    memset(f, 0, sizeof *f);
    if (regex_starts_with(r, "(?i)")) {
        sb_adds(&f->regex, "(?i)");
        r->at += 4;
    }
    if (!read_alternative(&a, &f->open_start, &f->open_end))
        return false;
    while (r->at < r->end) {
        r->at++;
        sb_addc(&f->regex, '|');
        if (!read_alternative(&a, &open_start, &open_end) || open_start != f->open_start ||
            open_end != f->open_end)
            return false;
    }
    if (!a.is_bounded || f->open_end)
        f->max_len = 0;
    return f->open_start || f->open_end;
}

void search_form_done(struct search_form *f)
{
    sb_done(&f->regex);
}

size_t search_form_start(const struct search_form *f, const char *text, size_t len)
{
    if (!f->max_len)
        return 0;
    if (f->may_end_in_digits)
        while (len && text[len - 1] >= '0' && text[len - 1] <= '9')
            len--;
    return len > f->max_len ? len - f->max_len : 0;
}
