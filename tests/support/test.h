/* test.h: cmocka, with the headers that it needs before it. */
#ifndef HEADLIGHT_TESTS_SUPPORT_TEST_H
#define HEADLIGHT_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
