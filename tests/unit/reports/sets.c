/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/reports/sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define CONSOLE_BYTES (1024 * 1024)

void set_init(struct run_set *set, const char *variant, size_t boots)
{
	run_set_init(set, variant);
	free(set->id);
	set->id = xasprintf("0123456789abcdef-%s", variant);
	set->collection = xstrdup("c1");
	set->target = xstrdup("vm");
	set->machine = xstrdup("x86_64-tcg");
	set->created_at = xstrdup("2026-11-30T20:33:07Z");
	set->seed = UINT64_MAX;
	for (size_t i = 0; i < boots; i++) {
		struct boot *boot = run_set_add_boot(set);

		boot->block = (uint32_t)i;
		boot->slot = (uint32_t)(2 * i);
		boot->duration_s = 12;
		environment_set(&boot->environment, "kernel.release", "6.1.0-57-amd64");
		environment_set(&boot->environment, "kernel.cmdline", "console=ttyS0 preempt=x");
	}
}

void set_add(struct run_set *set, const char *benchmark, const char *params, const char *metric,
	     const char *unit, enum better better, const double *values, size_t count)
{
	struct series *series = run_set_series(set, benchmark, params, metric, unit, better);

	assert_non_null(series);
	for (size_t i = 0; i < count; i++)
		series_add_sample(series, (uint32_t)i, 0, 0, values[i]);
}

void set_fail_boot(struct run_set *set, size_t index, const char *reason, const char *console)
{
	struct boot *boot = &set->boots.items[index];

	boot->status = BOOT_FAILED;
	replace_string(&boot->reason, reason);
	replace_string(&boot->console_tail, console);
}

struct report_options default_options(void)
{
	return (struct report_options){
		.limit_frac = 0.02, .alpha = 0.05, .method = METHOD_AUTO, .hostname = "lab-07"};
}

struct report build(const struct run_set *base, const struct run_set *const *variants, size_t count,
		    const struct report_options *options)
{
	_cleanup_(error_clear) struct error err = {0};
	struct report report;

	if (report_build(base, variants, count, options, &report, &err) < 0)
		fail_msg("%s", err.message);
	return report;
}

const struct report_finding *finding_of(const struct report *report, const char *benchmark,
					const char *params, const char *metric, size_t variant)
{
	array_for_each (series, &report->series) {
		if (strcmp(series->benchmark, benchmark) || strcmp(series->params, params) ||
		    strcmp(series->metric, metric))
			continue;
		assert_true(variant < series->findings.count);
		assert_int_equal(series->findings.items[variant].variant, variant);
		return &series->findings.items[variant];
	}
	fail_msg("no series %s [%s] %s", benchmark, params, metric);
	return NULL;
}

char *write_report(const struct report *report, const char *format)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct report_writer *writer = report_writer_find(format);
	struct strbuf out = STRBUF_INIT;

	assert_non_null(writer);
	if (writer->write(report, &out, &err) < 0)
		fail_msg("%s: %s", format, err.message);
	assert_int_equal(strlen(strbuf_text(&out)), out.length);
	return strbuf_take(&out);
}

static const struct {
	const char *benchmark, *params, *metric, *unit;
	enum better better;
	double voluntary[3], preempt[3];
} table_2013[] = {
	{"vmark",
	 "",
	 "rate",
	 "1/s",
	 BETTER_HIGHER,
	 {169808, 155826, 154741},
	 {149354, 124016, 128436}},
	{"tbench",
	 "8",
	 "rate",
	 "MB/s",
	 BETTER_HIGHER,
	 {1027.96, 1028.76, 1044.60},
	 {929.06, 935.01, 928.64}},
	{"hackbench",
	 "-l 10000",
	 "time",
	 "s",
	 BETTER_LOWER,
	 {23.146, 23.124, 23.230},
	 {25.065, 24.633, 24.789}},
	{"kbuild",
	 "vmlinux",
	 "time",
	 "s",
	 BETTER_LOWER,
	 {224.842, 222.975, 222.954},
	 {226.141, 225.835, 225.953}},
};

