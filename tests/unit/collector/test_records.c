/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader against docs/agent-protocol.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/records.h"
#include "store/disturbance.h"
#include "tests/unit/collector/collector_fixture.h"

#define HELLO "{\"seq\":0,\"type\":\"hello\",\"format\":\"kregress-agent-1\",\"agent\":\"0.1.0\"}\n"
#define SAMPLE(seq, unit, better, invocation, values)                                              \
	"{\"seq\":" #seq ",\"type\":\"sample\",\"benchmark\":\"mm.fork\",\"params\":\"n=1\","      \
	"\"metric\":\"time\",\"unit\":\"" unit "\",\"better\":\"" better "\","                     \
	"\"invocation\":" invocation ",\"loops\":100,\"values\":" values "}\n"
#define GOOD_SAMPLE(seq) SAMPLE(seq, "ns/op", "lower", "0", "[1.5,2,2.5]")
#define START		 HELLO GOOD_SAMPLE(1)
#define LINE(text)	 "{\"seq\":2," text "}\n"

static const char good_stream[] =
	START LINE("\"type\":\"begin\",\"benchmark\":\"mm.mmap\",\"params\":\"\"")
		SAMPLE(3, "ns/op", "lower", "1",
		       "[0,1e3]") "{\"seq\":4,\"type\":\"env\",\"key\":\"kernel.release\","
				  "\"value\":\"6.1.0 \\u00e4\"}\r\n"
				  "{\"seq\":5,\"type\":\"unavailable\",\"benchmark\":\"lock.x\","
				  "\"params\":\"a=1\","
				  "\"reason\":\"no module\"}\n"
				  "{\"seq\":6,\"type\":\"failed\",\"benchmark\":\"nosuch.*\","
				  "\"params\":\"\","
				  "\"reason\":\"matches none\"}\n"
				  "{\"seq\":7,\"type\":\"log\",\"message\":\"on the way\"}\n"
				  "{\"seq\":8,\"type\":\"end\",\"count\":8,\"status\":\"ok\"}\n";

struct reading {
	struct run_set set;
	struct record_reader reader;
};

static void reading_init(struct reading *reading)
{
	run_set_init(&reading->set, "v");
	run_set_add_boot(&reading->set);
	record_reader_init(&reading->reader, &reading->set, 0);
}

static void reading_release(struct reading *reading)
{
	record_reader_release(&reading->reader);
	run_set_release(&reading->set);
}

static void read_all(struct reading *reading, const char *bytes, size_t length, size_t step)
{
	reading_init(reading);
	for (size_t at = 0; at < length; at += step)
		record_reader_feed(&reading->reader, bytes + at,
				   length - at < step ? length - at : step);
	record_reader_finish(&reading->reader);
}

static void assert_good(const struct reading *reading)
{
	const struct boot *boot = &reading->set.boots.items[0];
	const struct series *series = run_set_find(&reading->set, "mm.fork", "n=1", "time");
	static const double values[] = {1.5, 2, 2.5, 0, 1e3};

	assert_null(reading->reader.damage);
	assert_true(reading->reader.ended);
	assert_false(reading->reader.failed);
	assert_null(reading->reader.agent_error);
	assert_int_equal(reading->reader.count, 9);
	assert_string_equal(reading->reader.current, "mm.mmap");
	assert_int_equal(reading->set.series.count, 1);
	assert_non_null(series);
	assert_string_equal(series->unit, "ns/op");
	assert_int_equal(series->better, BETTER_LOWER);
	assert_int_equal(series->samples.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(series->samples.items[i].value == values[i]);
		assert_int_equal(series->samples.items[i].boot, 0);
		assert_int_equal(series->samples.items[i].invocation, i >= 3);
		assert_int_equal(series->samples.items[i].iteration, i < 3 ? i : i - 3);
	}
	assert_string_equal(environment_get(&boot->environment, "agent.version"), "0.1.0");
	assert_string_equal(environment_get(&boot->environment, "kernel.release"),
			    "6.1.0 \xc3\xa4");
	assert_int_equal(boot->failures.count, 2);
	assert_string_equal(boot->failures.items[0].benchmark, "lock.x");
	assert_string_equal(boot->failures.items[0].params, "a=1");
	assert_string_equal(boot->failures.items[0].reason, "no module");
	assert_true(boot->failures.items[0].unavailable);
	assert_string_equal(boot->failures.items[1].benchmark, "nosuch.*");
	assert_false(boot->failures.items[1].unavailable);
}

