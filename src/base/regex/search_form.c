/* search_form.c: rewrites a regex for whole texts as a search. */
#include "base/regex/search_form.h"

#include <string.h>

#include "base/regex/regex_reader.h"

struct analysis {
    struct search_form *form;
    struct regex_reader reader;
    bool is_bounded;
    bool after_digits; /* the last element matched digits */
};

/* True at the end of a top-level alternative. */
static bool at_end(const struct regex_reader *r)
{
    return r->depth == 0 && (r->at == r->end || *r->at == '|');
}

/* True for "[0-9]", "[0-5]", "[13]". */
static bool is_digits_class(const char *element, size_t len)
{
    return len > 2 && *element == '[' && strspn(element + 1, "0123456789-") == len - 2;
}

/* Records the element from BEGIN up to the reader's position. */
static void add_element(struct analysis *a, const char *begin)
{
    const size_t len = (size_t)(a->reader.at - begin);

    sb_add(&a->form->regex, begin, len);
    if ((*begin == '*' || *begin == '+') && a->after_digits && at_end(&a->reader))
        a->form->may_end_in_digits = true;
    else if (strchr("*+{", *begin) || (*begin == '\\' && strchr("123456789k", begin[1])))
        a->is_bounded = false; /* a repetition or a back reference */
    else
        a->form->max_len++;
    a->after_digits = (len == 2 && memcmp(begin, "\\d", 2) == 0) || is_digits_class(begin, len);
}

/* Skips ".*" at the beginning of an alternative. */
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

/* Skips ".*" at the end of an alternative. */
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

/* PCRE2 10.42 handles some constructs wrongly at the beginning of a regex, where the search form
 * may put them: "(?=a)b*a" does not match "a", and "(a|.*){0}" does not match "". */
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

/* Reads a digit element: "\\d", "[0-5]" or "[13]". Returns the set of digits, one bit each, and its
 * end in *END; 0 for other elements. */
static uint16_t read_digits(const char *text, const char **end)
{
    const char *close = *text == '[' ? strchr(text, ']') : NULL;
    uint16_t digits = 0;

    *end = close ? close + 1 : text + 2;
    if (strncmp(text, "\\d", 2) == 0)
        return 0x3ff;
    if (!close || !is_digits_class(text, (size_t)(*end - text)))
        return 0;
    for (const char *at = text + 1; at < close; at++) {
        char last = at[0];

        if (at[0] == '-')
            return 0;
        if (at[1] == '-') {
            last = at[2];
            if (last == ']')
                return 0;
        }
        for (char digit = at[0]; digit <= last; digit++)
            digits = (uint16_t)(digits | 1u << (digit - '0'));
        at += at[1] == '-' ? 2 : 0;
    }
    return digits;
}

static bool is_one_of(uint16_t digits, char byte)
{
    return byte >= '0' && byte <= '9' && digits >> (byte - '0') & 1;
}

/* Sets is_tail if F searches for a literal followed by digits. */
static void find_tail(struct search_form *f)
{
    const char *regex = sb_text(&f->regex), *end;

    if (!f->open_start || f->open_end)
        return;
    f->literal_len = strcspn(regex, "\\^$.[]|()?*+{}");
    f->digits = read_digits(regex + f->literal_len, &end);
    if (!f->digits)
        return;
    f->repeats = *end == '+';
    /* If the literal ends in such a digit, the split between literal and digits is ambiguous. */
    f->is_tail = end[f->repeats] == '\0' &&
                 !(f->repeats && f->literal_len && is_one_of(f->digits, regex[f->literal_len - 1]));
}

bool search_form_ends(const struct search_form *f, const char *text, size_t len)
{
    const size_t all = len;

    while (len && (f->repeats || len == all) && is_one_of(f->digits, text[len - 1]))
        len--;
    return len < all && len >= f->literal_len &&
           memcmp(text + len - f->literal_len, sb_text(&f->regex), f->literal_len) == 0;
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
    find_tail(f);
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
