/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "store/exchange.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"

#define HEADER "{\"type\":\"header\",\"format\":\"kregress-1\",\"generator\":\"test\"}\n"
#define RUN_SET                                                                                    \
	"{\"type\":\"run_set\",\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\",\"machine\":\"m\"," \
	"\"level\":\"boot\"}\n"
#define BOOT "{\"type\":\"boot\",\"boot\":0,\"status\":\"ok\"}\n"
#define SERIES                                                                                     \
	"{\"type\":\"series\",\"series\":0,\"benchmark\":\"a.b\",\"metric\":\"time\",\"unit\":"    \
	"\"ns/op\",\"better\":\"lower\"}\n"
#define SAMPLES	     "{\"type\":\"samples\",\"series\":0,\"boot\":0,\"values\":[1,2.5]}\n"
#define END(n)	     "{\"type\":\"end\",\"lines\":" #n "}\n"
#define UP_TO_SERIES HEADER RUN_SET BOOT SERIES

static int read_text(const char *text, struct run_set_list *sets, struct error *err)
{
	return exchange_read("doc", text, strlen(text), sets, err);
}

static void everything_comes_back(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf again = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	exchange_write(&text, &sets);
	assert_int_equal(exchange_read("doc", text.text, text.length, &back, &err), 0);
	assert_lists_equal(&sets, &back);
	exchange_write(&again, &back);
	assert_string_equal(text.text, again.text);
}

static void no_set_is_a_document(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	exchange_write(&text, &sets);
	assert_string_equal(text.text, "{\"type\":\"header\",\"format\":\"kregress-1\","
				       "\"generator\":\"kregress " KREGRESS_VERSION "\"}\n" END(1));
	assert_int_equal(read_text(text.text, &sets, &err), 0);
	assert_int_equal(sets.count, 0);
}

/* Small documents as other programs write them: optional keys left out, no last newline. */
static void optional_keys_have_defaults(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct run_set *set;

	(void)state;
	assert_int_equal(
		read_text(UP_TO_SERIES SAMPLES "{\"type\":\"end\",\"lines\":5.0}", &sets, &err), 0);
	assert_int_equal(sets.count, 1);
	set = sets.items[0];
	assert_string_equal(set->collection, "a");
	assert_null(set->created_at);
	assert_null(set->extra);
	assert_true(set->seed == 0);
	assert_int_equal(set->boots.items[0].block, 0);
	assert_string_equal(set->series.items[0].params, "");
	assert_int_equal(set->series.items[0].samples.count, 2);
	assert_int_equal(set->series.items[0].samples.items[1].iteration, 1);
	assert_true(set->series.items[0].samples.items[1].value == 2.5);
}

static void negative_zero_reads_as_zero(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(read_text(UP_TO_SERIES "{\"type\":\"samples\",\"series\":0,\"boot\":0,"
						"\"values\":[-0.0,-0]}\n" END(5),
				   &sets, &err),
			 0);
	array_for_each (sample, &sets.items[0]->series.items[0].samples)
		assert_false(signbit(sample->value));
}

static void reading_appends(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(read_text(HEADER RUN_SET END(2), &sets, &err), 0);
	assert_int_equal(read_text(HEADER RUN_SET END(2), &sets, &err), 0);
	assert_int_equal(sets.count, 2);
}

static void unknown_keys_are_written_again(void **state)
{
	static const char text[] =
		HEADER "{\"type\":\"run_set\",\"id\":\"a\",\"collection\":\"c\",\"variant\":\"v\","
		       "\"target\":\"t\",\"machine\":\"m\",\"seed\":\"7\",\"level\":\"boot\","
		       "\"x\":[1,2.50,{\"y\":null}],\"z\":0.1}\n" END(2);
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(read_text(text, &sets, &err), 0);
	assert_string_equal(sets.items[0]->extra, "{\"x\":[1,2.5,{\"y\":null}],\"z\":0.1}");
	exchange_write(&out, &sets);
	assert_non_null(
		strstr(out.text, "\"level\":\"boot\",\"x\":[1,2.5,{\"y\":null}],\"z\":0.1}"));
}