static void a_good_stream_in_pieces_of_any_size(void **state)
{
	static const size_t steps[] = {1, 2, 7, 64, 1 << 20};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		_cleanup_(reading_release) struct reading reading;

		read_all(&reading, good_stream, sizeof(good_stream) - 1, steps[i]);
		assert_good(&reading);
	}
}

static void samples_go_to_the_boot_that_is_read(void **state)
{
	_cleanup_(reading_release) struct reading reading;

	(void)state;
	run_set_init(&reading.set, "v");
	run_set_add_boot(&reading.set);
	run_set_add_boot(&reading.set);
	record_reader_init(&reading.reader, &reading.set, 1);
	record_reader_feed(&reading.reader, START, sizeof(START) - 1);
	assert_null(reading.reader.damage);
	assert_int_equal(reading.set.series.items[0].samples.items[0].boot, 1);
	assert_int_equal(reading.set.boots.items[0].environment.count, 0);
	assert_int_equal(reading.set.boots.items[1].environment.count, 1);
}

static void bytes_after_the_end_are_ignored(void **state)
{
	_cleanup_free_ char *stream = xasprintf("%s%sgarbage", good_stream, good_stream);
	_cleanup_(reading_release) struct reading reading;

	(void)state;
	read_all(&reading, stream, strlen(stream), strlen(stream));
	assert_good(&reading);
}

static void an_error_record_is_kept(void **state)
{
	static const char stream[] = START LINE(
		"\"type\":\"error\",\"message\":\"no debugfs\"") "{\"seq\":3,\"type\":\"end\","
								 "\"count\":3,\"status\":"
								 "\"failed\"}\n";
	_cleanup_(reading_release) struct reading reading;

	(void)state;
	read_all(&reading, stream, sizeof(stream) - 1, 5);
	assert_null(reading.reader.damage);
	assert_true(reading.reader.ended);
	assert_true(reading.reader.failed);
	assert_string_equal(reading.reader.agent_error, "no debugfs");
}

/* What came before record number 2 counts; nothing after the damage does. */
static void assert_damaged(const char *bytes, size_t length, const char *cause)
{
	_cleanup_free_ char *prefix = xasprintf("record 2: %s", cause);

	for (size_t step = 1; step <= length; step = step == 1 ? length : length + 1) {
		_cleanup_(reading_release) struct reading reading;

		read_all(&reading, bytes, length, step);
		if (!reading.reader.damage)
			fail_msg("accepted: %s", bytes);
		assert_contains(reading.reader.damage, prefix);
		record_reader_feed(&reading.reader, GOOD_SAMPLE(2), sizeof(GOOD_SAMPLE(2)) - 1);
		record_reader_feed(&reading.reader, GOOD_SAMPLE(3), sizeof(GOOD_SAMPLE(3)) - 1);
		assert_false(reading.reader.ended);
		assert_int_equal(reading.set.series.count, 1);
		assert_int_equal(reading.set.series.items[0].samples.count, 3);
		assert_int_equal(reading.set.boots.items[0].failures.count, 0);
	}
}

