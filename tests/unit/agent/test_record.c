/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/agent/record.h"
#include "collector/agent/stop.h"

static struct record_writer writer;

static int start(void **state)
{
	(void)state;
	record_writer_init(&writer, memfd_create("records", 0), false);
	return writer.fd < 0;
}

static int stop(void **state)
{
	(void)state;
	return close(writer.fd);
}

/* What was written so far. */
static const char *written(void)
{
	static char text[4 * RECORD_MAX];
	ssize_t got = pread(writer.fd, text, sizeof(text) - 1, 0);

	assert_true(got >= 0);
	text[got] = '\0';
	return text;
}

static void test_sequence_and_end(void **state)
{
	(void)state;
	record_hello(&writer, "1.2");
	record_begin(&writer, "mm.fork", "");
	record_unavailable(&writer, "a.b", "c=1", "no such thing");
	record_failed(&writer, "a.b", "", "broke");
	record_end(&writer, true);
	assert_string_equal(
		written(),
		"{\"seq\":0,\"type\":\"hello\",\"format\":\"kregress-agent-1\",\"agent\":\"1.2\"}\n"
		"{\"seq\":1,\"type\":\"begin\",\"benchmark\":\"mm.fork\",\"params\":\"\"}\n"
		"{\"seq\":2,\"type\":\"unavailable\",\"benchmark\":\"a.b\",\"params\":\"c=1\","
		"\"reason\":\"no such thing\"}\n"
		"{\"seq\":3,\"type\":\"failed\",\"benchmark\":\"a.b\",\"params\":\"\","
		"\"reason\":\"broke\"}\n"
		"{\"seq\":4,\"type\":\"end\",\"count\":4,\"status\":\"ok\"}\n");
}

static void test_escapes(void **state)
{
	static const struct {
		const char *text, *escaped;
	} cases[] = {
		{"a\"b\\c/d", "a\\\"b\\\\c/d"},
		{"\n\t\x01\x7f", "\\u000a\\u0009\\u0001\\u007f"},
		{"\xc3\xa4\xe2\x82\xac", "\\u00e4\\u20ac"},
		{"\xf0\x9f\x90\xa7", "\\ud83d\\udc27"},
		/* overlong, surrogate, beyond U+10FFFF, lone continuation, cut */
		{"\xc0\xaf", "\\ufffd\\ufffd"},
		{"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
		{"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
		{"\x80x", "\\ufffdx"},
		{"x\xe2\x82", "x\\ufffd\\ufffd"},
		{"\xff", "\\ufffd"},
	};
	char expected[4096] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t used = strlen(expected);

		record_log(&writer, cases[i].text);
		snprintf(expected + used, sizeof(expected) - used,
			 "{\"seq\":%zu,\"type\":\"log\",\"message\":\"%s\"}\n", i,
			 cases[i].escaped);
	}
	assert_string_equal(written(), expected);
}

static void test_long_text_is_clipped(void **state)
{
	char text[10000];
	const char *line;

	(void)state;
	memset(text, 1, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	record_failed(&writer, text, text, "why");
	assert_false(writer.broken);
	line = written();
	assert_true(strlen(line) < RECORD_MAX);
	assert_non_null(strstr(line, "...\",\"reason\":\"why\"}\n"));
}

static const struct record_series series = {"a.b", "", "time", "ns/op", "lower"};

static void test_numbers_read_back(void **state)
{
	const double values[] = {0, 1, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789012345678.0, 338.0032};
	const size_t count = sizeof(values) / sizeof(values[0]);
	char *next;

	(void)state;
	record_sample(&writer, &series, 2, 4096, values, count);
	assert_memory_equal(written(), "{\"seq\":0,\"type\":\"sample\",", 25);
	assert_non_null(strstr(written(), ",\"invocation\":2,\"loops\":4096,\"values\":[0,1,0.1,"));
	next = strstr((char *)written(), "[") + 1;
	for (size_t i = 0; i < count; i++) {
		assert_true(strtod(next, &next) == values[i]);
		assert_int_equal(*next++, i + 1 < count ? ',' : ']');
	}
	assert_string_equal(next, "}\n");
}

#define CONTEXT_HEAD                                                                               \
	"\"type\":\"context\",\"benchmark\":\"a.b\",\"params\":\"\",\"invocation\":3,"             \
	"\"duration_ns\":1,\"steal_ns\":2,\"involuntary_switches\":3,\"interrupts\":4"

static void test_context(void **state)
{
	const struct record_disturbance came = {1, 2, 3, 4};
	const struct record_disturbance samples[] = {{5, 6, 7, 8}, {9, 0, 0, 1}};

	(void)state;
	record_context(&writer, "a.b", "", 3, &came, NULL, 0);
	record_context(&writer, "a.b", "", 3, &came, samples, 2);
	record_state(&writer, 1, "two");
	assert_string_equal(written(),
			    "{\"seq\":0," CONTEXT_HEAD "}\n"
			    "{\"seq\":1," CONTEXT_HEAD ",\"samples\":[[5,6,7,8],[9,0,0,1]]}\n"
			    "{\"seq\":2,\"type\":\"state\",\"state\":1,\"name\":\"two\"}\n");
}

/* At its longest it fits a record, and one more is left out. */
static void test_largest_context(void **state)
{
	static struct record_disturbance samples[RECORD_CONTEXTS_MAX + 1];
	const struct record_disturbance most = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

	(void)state;
	for (size_t i = 0; i <= RECORD_CONTEXTS_MAX; i++)
		samples[i] = most;
	record_context(&writer, "a.b", "", 3, &most, samples, RECORD_CONTEXTS_MAX + 1);
	assert_null(strstr(written(), "samples"));
	record_context(&writer, "a.b", "", 3, &most, samples, RECORD_CONTEXTS_MAX);
	assert_false(writer.broken);
	assert_non_null(strstr(written(), "samples"));
}

static void test_largest_sample_fits(void **state)
{
	static double values[2000];

	(void)state;
	for (size_t i = 0; i < 2000; i++)
		values[i] = 1e-300 / 3 + (double)i * 1e-301;
	record_sample(&writer, &series, 0, 1, values, 2000);
	assert_false(writer.broken);
	assert_int_equal(writer.seq, 1);
}

static void test_not_finite_is_never_written(void **state)
{
	const double bad[] = {NAN, INFINITY, -INFINITY};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		writer.broken = false;
		record_sample(&writer, &series, 0, 1, &bad[i], 1);
		assert_true(writer.broken);
	}
	assert_string_equal(written(), "");
}

static void test_closed_reader_breaks_the_writer(void **state)
{
	static struct record_writer closed;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	record_writer_init(&closed, fds[1], false);
	record_log(&closed, "into the void");
	assert_true(closed.broken);
	record_end(&closed, true);
	assert_true(closed.broken);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sequence_and_end, start, stop),
		cmocka_unit_test_setup_teardown(test_escapes, start, stop),
		cmocka_unit_test_setup_teardown(test_long_text_is_clipped, start, stop),
		cmocka_unit_test_setup_teardown(test_numbers_read_back, start, stop),
		cmocka_unit_test_setup_teardown(test_largest_sample_fits, start, stop),
		cmocka_unit_test_setup_teardown(test_context, start, stop),
		cmocka_unit_test_setup_teardown(test_largest_context, start, stop),
		cmocka_unit_test_setup_teardown(test_not_finite_is_never_written, start, stop),
		cmocka_unit_test(test_closed_reader_breaks_the_writer),
	};

	stop_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
