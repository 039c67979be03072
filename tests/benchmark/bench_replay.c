/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading records: the streams of 1000 boots, written to a file by the agent's own writer, are
 * replayed from it into one run set. 130 benchmarks a boot, with three metrics of 10 values each,
 * which is what all in-kernel and userland benchmarks together give. Fails above LIMIT_S of CPU
 * time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collector/agent/record.h"
#include "collector/records.h"

enum { BOOTS = 1000, BENCHMARKS = 130, METRICS = 3, VALUES = 10, LIMIT_S = 10 };

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_benchmark(struct record_writer *writer, int boot, int number)
{
	static const char *const names[METRICS] = {"time", "cycles", "insn"};
	static const char *const units[METRICS] = {"ns/op", "cycles/op", "insn/op"};
	double values[VALUES];
	char name[32];

	snprintf(name, sizeof(name), "group.bench_%03d", number);
	record_begin(writer, name, "size=64k");
	for (int metric = 0; metric < METRICS; metric++) {
		const struct record_series series = {name, "size=64k", names[metric], units[metric],
						     "lower"};

		for (int i = 0; i < VALUES; i++)
			values[i] = 1000.0 / 7 * (metric + 1) + number + boot * 0.001 + i / 3.0;
		record_sample(writer, &series, 0, 4096, values, VALUES);
	}
}

static void write_boot(int fd, int boot)
{
	static struct record_writer writer;

	record_writer_init(&writer, fd, false);
	record_hello(&writer, "0.1.0");
	record_env(&writer, "kernel.release", "6.1.0");
	for (int number = 0; number < BENCHMARKS; number++)
		write_benchmark(&writer, boot, number);
	record_end(&writer, true);
	if (writer.broken)
		abort();
}

/* The rest of the stream of one boot. False when it is damaged. */
static bool replay_boot(FILE *file, struct run_set *set, uint32_t boot, char **line, size_t *room)
{
	struct record_reader reader;
	bool ended;

	run_set_add_boot(set);
	record_reader_init(&reader, set, boot);
	while (!reader.ended && !reader.damage) {
		ssize_t length = getline(line, room, file);

		if (length <= 0)
			break;
		record_reader_feed(&reader, *line, (size_t)length);
	}
	ended = reader.ended;
	if (!ended)
		fprintf(stderr, "boot %u: %s\n", boot, reader.damage ? reader.damage : "no end");
	record_reader_release(&reader);
	return ended;
}

static bool replay(FILE *file, struct run_set *set)
{
	char *line = NULL;
	size_t room = 0;
	bool ok = true;

	for (uint32_t boot = 0; boot < BOOTS && ok; boot++)
		ok = replay_boot(file, set, boot, &line, &room);
	free(line);
	return ok;
}

static size_t count_samples(const struct run_set *set)
{
	size_t count = 0;

	array_for_each (series, &set->series)
		count += series->samples.count;
	return count;
}

int main(void)
{
	FILE *file = tmpfile();
	struct run_set set;
	struct rusage usage;
	double started_s, took_s;
	size_t samples;
	bool ok;

	if (!file)
		return 2;
	for (int boot = 0; boot < BOOTS; boot++)
		write_boot(fileno(file), boot);
	printf("%d boots, %.0f MB of records\n", BOOTS,
	       (double)lseek(fileno(file), 0, SEEK_END) / 1e6);
	rewind(file);
	run_set_init(&set, "replayed");
	started_s = cpu_s();
	ok = replay(file, &set);
	took_s = cpu_s() - started_s;
	samples = count_samples(&set);
	getrusage(RUSAGE_SELF, &usage);
	printf("%zu samples in %zu series, %.2f s of CPU time, %ld MB\n", samples, set.series.count,
	       took_s, usage.ru_maxrss / 1024);
	ok &= samples == (size_t)BOOTS * BENCHMARKS * METRICS * VALUES && took_s < LIMIT_S;
	run_set_release(&set);
	fclose(file);
	return ok ? 0 : 1;
}