#define SAMPLE_LINE(unit, better, invocation, values) SAMPLE(2, unit, better, invocation, values)
#define VALUES(values)				      SAMPLE(2, "ns/op", "lower", "0", values)
static const struct {
	const char *line;
	const char *cause;
} damages[] = {
	/* Sequence. */
	{GOOD_SAMPLE(3), "its sequence number is 3: records were lost or repeated"},
	{GOOD_SAMPLE(1), "its sequence number is 1: records were lost or repeated"},
	{GOOD_SAMPLE(-2), "its sequence number is -2"},
	{GOOD_SAMPLE("2"), "its sequence number is"},
	{GOOD_SAMPLE(2.0), "its sequence number is"},
	{"{\"type\":\"log\",\"message\":\"x\"}\n", "its sequence number is"},
	{GOOD_SAMPLE(99999999999999999999), "is not a JSON object"},
	/* Lines that are no records. */
	{"\n", "is not a JSON object"},
	{"\r\n", "is not a JSON object"},
	{"[2]\n", "is not a JSON object (other JSON): [2]"},
	{"7\n", "is not a JSON object"},
	{"null\n", "is not a JSON object"},
	{"{\"seq\":2,\"type\":\"log\",\"message\":\"x\"\n", "is not a JSON object"},
	{"{\"seq\":2,\"seq\":2,\"type\":\"log\",\"message\":\"x\"}\n",
	 "is not a JSON object (duplicate object key"},
	{"x{\"seq\":2,\"type\":\"log\",\"message\":\"x\"}\n", "is not a JSON object"},
	{"{\"seq\":2,\"type\":\"log\",\"message\":\"x\"} [ 1.0] kernel: oops\n",
	 "is not a JSON object"},
	{"{\"seq\":2,\"type\":\"log\",\"message\":\"\xff\"}\n", "is not a JSON object"},
	{"{\"seq\":2,\"type\":\"log\",\"message\":\"\xc3\"}\n", "is not a JSON object"},
	{"{\"seq\":2,\"type\":\"log\",\"message\":\"\xed\xa0\x80\"}\n", "is not a JSON object"},
	{"{\"seq\":2,\"type\":\"log\",\"message\":\"\\u0000\"}\n", "is not a JSON object"},
	{"\x01\x02\n", "is not a JSON object"},
	/* Types and keys. */
	{LINE("\"message\":\"x\""), "has no text 'type'"},
	{LINE("\"type\":7"), "has no text 'type'"},
	{LINE("\"type\":\"mystery\""), "type 'mystery' is not known"},
	{LINE("\"type\":\"\\n\\u001b[2J\""), "type '\\x0a\\x1b[2J' is not known"},
	{LINE("\"type\":\"env\",\"value\":\"x\""), "has no text 'key'"},
	{LINE("\"type\":\"env\",\"key\":\"x\",\"value\":1"), "has no text 'value'"},
	{LINE("\"type\":\"begin\",\"params\":\"\""), "has no text 'benchmark'"},
	{LINE("\"type\":\"begin\",\"benchmark\":\"x\""), "has no text 'params'"},
	{LINE("\"type\":\"failed\",\"benchmark\":\"x\",\"params\":\"\""), "has no text 'reason'"},
	{LINE("\"type\":\"unavailable\",\"params\":\"\",\"reason\":\"r\""),
	 "has no text 'benchmark'"},
	{LINE("\"type\":\"log\""), "has no text 'message'"},
	{LINE("\"type\":\"error\",\"message\":null"), "has no text 'message'"},
	/* Samples. */
	{LINE("\"type\":\"sample\""), "has no text 'benchmark'"},
	{LINE("\"type\":\"sample\",\"benchmark\":\"x\",\"params\":\"\",\"unit\":\"s\","
	      "\"better\":\"lower\",\"invocation\":0,\"values\":[1]"),
	 "has no text 'metric'"},
	{LINE("\"type\":\"sample\",\"benchmark\":\"x\",\"params\":\"\","
	      "\"metric\":\"time\",\"unit\":\"s\",\"better\":\"lower\",\"values\":[1]"),
	 "direction or invocation is out of range"},
	{VALUES("[]"), "has no values"},
	{VALUES("null"), "has no values"},
	{VALUES("{\"a\":1}"), "has no values"},
	{VALUES("[1,-0.5]"), "value 2 is not a finite number of at least 0"},
	{VALUES("[\"1\"]"), "value 1 is not a finite number of at least 0"},
	{VALUES("[1,2,null]"), "value 3 is not a finite number of at least 0"},
	{VALUES("[true]"), "value 1 is not a finite number of at least 0"},
	{VALUES("[NaN]"), "is not a JSON object"},
	{VALUES("[1e999]"), "is not a JSON object"},
	{VALUES("[Infinity]"), "is not a JSON object"},
	{SAMPLE_LINE("us/op", "lower", "0", "[1]"), "mm.fork changes its unit or direction"},
	{SAMPLE_LINE("ns/op", "higher", "0", "[1]"), "mm.fork changes its unit or direction"},
	{SAMPLE_LINE("ns/op", "sideways", "0", "[1]"), "direction or invocation is out of range"},
	{SAMPLE_LINE("ns/op", "lower", "-1", "[1]"), "direction or invocation is out of range"},
	{SAMPLE_LINE("ns/op", "lower", "4294967296", "[1]"),
	 "direction or invocation is out of range"},
	{SAMPLE_LINE("ns/op", "lower", "\"0\"", "[1]"), "direction or invocation is out of range"},
	{GOOD_SAMPLE(2), "invocation 0 of mm.fork repeats or goes back"},
	{LINE("\"type\":\"failed\",\"benchmark\":\"\",\"params\":\"\",\"reason\":\"r\""),
	 "has an empty 'benchmark'"},
	{LINE("\"type\":\"sample\",\"benchmark\":\"x\",\"params\":\"\",\"metric\":\"\","
	      "\"unit\":\"s\",\"better\":\"lower\",\"invocation\":0,\"values\":[1]"),
	 "has an empty 'metric'"},
	/* The end. */
	{LINE("\"type\":\"end\",\"count\":1,\"status\":\"ok\""),
	 "the end counts 1 records, 2 came"},
	{LINE("\"type\":\"end\",\"count\":3,\"status\":\"ok\""),
	 "the end counts 3 records, 2 came"},
	{LINE("\"type\":\"end\",\"status\":\"ok\""), "the end counts"},
	{LINE("\"type\":\"end\",\"count\":2"), "has no text 'status'"},
	{"{\"seq\":2,\"type\":\"end\",\"count\":2,\"status\":\"ok\"}",
	 "breaks off in the middle of a line"},
	{"{", "breaks off in the middle of a line"},
};