/* An extra that contradicts a key of this version, or is no object, must not break the document. */
static void odd_extra_is_left_out(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	replace_string(&sets.items[0]->extra, "{\"id\":\"other\",\"k\":1}");
	replace_string(&sets.items[1]->extra, "not JSON");
	exchange_write(&out, &sets);
	assert_int_equal(read_text(out.text, &back, &err), 0);
	assert_string_equal(back.items[0]->id, sets.items[0]->id);
	assert_string_equal(back.items[0]->extra, "{\"k\":1}");
	assert_null(back.items[1]->extra);
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	replace_string(&sets.items[0]->target, "a\xff"
					       "b\xe2\x82");
	exchange_write(&out, &sets);
	assert_int_equal(read_text(out.text, &back, &err), 0);
	assert_string_equal(back.items[0]->target, "a\xef\xbf\xbd"
						   "b\xef\xbf\xbd\xef\xbf\xbd");
}

static void unordered_samples_are_written_in_order(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	struct series *series;

	(void)state;
	sample_sets_make(&sets);
	series = &sets.items[0]->series.items[0];
	struct sample first = series->samples.items[0];
	series->samples.items[0] = series->samples.items[5];
	series->samples.items[5] = first;
	exchange_write(&out, &sets);
	assert_int_equal(read_text(out.text, &back, &err), 0);
	series_sort(series);
	assert_lists_equal(&sets, &back);
}

struct refusal {
	const char *text;
	const char *message; /* how the message begins */
};

