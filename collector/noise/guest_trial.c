/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/guest_trial.h"

#include <string.h>

#include "common/file.h"
#include "common/process.h"

static const double timeout_s = 5;

/* Firmware of one page and more: the processor begins sixteen bytes before its end. */
enum { FIRMWARE_SIZE = 65536, RESET_VECTOR = FIRMWARE_SIZE - 16 };

/* Writes a letter to the debug port and resets the machine, at which QEMU ends. */
static const unsigned char guest[] = {
	0xba, 0x02, 0x04, /* mov dx, 0x402 */
	0xb0, 'K',	  /* mov al, 'K' */
	0xee,		  /* out dx, al */
	0xb0, 0xfe,	  /* mov al, 0xfe */
	0xe6, 0x64,	  /* out 0x64, al: reset by the keyboard controller */
	0xf4,		  /* hlt */
};

static int write_firmware(const char *path, struct error *err)
{
	_cleanup_free_ unsigned char *image = xcalloc(FIRMWARE_SIZE, 1);

	memcpy(image + RESET_VECTOR, guest, sizeof(guest));
	return file_write(path, image, FIRMWARE_SIZE, err);
}

static int run_guest(const char *accel, const char *firmware, const char *log_path,
		     struct error *err)
{
	const char *const words[] = {
		"qemu-system-x86_64",
		"-accel",
		accel,
		"-cpu",
		!strcmp(accel, "kvm") ? "host" : "max",
		"-m",
		"16",
		"-bios",
		firmware,
		"-nodefaults",
		"-no-user-config",
		"-display",
		"none",
		"-no-reboot",
		"-monitor",
		"none",
		"-chardev",
		"stdio,id=letter,signal=off",
		"-device",
		"isa-debugcon,iobase=0x402,chardev=letter",
	};
	_cleanup_(string_list_release) struct string_list argv = {0};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		string_list_add(&argv, words[i]);
	return process_run_logged(&argv, log_path, timeout_s, err);
}

/* The first line that QEMU said, without its name, else the error's. */
static char *first_line(const char *said, const struct error *err)
{
	const char *name = "qemu-system-x86_64: ";

	if (!*said)
		said = err->message ? err->message : "the guest did nothing";
	if (!strncmp(said, name, strlen(name)))
		said += strlen(name);
	return xstrndup(said, strcspn(said, "\n"));
}

static bool try_in(const char *folder, const char *accel, char **why)
{
	_cleanup_(error_clear) struct error err = {0}, unread = {0};
	_cleanup_(strbuf_release) struct strbuf said = STRBUF_INIT;
	_cleanup_free_ char *firmware = path_below(folder, "firmware");
	_cleanup_free_ char *log_path = path_below(folder, "output");
	int result = write_firmware(firmware, &err);

	if (result == 0)
		result = run_guest(accel, firmware, log_path, &err);
	if (file_read(log_path, &said, &unread) < 0)
		error_clear(&unread);
	if (result == 0 && !strcmp(strbuf_text(&said), "K"))
		return true;
	*why = first_line(strbuf_text(&said), &err);
	return false;
}

bool guest_trial(const char *accel, char **why)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *folder = NULL;
	bool works;

	*why = NULL;
	if (folder_make_temporary(&folder, &err) < 0) {
		*why = xstrdup(err.message);
		return false;
	}
	works = try_in(folder, accel, why);
	if (folder_remove(folder, &err) < 0)
		error_clear(&err);
	return works;
}
