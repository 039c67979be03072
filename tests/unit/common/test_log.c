/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/log.h"
#include "common/strbuf.h"

static void take(void *context, enum log_level level, const char *message)
{
	strbuf_printf(context, "%d:%s\n", level, message);
}

static void messages_reach_the_sink_with_their_level(void **state)
{
	_cleanup_(strbuf_release) struct strbuf taken = STRBUF_INIT;
	const struct log log = {take, &taken};
	_cleanup_(strbuf_release) struct strbuf expected = STRBUF_INIT;

	(void)state;
	log_progress(&log, "boot %d of %d", 2, 8);
	log_note(&log, "%s", "100% done");
	log_warning(&log, "no values");
	strbuf_printf(&expected, "%d:boot 2 of 8\n%d:100%% done\n%d:no values\n", LOG_PROGRESS,
		      LOG_NOTE, LOG_WARNING);
	assert_string_equal(strbuf_text(&taken), expected.text);
}

static void long_messages_are_whole(void **state)
{
	_cleanup_(strbuf_release) struct strbuf taken = STRBUF_INIT, text = STRBUF_INIT;
	const struct log log = {take, &taken};

	(void)state;
	strbuf_append_repeat(&text, 'x', 100000);
	log_note(&log, "%s", text.text);
	assert_int_equal(taken.length, 2 + 100000 + 1);
}

static void without_a_log_nothing_is_said(void **state)
{
	const struct log silent = {NULL, NULL};

	(void)state;
	log_progress(NULL, "%s", "x");
	log_note(&silent, "%s", "x");
	log_warning(NULL, "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_reach_the_sink_with_their_level),
		cmocka_unit_test(long_messages_are_whole),
		cmocka_unit_test(without_a_log_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
