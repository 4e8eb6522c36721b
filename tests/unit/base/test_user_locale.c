/* test_user_locale.c: the character encoding chosen by the environment. */
#include <langinfo.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/system/user_locale.h"
#include "fixtures/skip.h"

static const char *codeset(const char *all, const char *ctype, const char *lang)
{
    setenv("LC_ALL", all, 1);
    setenv("LC_CTYPE", ctype, 1);
    setenv("LANG", lang, 1);
    setlocale(LC_ALL, "C");
    user_locale_set();
    return nl_langinfo(CODESET);
}

static void utf8_needs_no_locale_of_that_name(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "C.UTF-8"))
        SKIP_TEST("the system has no C.UTF-8");
    assert_string_equal(codeset("xx_XX.UTF-8", "", ""), "UTF-8");
    assert_string_equal(codeset("", "xx_XX.utf8", "C"), "UTF-8");
    assert_string_equal(codeset("", "", "xx_XX.utf8@euro"), "UTF-8");
    assert_string_equal(codeset("", "", "C.UTF-8"), "UTF-8");
}

static void other_locales_are_unchanged(void **state)
{
    (void)state;
    assert_string_not_equal(codeset("C", "xx_XX.UTF-8", "xx_XX.UTF-8"), "UTF-8");
    assert_string_not_equal(codeset("xx_XX.ISO-8859-1", "", ""), "UTF-8");
    assert_string_not_equal(codeset("xx_XX", "", "xx_XX.UTF-8"), "UTF-8");
    assert_string_not_equal(codeset("", "", ""), "UTF-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_needs_no_locale_of_that_name),
        cmocka_unit_test(other_locales_are_unchanged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