static void damage_names_record_and_cause(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		_cleanup_free_ char *stream = xasprintf("%s%s", START, damages[i].line);

		assert_damaged(stream, strlen(stream), damages[i].cause);
	}
}

static void a_nul_byte_is_damage(void **state)
{
	static const char in_text[] = START "{\"seq\":2,\"type\":\"log\",\"message\":\"a\0b\"}\n";
	static const char before[] = START "\0{\"seq\":2,\"type\":\"log\",\"message\":\"a\"}\n";
	static const char behind[] = START "{\"seq\":2,\"type\":\"log\",\"message\":\"a\"}\0\n";

	(void)state;
	assert_damaged(in_text, sizeof(in_text) - 1, "is not a JSON object");
	assert_damaged(before, sizeof(before) - 1, "is not a JSON object");
	assert_damaged(behind, sizeof(behind) - 1, "is not a JSON object");
}

static void the_first_record_is_hello(void **state)
{
	static const struct {
		const char *stream;
		const char *damage;
	} cases[] = {
		{GOOD_SAMPLE(0), "record 0: the first record is 'sample', not 'hello'"},
		{GOOD_SAMPLE(1), "record 0: its sequence number is 1"},
		{"{\"seq\":0,\"type\":\"hello\",\"format\":\"kregress-agent-2\",\"agent\":\"9\"}\n",
		 "record 0: format 'kregress-agent-2' is not kregress-agent-1"},
		{"{\"seq\":0,\"type\":\"hello\",\"agent\":\"9\"}\n",
		 "record 0: has no text 'format'"},
		{"{\"seq\":0,\"type\":\"hello\",\"format\":\"kregress-agent-1\"}\n",
		 "record 0: has no text 'agent'"},
		{"SeaBIOS (version 1.16)\n", "record 0: is not a JSON object"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(reading_release) struct reading reading;

		read_all(&reading, cases[i].stream, strlen(cases[i].stream), 4096);
		assert_contains(reading.reader.damage, cases[i].damage);
		assert_int_equal(reading.set.series.count, 0);
	}
}

static void an_empty_stream_is_neither_ended_nor_damaged(void **state)
{
	_cleanup_(reading_release) struct reading reading;

	(void)state;
	read_all(&reading, "", 0, 1);
	assert_null(reading.reader.damage);
	assert_false(reading.reader.ended);
	assert_int_equal(reading.reader.count, 0);
}

/* A log record whose line has that length, without its newline. */
static char *stream_with_line(size_t length, const char *ending)
{
	static const char head[] = "{\"seq\":2,\"type\":\"log\",\"message\":\"";
	struct strbuf stream = STRBUF_INIT;

	strbuf_append(&stream, START);
	strbuf_append(&stream, head);
	strbuf_append_repeat(&stream, 'x', length - (sizeof(head) - 1) - 2);
	strbuf_append(&stream, "\"}");
	strbuf_append(&stream, ending);
	return strbuf_take(&stream);
}

static void lines_have_at_most_64_kib(void **state)
{
	_cleanup_free_ char *longest = stream_with_line(65536, "\n");
	_cleanup_free_ char *longer = stream_with_line(65537, "\n");
	_cleanup_free_ char *endless = stream_with_line(200000, "");
	_cleanup_(reading_release) struct reading reading;

	(void)state;
	read_all(&reading, longest, strlen(longest), 4096);
	assert_null(reading.reader.damage);
	assert_int_equal(reading.reader.count, 3);
	assert_damaged(longer, strlen(longer), "is longer than 65536 bytes");
	assert_damaged(endless, strlen(endless), "is longer than 65536 bytes");
}

/* The message shows the line's start only, with control characters made visible. */
static void damage_shows_the_line_harmlessly(void **state)
{
	_cleanup_free_ char *stream = xasprintf(START "\x1b[2J%0100d\n", 7);
	_cleanup_(reading_release) struct reading reading;

	(void)state;
	read_all(&reading, stream, strlen(stream), strlen(stream));
	assert_contains(reading.reader.damage, "\\x1b[2J0000");
	assert_null(strchr(reading.reader.damage, 0x1b));
	assert_null(strchr(reading.reader.damage, '7'));
}

#define OUTPUT(seq, invocation, last, text)                                                        \
	"{\"seq\":" #seq                                                                           \
	",\"type\":\"output\",\"benchmark\":\"tool.hackbench\",\"params\":\"a=1\","                \
	"\"invocation\":" invocation ",\"last\":" last ",\"text\":\"" text "\"}\n"
#define PART_1                                                                                     \
	"Running in process mode with 4 groups using 40 file descriptors each (== 160 tasks)\\n"   \
	"Each sender will pass 100 messages of 100 bytes\\nTi"

static void output_in_parts_is_imported(void **state)
{
	static const char text[] = HELLO OUTPUT(1, "0", "false", PART_1)
		OUTPUT(2, "0", "true", "me: 1.500\\n") OUTPUT(3, "1", "true", "nonsense")
			OUTPUT(4, "2", "true", PART_1 "me: 2.000\\n");
	const struct series *series;
	const struct boot *boot;
	struct reading reading;

	(void)state;
	read_all(&reading, text, strlen(text), 7);
	assert_null(reading.reader.damage);
	assert_int_equal(reading.set.series.count, 1);
	series = &reading.set.series.items[0];
	assert_string_equal(series->benchmark, "tool.hackbench");
	assert_int_equal(series->samples.count, 2);
	assert_true(series->samples.items[0].value == 1.5);
	assert_true(series->samples.items[1].value == 2);
	assert_int_equal(series->samples.items[1].invocation, 2);
	/* What the importer refuses costs the benchmark, not the boot. */
	boot = &reading.set.boots.items[0];
	assert_int_equal(boot->failures.count, 1);
	assert_string_equal(boot->failures.items[0].benchmark, "tool.hackbench");
	reading_release(&reading);
}

static void context_goes_to_the_boot(void **state)
{
	static const char stream[] =
		START LINE("\"type\":\"context\",\"benchmark\":\"mm.fork\",\"params\":\"n=1\","
			   "\"invocation\":0,\"duration_ns\":1000000000,\"steal_ns\":30000000,"
			   "\"involuntary_switches\":4,\"interrupts\":500,"
			   "\"samples\":[[10000000,0,1,3],[10000000,0,0,3],[10000000,0,0,3]]");
	struct disturbance_list list;
	struct reading reading;

	(void)state;
	read_all(&reading, stream, sizeof(stream) - 1, 7);
	assert_null(reading.reader.damage);
	disturbance_judge(&reading.set, &list);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].label, "mm.fork [n=1]");
	assert_true(list.items[0].whole.switches_per_s == 4);
	assert_true(list.items[0].whole.interrupts_per_s == 500);
	assert_true(list.items[0].whole.disturbed);
	assert_int_equal(list.items[0].repetition_count, 3);
	assert_true(list.items[0].repetitions[0].switches_per_s == 100);
	assert_true(list.items[0].repetitions[0].disturbed);
	assert_false(list.items[0].repetitions[1].disturbed);
	disturbance_release(&list);
	reading_release(&reading);
}