void sets_2013(struct run_set *voluntary, struct run_set *preempt)
{
	set_init(voluntary, "voluntary", 3);
	set_init(preempt, "preempt", 3);
	for (size_t i = 0; i < ARRAY_SIZE(table_2013); i++) {
		set_add(voluntary, table_2013[i].benchmark, table_2013[i].params,
			table_2013[i].metric, table_2013[i].unit, table_2013[i].better,
			table_2013[i].voluntary, 3);
		set_add(preempt, table_2013[i].benchmark, table_2013[i].params,
			table_2013[i].metric, table_2013[i].unit, table_2013[i].better,
			table_2013[i].preempt, 3);
	}
}

void sets_2005(struct run_set *vanilla, struct run_set *preempt_rt, struct run_set *ipipe)
{
	struct run_set *const sets[] = {vanilla, preempt_rt, ipipe};
	static const char *const names[] = {"vanilla", "preempt_rt", "ipipe"};
	static const double fork_us[] = {97, 91, 101}, mmap_us[] = {776, 629, 794};

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		set_init(sets[i], names[i], 1);
		replace_string(&sets[i]->target, "import");
		set_add(sets[i], "fork", "", "time", "us", BETTER_LOWER, &fork_us[i], 1);
		set_add(sets[i], "mmap", "", "time", "us", BETTER_LOWER, &mmap_us[i], 1);
	}
}

/* A console with colours, carriage returns, ill-formed bytes and long lines. */
static char *hostile_console(void)
{
	struct strbuf text = STRBUF_INIT;

	while (text.length < CONSOLE_BYTES)
		strbuf_append(&text, "\033[31m[ 1.0]\033[0m <IRQ> ]]> & \xff\xfe \xef\xbf\xbf "
				     "\xc2\x9b oops\a\r\n");
	strbuf_append(&text, "---[ end Kernel panic ]---\r\n");
	return strbuf_take(&text);
}

static const struct {
	const char *benchmark, *params, *metric;
} hostile_names[] = {
	{"lock.a/b", "", "time"},
	{"lock.a b", "", "time"},
	{"lock.a_b", "", "time"},
	{"esc.\033[2J", "x=\001\002", "time"},
	{"markup.<&\">'", "]]><![CDATA[", "a&b<c>\"d'"},
	{"utf8.\xff\xc3(\xed\xa0\x80", "\xef\xbf\xbe|`@all`", "time"},
	{"greek.\xce\xb1\xce\xb2", "line\nbreak\ttab", "time"},
};

void sets_hostile(struct run_set *base, struct run_set *variant)
{
	static const double slow[] = {12.0, 12.1, 12.05}, fast[] = {10.0, 10.1, 10.05};
	_cleanup_free_ char *console = hostile_console();
	char name[301];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	set_init(base, "base\033]0;x\a|<b>", 3);
	set_init(variant, "new\xff@everyone|`", 4);
	for (size_t i = 0; i < ARRAY_SIZE(hostile_names); i++) {
		set_add(base, hostile_names[i].benchmark, hostile_names[i].params,
			hostile_names[i].metric, "ns/op", BETTER_LOWER, fast, 3);
		set_add(variant, hostile_names[i].benchmark, hostile_names[i].params,
			hostile_names[i].metric, "ns/op", BETTER_LOWER, slow, 3);
	}
	set_add(base, name, name, name, "ns/op", BETTER_LOWER, fast, 3);
	name[299] = 'm';
	set_add(base, name, name, name, "ns/op", BETTER_LOWER, fast, 3);
	boot_add_failure(&variant->boots.items[3], name, name, console, false);
	set_fail_boot(variant, 3, "panic: \033[31m]]>\n\xff<&\"'> not syncing", console);
	environment_set(&variant->boots.items[0].environment, "evil\001key\xff",
			"\xef\xbf\xbf]]>\n\xc0\xaf");
}
