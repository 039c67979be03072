// SPDX-License-Identifier: GPL-2.0-or-later
/* The module and its debugfs folder. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "bench.h"
#include "request.h"
#include "results.h"
#include "runner.h"

#define RUN_TEXT_MAX 1024

static struct dentry *folder;
static DEFINE_MUTEX(run_lock); /* held while a run goes on */

static int list_show(struct seq_file *m, void *v)
{
	char name[BENCH_NAME_MAX];
	const struct bench *bench;
	size_t i;

	for (i = 0; (bench = bench_at(i)); i++) {
		const char *reason = bench_unavailable(bench);

		seq_printf(m, "%s\t%s\t%s\n", bench_name(bench, name),
			   reason ? "unavailable" : worker_context_name(bench->context),
			   reason ? reason : bench->summary);
	}
	return 0;
}

static int list_open(struct inode *inode, struct file *file)
{
	return single_open(file, list_show, NULL);
}

static const struct file_operations list_fops = {
	.owner = THIS_MODULE,
	.open = list_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static int run_text(char *text)
{
	struct results *results;
	struct request request;
	int err;

	results = results_new();
	if (!results)
		return -ENOMEM;
	err = request_parse(text, &request, results);
	if (!err)
		err = runner_run(&request, results);
	results_publish(results);
	return err;
}

static ssize_t run_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char *text;
	int err;

	if (count > RUN_TEXT_MAX)
		return -EINVAL;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = -EBUSY;
	if (mutex_trylock(&run_lock)) {
		err = run_text(text);
		mutex_unlock(&run_lock);
	}
	kfree(text);
	return err ? err : count;
}

static int run_open(struct inode *inode, struct file *file)
{
	return nonseekable_open(inode, file);
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = run_open,
	.write = run_write,
};

static int __init kregress_init(void)
{
	struct dentry *file;

	bench_text_find();
	folder = debugfs_create_dir("kregress", NULL);
	if (IS_ERR(folder)) {
		pr_err("no debugfs, and so no way to run anything: %pe\n", folder);
		return PTR_ERR(folder);
	}
	file = debugfs_create_file("list", 0400, folder, NULL, &list_fops);
	if (!IS_ERR(file))
		file = debugfs_create_file("run", 0200, folder, NULL, &run_fops);
	if (!IS_ERR(file))
		file = debugfs_create_file("results", 0400, folder, NULL, &results_fops);
	if (IS_ERR(file)) {
		debugfs_remove_recursive(folder);
		return PTR_ERR(file);
	}
	return 0;
}

static void __exit kregress_exit(void)
{
	debugfs_remove_recursive(folder);
	results_forget();
}

module_init(kregress_init);
module_exit(kregress_exit);

MODULE_DESCRIPTION("In-kernel benchmarks that export raw repetitions");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