#define STATE(seq, number)                                                                         \
	"{\"seq\":" #seq ",\"type\":\"state\",\"state\":" number ",\"name\":\"x\"}\n"
#define ENV(seq, key, value)                                                                       \
	"{\"seq\":" #seq ",\"type\":\"env\",\"key\":\"" key "\",\"value\":\"" value "\"}\n"

/* Boot 0 is another one's; the states of this one are boots 1 and 2. */
static void read_states(struct reading *reading, const char *bytes)
{
	run_set_init(&reading->set, "v");
	for (int i = 0; i < 3; i++)
		run_set_add_boot(&reading->set);
	record_reader_init_states(&reading->reader, &reading->set, 1, 2);
	record_reader_feed(&reading->reader, bytes, strlen(bytes));
	record_reader_finish(&reading->reader);
}

static const char *environment_of(const struct reading *reading, size_t boot, const char *key)
{
	const char *value = environment_get(&reading->set.boots.items[boot].environment, key);

	return value ? value : "";
}

static void states_have_a_boot_each(void **state)
{
	static const char stream[] = HELLO ENV(1, "kernel.release", "6.1") STATE(2, "1")
		ENV(3, "kernel.preempt", "full") SAMPLE(4, "ns/op", "lower", "0", "[1]")
			STATE(5, "0") SAMPLE(6, "ns/op", "lower", "0", "[2]")
				SAMPLE(7, "ns/op", "lower", "1", "[3]") STATE(8, "1")
					SAMPLE(9, "ns/op", "lower", "1", "[4]");
	static const uint32_t boots[] = {2, 1, 1, 2};
	const struct series *series;
	struct reading reading;

	(void)state;
	read_states(&reading, stream);
	assert_null(reading.reader.damage);
	series = run_set_find(&reading.set, "mm.fork", "n=1", "time");
	assert_int_equal(series->samples.count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(series->samples.items[i].value == (double)(i + 1));
		assert_int_equal(series->samples.items[i].boot, boots[i]);
	}
	assert_string_equal(environment_of(&reading, 0, "kernel.release"), "");
	assert_string_equal(environment_of(&reading, 1, "kernel.release"), "6.1");
	assert_string_equal(environment_of(&reading, 2, "kernel.release"), "6.1");
	assert_string_equal(environment_of(&reading, 1, "kernel.preempt"), "");
	assert_string_equal(environment_of(&reading, 2, "kernel.preempt"), "full");
	assert_string_equal(environment_of(&reading, 1, "switch.changes"), "2");
	assert_string_equal(environment_of(&reading, 2, "switch.changes"), "2");
	reading_release(&reading);
}

