/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tools say besides their result: the end is kept, however much it is and however written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>

#include "collector/agent/futex.h"
#include "collector/agent/remarks.h"

/* The tail of `count` times `text`. */
static const char *tail_of(const char *text, size_t count, int flags)
{
	char *tail = futex_shared_memory(REMARKS_TAIL_MAX + 1);
	struct remarks remarks;

	assert_non_null(tail);
	assert_int_equal(remarks_open(&remarks, tail), 0);
	if (flags)
		assert_int_equal(fcntl(remarks.write_fd, F_SETFL, flags), 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(write(remarks.write_fd, text, strlen(text)), strlen(text));
	remarks_settle(&remarks);
	return tail;
}

static void little_is_kept_as_a_whole(void **state)
{
	(void)state;
	assert_string_equal(tail_of("", 0, 0), "");
	assert_string_equal(tail_of("make: no rule\n", 1, 0), "make: no rule\n");
	assert_string_equal(tail_of("make: no rule\n", 1, O_APPEND), "make: no rule\n");
}

static void of_much_the_end_is_kept(void **state)
{
	const char *tail = tail_of("0123456789", 300000, 0);

	(void)state;
	assert_int_equal(strlen(tail), REMARKS_TAIL_MAX);
	for (size_t i = 0; i < REMARKS_TAIL_MAX; i++)
		assert_int_equal(tail[i], "0123456789"[i % 10]);
}

static void a_tail_is_one_line(void **state)
{
	char tail[REMARKS_TAIL_MAX + 1];

	(void)state;
	remarks_take_tail(tail, "a\n\tb \n\n", 7);
	assert_string_equal(tail, "a  b");
	remarks_take_tail(tail, "\n", 1);
	assert_string_equal(tail, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(little_is_kept_as_a_whole),
		cmocka_unit_test(of_much_the_end_is_kept),
		cmocka_unit_test(a_tail_is_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
