/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that kregress runs on, with the kernel it runs. A "boot" is one start of the agent.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/host.h"
#include "collector/target.h"
#include "common/file.h"
#include "common/process.h"

static int local_prepare(struct prepared_variant *variant, const struct plan *plan,
			 const struct config *config, const struct log *log, struct error *err)
{
	(void)plan;
	(void)config;
	(void)log;
	if (variant->config->kernel) {
		error_set(err, ERROR_USAGE, "a kernel image cannot be booted on the local machine");
		return error_hint(err, "remove variant.%s.kernel, or give it a target of kind qemu",
				  variant->config->name);
	}
	variant->machine = host_machine_class();
	/* The machine stays up: what differs from boot to boot is not seen. */
	variant->level = LEVEL_INVOCATION;
	return 0;
}

static int local_launch(const struct prepared_variant *variant, const struct plan *plan,
			const char *work, int record_fd, pid_t *pid, struct error *err)
{
	_cleanup_free_ char *text = variant_plan_text(variant, plan, variant->module, 0);
	_cleanup_free_ char *plan_path = xasprintf("%s/plan", work);
	_cleanup_free_ char *errors_path = xasprintf("%s/" BOOT_ERRORS_FILE, work);
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_close_ int errors = -1;

	if (file_write(plan_path, text, strlen(text), err) < 0)
		return -1;
	errors = open(errors_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (errors < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", errors_path);
	string_list_add(&argv, variant->agent);
	string_list_add(&argv, "--plan");
	string_list_add(&argv, plan_path);
	struct process_streams streams = {-1, record_fd, errors};
	return process_start(&argv, &streams, pid, err);
}

const struct target target_local = {
	.kind = "local",
	.prepare = local_prepare,
	.launch = local_launch,
	.process_name = "kregress-agent",
};