static void damaged_states_are_damage(void **state)
{
	static const char *const numbers[] = {"2", "-1", "0.5", "\"0\""};
	struct reading reading;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		_cleanup_free_ char *stream = xasprintf(
			HELLO "{\"seq\":1,\"type\":\"state\",\"state\":%s,\"name\":\"x\"}\n",
			numbers[i]);

		read_states(&reading, stream);
		assert_contains(reading.reader.damage, "none of the 2 that the plan has");
		reading_release(&reading);
	}
	/* An invocation repeats within a state, with another state between. */
	read_states(&reading,
		    HELLO STATE(1, "0") SAMPLE(2, "ns/op", "lower", "0", "[1]") STATE(3, "1")
			    SAMPLE(4, "ns/op", "lower", "0", "[1]") STATE(5, "0")
				    SAMPLE(6, "ns/op", "lower", "0", "[1]"));
	assert_contains(reading.reader.damage, "repeats or goes back");
	reading_release(&reading);
}

static void damaged_context_is_damage(void **state)
{
	static const char *const lines[] = {
		LINE("\"type\":\"context\",\"benchmark\":\"a\",\"params\":\"\",\"invocation\":0"),
		LINE("\"type\":\"context\",\"benchmark\":\"a\",\"params\":\"\",\"invocation\":0,"
		     "\"duration_ns\":1,\"steal_ns\":-1,\"involuntary_switches\":0,"
		     "\"interrupts\":0"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_free_ char *stream = xasprintf("%s%s", START, lines[i]);

		assert_damaged(stream, strlen(stream), "a count of the context");
	}
}

static void damaged_repetitions_are_damage(void **state)
{
	static const char *const samples[] = {
		"[]", "7", "[1,2,3,4]", "[[1,2,3]]", "[[1,2,3,-4]]", "[[1,2,3,4.5]]"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		_cleanup_free_ char *stream = xasprintf(
			START "{\"seq\":2,\"type\":\"context\",\"benchmark\":\"a\",\"params\":\"\","
			      "\"invocation\":0,\"duration_ns\":1,\"steal_ns\":0,"
			      "\"involuntary_switches\":0,\"interrupts\":0,\"samples\":%s}\n",
			samples[i]);

		assert_damaged(stream, strlen(stream), "'samples' of the context");
	}
}

static void damaged_output_is_damage(void **state)
{
	static const char *const texts[] = {
		HELLO OUTPUT(1, "-1", "true", "x"),
		HELLO OUTPUT(1, "0", "1", "x"),
		HELLO OUTPUT(1, "\"0\"", "true", "x"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct reading reading;

		read_all(&reading, texts[i], strlen(texts[i]), 100);
		assert_non_null(reading.reader.damage);
		reading_release(&reading);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_in_parts_is_imported),
		cmocka_unit_test(context_goes_to_the_boot),
		cmocka_unit_test(states_have_a_boot_each),
		cmocka_unit_test(damaged_states_are_damage),
		cmocka_unit_test(damaged_context_is_damage),
		cmocka_unit_test(damaged_repetitions_are_damage),
		cmocka_unit_test(damaged_output_is_damage),
		cmocka_unit_test(a_good_stream_in_pieces_of_any_size),
		cmocka_unit_test(samples_go_to_the_boot_that_is_read),
		cmocka_unit_test(bytes_after_the_end_are_ignored),
		cmocka_unit_test(an_error_record_is_kept),
		cmocka_unit_test(damage_names_record_and_cause),
		cmocka_unit_test(a_nul_byte_is_damage),
		cmocka_unit_test(the_first_record_is_hello),
		cmocka_unit_test(an_empty_stream_is_neither_ended_nor_damaged),
		cmocka_unit_test(lines_have_at_most_64_kib),
		cmocka_unit_test(damage_shows_the_line_harmlessly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
