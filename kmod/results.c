// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An open "results" file holds a reference to what was the last run when it was opened, so that a
 * reader never sees two runs mixed.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "results.h"

static DEFINE_MUTEX(last_lock);
static struct results *last; /* under last_lock */

struct results *results_new(void)
{
	struct results *results = kzalloc(sizeof(*results), GFP_KERNEL);

	if (results)
		kref_init(&results->ref);
	return results;
}

static void results_free(struct kref *ref)
{
	struct results *results = container_of(ref, struct results, ref);

	kvfree(results->rows);
	kfree(results);
}

static void results_put(struct results *results)
{
	if (results)
		kref_put(&results->ref, results_free);
}

int results_reserve(struct results *results, unsigned int reps, unsigned int cpus)
{
	size_t n = array3_size(RESULTS_KINDS, reps, cpus);

	results->rows = kvcalloc(n, sizeof(*results->rows), GFP_KERNEL);
	if (!results->rows)
		return -ENOMEM;
	results->reps = reps;
	results->cpus = cpus;
	return 0;
}

struct results_row *results_row(struct results *results, enum results_kind kind, unsigned int rep,
				unsigned int index)
{
	size_t line = (size_t)kind * results->reps + rep;

	return &results->rows[line * results->cpus + index];
}

int results_fail(struct results *results, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(results->message, sizeof(results->message), format, args);
	va_end(args);
	results->failed = true;
	return err;
}

void results_publish(struct results *results)
{
	struct results *old;

	mutex_lock(&last_lock);
	old = last;
	last = results;
	mutex_unlock(&last_lock);
	results_put(old);
}

void results_forget(void)
{
	results_publish(NULL);
}

/* Rows to print: none after an error. */
static size_t rows_shown(const struct results *results)
{
	return results->failed ? 0 : (size_t)RESULTS_KINDS * results->reps * results->cpus;
}

/* Position 0 is the head, then come the rows, then the last line. */
static void *results_start(struct seq_file *m, loff_t *pos)
{
	return *pos < rows_shown(m->private) + 2 ? pos : NULL;
}

static void *results_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return results_start(m, pos);
}

static void results_stop(struct seq_file *m, void *v)
{
}

static void show_head(struct seq_file *m, const struct results *results)
{
	seq_puts(m, "kregress-results\t1\n");
	if (results->bench[0])
		seq_printf(m, "bench\t%s\n", results->bench);
	if (results->loops)
		seq_printf(m, "loops\t%lu\n", results->loops);
}

static void show_row(struct seq_file *m, const struct results *results, size_t index)
{
	const struct results_row *row = &results->rows[index];
	size_t line = index / results->cpus;

	seq_printf(m, "%s\t%zu\t%u\t%llu\t%llu\t", line < results->reps ? "baseline" : "sample",
		   line % results->reps, row->cpu, row->ns, row->tsc);
	if (row->has_insn)
		seq_printf(m, "%llu\n", row->insn);
	else
		seq_puts(m, "-\n");
}

static void show_last_line(struct seq_file *m, const struct results *results)
{
	char name[BENCH_NAME_MAX];
	const struct bench *bench;
	size_t i;

	if (!results->failed) {
		seq_printf(m, "end\t%zu\n", rows_shown(results));
		return;
	}
	seq_printf(m, "error\t%s", results->message);
	if (results->names_known) {
		seq_puts(m, "; known:");
		for (i = 0; (bench = bench_at(i)); i++)
			seq_printf(m, " %s", bench_name(bench, name));
	}
	seq_putc(m, '\n');
}

static int results_show(struct seq_file *m, void *v)
{
	const struct results *results = m->private;
	size_t pos = *(loff_t *)v;

	if (!pos)
		show_head(m, results);
	else if (pos <= rows_shown(results))
		show_row(m, results, pos - 1);
	else
		show_last_line(m, results);
	return 0;
}

static const struct seq_operations results_ops = {
	.start = results_start,
	.next = results_next,
	.stop = results_stop,
	.show = results_show,
};

static struct results *results_get_last(void)
{
	struct results *results;

	mutex_lock(&last_lock);
	results = last;
	if (results)
		kref_get(&results->ref);
	mutex_unlock(&last_lock);
	if (results)
		return results;
	results = results_new();
	if (results)
		results_fail(results, 0, "no run so far: write bench=NAME to the file run");
	return results;
}

static int results_open(struct inode *inode, struct file *file)
{
	struct results *results = results_get_last();
	int err;

	if (!results)
		return -ENOMEM;
	err = seq_open(file, &results_ops);
	if (err) {
		results_put(results);
		return err;
	}
	((struct seq_file *)file->private_data)->private = results;
	return 0;
}

static int results_release(struct inode *inode, struct file *file)
{
	results_put(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

const struct file_operations results_fops = {
	.owner = THIS_MODULE,
	.open = results_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = results_release,
};