static void assert_refused(const struct refusal *refusal)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(read_text(refusal->text, &sets, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_int_equal(sets.count, 0);
	if (strncmp(err.message, refusal->message, strlen(refusal->message)) != 0)
		assert_string_equal(err.message, refusal->message);
}

static void assert_all_refused(const struct refusal *refusals, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_refused(&refusals[i]);
}

static void lines_that_are_no_objects_are_refused(void **state)
{
	static const struct refusal refusals[] = {
		{"", "doc:1: an empty file"},
		{"\n", "doc:1: not a JSON object"},
		{HEADER "\n" END(2), "doc:2: not a JSON object"},
		{HEADER "[1]\n" END(2), "doc:2: not a JSON object but an array"},
		{HEADER "7\n" END(2), "doc:2: not a JSON object"},
		{HEADER "{\"type\":\"run_set\"\n", "doc:2: not a JSON object"},
		{HEADER RUN_SET "{\"type\":\"end\"} x\n", "doc:3: not a JSON object"},
		{"\xef\xbb\xbf" HEADER END(1), "doc:1: not a JSON object"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void ill_formed_text_is_refused(void **state)
{
	static const struct refusal refusals[] = {
		{HEADER "{\"type\":\"\xff\"}\n", "doc:2: byte 10 (0xff) is not UTF-8 text"},
		{HEADER RUN_SET "{\"a\":\"\xed\xa0\x80\"}\n", "doc:3: byte 7 (0xed)"},
		{HEADER "{\"type\":\"a\\u0000b\"}\n", "doc:2: not a JSON object"},
		{HEADER "{\"type\":\"\\ud800\"}\n", "doc:2: not a JSON object"},
	};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	static const char nul[] = HEADER "{\"type\":\0\"end\"}\n";

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
	assert_int_equal(exchange_read("doc", nul, sizeof(nul) - 1, &sets, &err), -1);
	assert_memory_equal(err.message, "doc:2: ", 7);
}

static void duplicate_keys_are_refused(void **state)
{
	static const struct refusal refusals[] = {
		{"{\"type\":\"header\",\"format\":\"kregress-1\",\"format\":\"kregress-1\"}\n",
		 "doc:1: not a JSON object: duplicate object key"},
		{HEADER RUN_SET
		 "{\"type\":\"boot\",\"boot\":0,\"status\":\"ok\",\"x\":{\"y\":1,\"y\":1}}\n",
		 "doc:3: not a JSON object: duplicate object key"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
#define VALUES(v) "{\"type\":\"samples\",\"series\":0,\"boot\":0,\"values\":[1," v "]}\n"
	static const struct refusal refusals[] = {
		{UP_TO_SERIES VALUES("NaN"), "doc:5: not a JSON object"},
		{UP_TO_SERIES VALUES("nan"), "doc:5: not a JSON object"},
		{UP_TO_SERIES VALUES("Infinity"), "doc:5: not a JSON object"},
		{UP_TO_SERIES VALUES("-Infinity"), "doc:5: not a JSON object"},
		{UP_TO_SERIES VALUES("1e999"), "doc:5: not a JSON object: real number overflow"},
		{UP_TO_SERIES VALUES("null"), "doc:5: value 2 must be a number"},
		{UP_TO_SERIES VALUES("\"2\""), "doc:5: value 2 must be a number"},
		{UP_TO_SERIES VALUES("[2]"), "doc:5: value 2 must be a number"},
		{HEADER RUN_SET
		 "{\"type\":\"boot\",\"boot\":0,\"status\":\"ok\",\"duration_s\":1e999}\n",
		 "doc:3: not a JSON object: real number overflow"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void negative_times_are_refused(void **state)
{
	static const struct refusal refusals[] = {
		{UP_TO_SERIES VALUES("-0.5"), "doc:5: value 2 is a time and cannot be negative"},
		{HEADER RUN_SET
		 "{\"type\":\"boot\",\"boot\":0,\"status\":\"ok\",\"duration_s\":-1}\n",
		 "doc:3: key 'duration_s' is a time and cannot be negative"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void headers_are_checked(void **state)
{
	static const struct refusal refusals[] = {
		{RUN_SET END(1), "doc:1: the first line must be a header"},
		{END(0), "doc:1: the first line must be a header"},
		{"{\"type\":\"header\"}\n", "doc:1: key 'format' is missing"},
		{"{\"type\":\"header\",\"format\":1}\n", "doc:1: key 'format' must be a string"},
		{"{\"type\":\"header\",\"format\":\"kregress-2\"}\n",
		 "doc:1: format 'kregress-2' is unknown: this program reads kregress-1"},
		{"{\"type\":\"header\",\"format\":\"kregress-1\",\"generator\":3}\n",
		 "doc:1: key 'generator' must be a string"},
		{HEADER HEADER END(2), "doc:2: a second header"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void end_lines_are_checked(void **state)
{
	static const struct refusal refusals[] = {
		{HEADER, "doc:1: the end line is missing"},
		{UP_TO_SERIES SAMPLES, "doc:5: the end line is missing"},
		{HEADER RUN_SET END(3),
		 "doc:3: the end line counts 3 lines before it, but there are 2"},
		{HEADER END(0), "doc:2: the end line counts 0 lines before it, but there are 1"},
		{HEADER "{\"type\":\"end\"}\n", "doc:2: key 'lines' is missing"},
		{HEADER "{\"type\":\"end\",\"lines\":\"1\"}\n",
		 "doc:2: key 'lines' must be a whole number"},
		{HEADER END(1) END(2), "doc:3: text behind the end line"},
		{HEADER END(1) "\n", "doc:3: text behind the end line"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void line_types_are_checked(void **state)
{
	static const struct refusal refusals[] = {
		{HEADER "{}\n", "doc:2: key 'type' is missing"},
		{HEADER "{\"type\":null}\n", "doc:2: key 'type' must be a string"},
		{HEADER "{\"type\":\"comment\\u001b\"}\n",
		 "doc:2: line type 'comment\\x1b' is unknown to kregress-1"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void run_set_keys_are_checked(void **state)
{
#define SET(keys) HEADER "{\"type\":\"run_set\"," keys "}\n"
	static const struct refusal refusals[] = {
		{SET("\"variant\":\"v\""), "doc:2: key 'id' is missing"},
		{SET("\"id\":\"\""), "doc:2: key 'id' must not be empty"},
		{SET("\"id\":7"), "doc:2: key 'id' must be a string"},
		{SET("\"id\":\"a\""), "doc:2: key 'variant' is missing"},
		{SET("\"id\":\"a\",\"variant\":\"v\""), "doc:2: key 'target' is missing"},
		{SET("\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\""),
		 "doc:2: key 'machine' is missing"},
		{SET("\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\",\"machine\":\"m\""),
		 "doc:2: key 'level' is missing"},
		{SET("\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\",\"machine\":\"m\",\"level\":"
		     "\"run\""),
		 "doc:2: key 'level' must be boot, invocation or iteration, not 'run'"},
		{SET("\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\",\"machine\":\"m\",\"seed\":"
		     "7"),
		 "doc:2: key 'seed' must be a string"},
		{SET("\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\",\"machine\":\"m\","
		     "\"seed\":\"18446744073709551616\""),
		 "doc:2: key 'seed': '18446744073709551616' is not a whole number"},
		{SET("\"id\":\"a\",\"variant\":\"v\",\"target\":\"t\",\"machine\":\"m\","
		     "\"created_at\":\"yesterday\""),
		 "doc:2: key 'created_at' must be UTC"},
		{HEADER RUN_SET RUN_SET END(3), "doc:3: run set 'a' is there twice"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void boot_keys_are_checked(void **state)
{
#define BOOT_WITH(keys) HEADER RUN_SET "{\"type\":\"boot\"," keys "}\n"
	static const struct refusal refusals[] = {
		{HEADER BOOT END(2), "doc:2: a boot line before the first run_set line"},
		{BOOT_WITH("\"status\":\"ok\""), "doc:3: key 'boot' is missing"},
		{BOOT_WITH("\"boot\":1,\"status\":\"ok\""),
		 "doc:3: boot 1 is out of order: 0 is next"},
		{HEADER RUN_SET BOOT BOOT, "doc:4: boot 0 is out of order: 1 is next"},
		{BOOT_WITH("\"boot\":0"), "doc:3: key 'status' is missing"},
		{BOOT_WITH("\"boot\":0,\"status\":\"fine\""),
		 "doc:3: key 'status' must be ok or failed, not 'fine'"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"slot\":-1"),
		 "doc:3: key 'slot' must be a whole number from 0 to 4294967295"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"slot\":4294967296"),
		 "doc:3: key 'slot' must be a whole number from 0 to 4294967295"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"block\":0.5"),
		 "doc:3: key 'block' must be a whole number"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"reason\":null"),
		 "doc:3: key 'reason' must be a string"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"started_at\":\"2026-11-30 20:33:07\""),
		 "doc:3: key 'started_at' must be UTC"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"duration_s\":\"1\""),
		 "doc:3: key 'duration_s' must be a number"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"environment\":[]"),
		 "doc:3: key 'environment' must be an object"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"environment\":{\"cpu.count\":4}"),
		 "doc:3: environment 'cpu.count' must be a string"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"failures\":{}"),
		 "doc:3: key 'failures' must be an array"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"failures\":[1]"),
		 "doc:3: key 'failures' must hold objects"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"failures\":[{\"benchmark\":\"b\"}]"),
		 "doc:3: key 'reason' is missing"},
		{BOOT_WITH("\"boot\":0,\"status\":\"ok\",\"failures\":[{\"benchmark\":\"b\","
			   "\"reason\":\"r\",\"unavailable\":1}]"),
		 "doc:3: key 'unavailable' must be true or false"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void series_keys_are_checked(void **state)
{
#define SERIES_WITH(keys) HEADER RUN_SET "{\"type\":\"series\",\"series\":0," keys "}\n"
#define SECOND(unit, better)                                                                       \
	UP_TO_SERIES                                                                               \
	"{\"type\":\"series\",\"series\":1,\"benchmark\":\"a.b\",\"metric\":\"time\","             \
	"\"unit\":\"" unit "\",\"better\":\"" better "\"}\n"
	static const struct refusal refusals[] = {
		{HEADER SERIES, "doc:2: a series line before the first run_set line"},
		{HEADER RUN_SET "{\"type\":\"series\",\"series\":3}\n",
		 "doc:3: series 3 is out of order: 0 is next"},
		{SERIES_WITH("\"metric\":\"m\""), "doc:3: key 'benchmark' is missing"},
		{SERIES_WITH("\"benchmark\":\"b\""), "doc:3: key 'metric' is missing"},
		{SERIES_WITH("\"benchmark\":\"b\",\"metric\":\"m\""),
		 "doc:3: key 'unit' is missing"},
		{SERIES_WITH("\"benchmark\":\"b\",\"metric\":\"m\",\"unit\":\"s\""),
		 "doc:3: key 'better' is missing"},
		{SERIES_WITH(
			 "\"benchmark\":\"b\",\"metric\":\"m\",\"unit\":\"s\",\"better\":\"less\""),
		 "doc:3: key 'better' must be lower or higher, not 'less'"},
		{SECOND("us/op", "lower"),
		 "doc:5: mixed units: a.b time is in 'ns/op' and in 'us/op'"},
		{SECOND("ns/op", "higher"), "doc:5: mixed directions: a.b time"},
		{SECOND("ns/op", "lower"), "doc:5: series a.b time is there twice"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

static void sample_keys_are_checked(void **state)
{
#define SAMPLES_WITH(keys) UP_TO_SERIES "{\"type\":\"samples\"," keys "}\n"
	static const struct refusal refusals[] = {
		{HEADER SAMPLES, "doc:2: a samples line before the first run_set line"},
		{SAMPLES_WITH("\"boot\":0,\"values\":[1]"), "doc:5: key 'series' is missing"},
		{SAMPLES_WITH("\"series\":0,\"values\":[1]"), "doc:5: key 'boot' is missing"},
		{SAMPLES_WITH("\"series\":0,\"boot\":0"), "doc:5: key 'values' is missing"},
		{SAMPLES_WITH("\"series\":0,\"boot\":0,\"values\":[]"),
		 "doc:5: key 'values' must be an array"},
		{SAMPLES_WITH("\"series\":0,\"boot\":0,\"values\":1"),
		 "doc:5: key 'values' must be an array"},
		{SAMPLES_WITH("\"series\":1,\"boot\":0,\"values\":[1]"),
		 "doc:5: series 1 was not announced"},
		{SAMPLES_WITH("\"series\":0,\"boot\":1,\"values\":[1]"),
		 "doc:5: boot 1 was not announced"},
		{SAMPLES_WITH("\"series\":0,\"boot\":0,\"iteration\":4294967295,\"values\":[1,2]"),
		 "doc:5: the iterations end beyond 4294967295"},
		{UP_TO_SERIES SAMPLES SAMPLES, "doc:6: samples of series 0 repeat"},
		{UP_TO_SERIES "{\"type\":\"samples\",\"series\":0,\"boot\":0,\"invocation\":1,"
			      "\"values\":[1]}\n" SAMPLES,
		 "doc:6: samples of series 0 repeat or do not rise"},
		/* Boots belong to their run set: those of the one before do not count. */
		{HEADER RUN_SET BOOT SERIES "{\"type\":\"run_set\",\"id\":\"b\",\"variant\":\"v\","
					    "\"target\":\"t\",\"machine\":\"m\","
					    "\"level\":\"boot\"}\n" SERIES SAMPLES,
		 "doc:7: boot 0 was not announced"},
	};

	(void)state;
	assert_all_refused(refusals, ARRAY_SIZE(refusals));
}

/* Wherever a document is cut, between lines or within one, nothing of it is returned. */
static void a_cut_document_gives_nothing(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	sample_sets_make(&sets);
	exchange_write(&text, &sets);
	for (size_t length = 0; length < text.length - 1; length++) {
		_cleanup_(run_set_list_release) struct run_set_list back = {0};
		_cleanup_(error_clear) struct error err = {0};

		assert_int_equal(exchange_read("doc", text.text, length, &back, &err), -1);
		assert_int_equal(back.count, 0);
		assert_non_null(err.message);
	}
}

/* Whichever line is lost, the rest is refused: by its end line at the latest. */
static void a_missing_line_is_noticed(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	sample_sets_make(&sets);
	exchange_write(&text, &sets);
	for (const char *line = text.text; *line; line = strchr(line, '\n') + 1) {
		_cleanup_(run_set_list_release) struct run_set_list back = {0};
		_cleanup_(strbuf_release) struct strbuf shorter = STRBUF_INIT;
		_cleanup_(error_clear) struct error err = {0};

		strbuf_append_bytes(&shorter, text.text, (size_t)(line - text.text));
		strbuf_append(&shorter, strchr(line, '\n') + 1);
		assert_int_equal(
			exchange_read("doc", strbuf_text(&shorter), shorter.length, &back, &err),
			-1);
		assert_int_equal(back.count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_comes_back),
		cmocka_unit_test(no_set_is_a_document),
		cmocka_unit_test(optional_keys_have_defaults),
		cmocka_unit_test(negative_zero_reads_as_zero),
		cmocka_unit_test(reading_appends),
		cmocka_unit_test(unknown_keys_are_written_again),
		cmocka_unit_test(odd_extra_is_left_out),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(unordered_samples_are_written_in_order),
		cmocka_unit_test(lines_that_are_no_objects_are_refused),
		cmocka_unit_test(ill_formed_text_is_refused),
		cmocka_unit_test(duplicate_keys_are_refused),
		cmocka_unit_test(numbers_that_are_not_finite_are_refused),
		cmocka_unit_test(negative_times_are_refused),
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(end_lines_are_checked),
		cmocka_unit_test(line_types_are_checked),
		cmocka_unit_test(run_set_keys_are_checked),
		cmocka_unit_test(boot_keys_are_checked),
		cmocka_unit_test(series_keys_are_checked),
		cmocka_unit_test(sample_keys_are_checked),
		cmocka_unit_test(a_cut_document_gives_nothing),
		cmocka_unit_test(a_missing_line_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
