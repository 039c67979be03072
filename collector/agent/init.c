/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/init.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "collector/agent/input.h"
#include "collector/agent/loopback.h"
#include "collector/agent/plan.h"
#include "collector/agent/self.h"
#include "collector/agent/session.h"

bool init_is_wanted(const char *program)
{
	const char *slash = strrchr(program, '/');

	return getpid() == 1 && !strcmp(slash ? slash + 1 : program, "init");
}

/* Output for whoever looks at the console; the descriptors 0 to 2 may all be closed. */
static void open_console(void)
{
	int fd = open("/dev/console", O_RDWR | O_NOCTTY);

	if (fd < 0)
		return;
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
}

/* Files that came with the guest may lie below /tmp, as on the machine that they are from. */
static const char *temporary_folder(void)
{
	static const char own[] = "/kregress/tmp";

	if (rmdir("/tmp") == 0 || errno != ENOTEMPTY)
		return "/tmp";
	setenv("TMPDIR", own, 1);
	return own;
}

/* A file system that is missing costs environment keys or the module, which say so themselves. */
static void mount_all(void)
{
	const struct {
		const char *type, *where;
	} mounts[] = {{"devtmpfs", "/dev"},
		      {"proc", "/proc"},
		      {"sysfs", "/sys"},
		      {"debugfs", DEBUGFS_DEFAULT},
		      {"tmpfs", temporary_folder()}};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, NULL);
	}
}

/*
 * Starts the program again without address space randomisation, once: the layout of its address
 * space would otherwise differ from boot to boot, and with it what fork and page faults cost.
 */
static void fix_layout(char **arguments)
{
	int persona = personality(0xffffffff);

	if (persona < 0 || (persona & ADDR_NO_RANDOMIZE))
		return;
	personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
	execv(SELF_LINK, arguments);
}

static int open_channel(void)
{
	int fd = open(INIT_CHANNEL, O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios settings;

	if (fd < 0 || tcgetattr(fd, &settings) < 0)
		return fd;
	cfmakeraw(&settings);
	cfsetspeed(&settings, B115200);
	tcsetattr(fd, TCSANOW, &settings);
	return fd;
}

static void run_plan_file(struct record_writer *writer)
{
	size_t length;
	char *text = input_read_file(INIT_PLAN, PLAN_SIZE_MAX, &length);
	char message[128];

	if (text) {
		session_run(writer, INIT_PLAN, text, length, DEBUGFS_DEFAULT);
	} else {
		snprintf(message, sizeof(message), "%s: %s", INIT_PLAN, strerror(errno));
		session_refuse(writer, message);
	}
	free(text);
}

/* A kernel without ACPI only halts when told to power off; a reset ends QEMU, started -no-reboot.
 */
static _Noreturn void end_machine(void)
{
	sync();
	reboot(RB_AUTOBOOT);
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

_Noreturn void init_main(char **arguments)
{
	static struct record_writer writer;
	int channel;

	mount_all();
	open_console();
	fix_layout(arguments);
	/* Without it, benchmarks that need it say so themselves. */
	loopback_up();
	channel = open_channel();
	if (channel < 0) {
		fprintf(stderr, "kregress-agent: no record channel: %s: %s\n", INIT_CHANNEL,
			strerror(errno));
		end_machine();
	}
	record_writer_init(&writer, channel, true);
	run_plan_file(&writer);
	tcdrain(channel);
	end_machine();
}
