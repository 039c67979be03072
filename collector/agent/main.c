/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kregress-agent: runs the benchmarks of a plan on the kernel under test. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/agent/child.h"
#include "collector/agent/init.h"
#include "collector/agent/input.h"
#include "collector/agent/pattern.h"
#include "collector/agent/plan.h"
#include "collector/agent/self.h"
#include "collector/agent/session.h"
#include "collector/agent/stop.h"
#include "collector/agent/user_bench.h"

static const char usage[] =
	"usage: kregress-agent [--plan FILE] [--debugfs DIR]\n"
	"       kregress-agent --list | --version | --help\n"
	"\n"
	"Runs a plan (docs/agent-protocol.md) and writes its records to standard output.\n"
	"  --plan FILE    the plan; '-' or none: standard input\n"
	"  --debugfs DIR  where debugfs is mounted (" DEBUGFS_DEFAULT ")\n"
	"  --list         the userland benchmarks: name, metric, unit, better, summary\n"
	"As /init of an initramfs it runs " INIT_PLAN ", writes to " INIT_CHANNEL
	" and powers off.\n";

/* Output that did not all get out is a failure. */
static int close_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return SESSION_OK;
	fprintf(stderr, "kregress-agent: standard output: %s\n", strerror(errno));
	return SESSION_REFUSED;
}

static int print_list(void)
{
	char label[BENCH_LABEL_MAX];

	for (const struct user_bench *bench = user_benches; bench->name; bench++) {
		bench_label(label, bench->name, bench->params);
		printf("%s\t%s\t%s\t%s\t%s\n", label, user_bench_metric(bench), bench->unit,
		       user_bench_better(bench), bench->summary);
	}
	return close_output();
}

static int run_plan(const char *path, const char *debugfs)
{
	static struct record_writer writer;
	bool input = !path || !strcmp(path, "-");
	const char *name = input ? "standard input" : path;
	size_t length;
	char *text = input ? input_read(STDIN_FILENO, PLAN_SIZE_MAX, &length)
			   : input_read_file(path, PLAN_SIZE_MAX, &length);
	enum session_status status;
	char message[512];

	/* Not before the plan is read: a signal still ends a wait for standard input. */
	stop_install();
	child_adopt_orphans();
	record_writer_init(&writer, STDOUT_FILENO, false);
	if (text) {
		status = session_run(&writer, name, text, length, debugfs);
	} else {
		snprintf(message, sizeof(message), "%s: %s", name, strerror(errno));
		session_refuse(&writer, message);
		status = SESSION_BAD_PLAN;
	}
	free(text);
	return status;
}

static int parse_options(int count, char **arguments)
{
	static const struct option options[] = {
		{"plan", required_argument, NULL, 'p'}, {"debugfs", required_argument, NULL, 'd'},
		{"list", no_argument, NULL, 'l'},	{"version", no_argument, NULL, 'v'},
		{"help", no_argument, NULL, 'h'},	{NULL, 0, NULL, 0},
	};
	const char *plan = NULL, *debugfs = DEBUGFS_DEFAULT;
	int option;

	while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) {
		switch (option) {
		case 'p':
			plan = optarg;
			break;
		case 'd':
			debugfs = optarg;
			break;
		case 'l':
			return print_list();
		case 'v':
			puts(AGENT_VERSION);
			return close_output();
		case 'h':
			fputs(usage, stdout);
			return close_output();
		default:
			fputs(usage, stderr);
			return SESSION_BAD_PLAN;
		}
	}
	if (optind < count) {
		fprintf(stderr, "kregress-agent: unexpected argument '%s'\n%s", arguments[optind],
			usage);
		return SESSION_BAD_PLAN;
	}
	return run_plan(plan, debugfs);
}

int main(int count, char **arguments)
{
	if (count == 2 && !strcmp(arguments[1], SELF_EXIT_OPTION))
		return 0;
	if (count > 0 && init_is_wanted(arguments[0])) {
		stop_install();
		init_main(arguments);
	}
	return parse_options(count, arguments);
}
