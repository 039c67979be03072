/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect_build/fake_kernel.h"

#include <string.h>

#include "common/file.h"
#include "common/process.h"

/*
 * libgit2 1.5.1 leaks what its own git_config_foreach_match() allocates in libpcre2, which opening
 * a repository with extensions calls. LeakSanitizer reads this; nothing else does.
 */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2-8\n";
}

/* `trouble` is a shell command that a commit puts into the way of the build. */
static const char makefile[] =
	"olddefconfig:\n"
	"\t@test ! -e broken-config || { echo 'Kconfig:3: syntax error: x'; false; }\n"
	"\t@test ! -e dropped || sed -i 's/^CONFIG_DROPPED=y/# CONFIG_DROPPED is not set/' "
	"$(O)/.config\n"
	"bzImage: $(O)/vmlinux\n"
	"\tmkdir -p $(O)/arch/x86/boot\n"
	"\tcp $(O)/vmlinux $(O)/arch/x86/boot/bzImage\n"
	"\techo 0 > $(O)/System.map\n"
	"\techo 0 > $(O)/vmlinux.symvers\n"
	"$(O)/code.o: code.c\n"
	"\t$(CC) -O1 -c -o $@ code.c\n"
	"$(O)/vmlinux: $(O)/code.o trouble\n"
	"\tsh trouble $(O) $$PPID\n"
	"\techo linked >> $(O)/links\n"
	"\tcp $(O)/code.o $@\n"
	"modules_prepare:\n"
	"\tmkdir -p $(O)/include/generated $(O)/scripts\n"
	"\techo '#define X 1' > $(O)/include/generated/autoconf.h\n";

char *fake_kernel_shell(struct fake_kernel *fake, const char *command)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_free_ char *script = xasprintf("cd %s && %s", fake->repository, command);
	struct strbuf output = STRBUF_INIT;

	string_list_add(&argv, "sh");
	string_list_add(&argv, "-c");
	string_list_add(&argv, script);
	if (process_run_read(&argv, 60, &output, &err) < 0)
		fail_msg("%s", err.message);
	return strbuf_take(&output);
}

static void write_text(const char *folder, const char *name, const char *text)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);

	if (file_write(path, text, strlen(text), &err) < 0)
		fail_msg("%s", err.message);
}

git_oid fake_kernel_head(struct fake_kernel *fake)
{
	_cleanup_free_ char *text = fake_kernel_shell(fake, "git rev-parse HEAD");
	git_oid id;

	assert_int_equal(git_oid_fromstrn(&id, text, strcspn(text, "\n")), 0);
	return id;
}

git_oid fake_kernel_commit(struct fake_kernel *fake, const char *name, const char *text)
{
	write_text(fake->repository, name, text);
	free(fake_kernel_shell(
		fake, "git add -A && git -c user.name=a -c user.email=a@b commit -q -m x"));
	return fake_kernel_head(fake);
}

void fake_kernel_init(struct fake_kernel *fake)
{
	_cleanup_(error_clear) struct error err = {0};

	git_libgit2_init();
	*fake = (struct fake_kernel){0};
	assert_int_equal(folder_make_temporary(&fake->folder, &err), 0);
	fake->repository = xasprintf("%s/repository", fake->folder);
	fake->builds = xasprintf("%s/builds", fake->folder);
	fake->base_config = xasprintf("%s/config", fake->folder);
	assert_int_equal(folder_make(fake->repository, &err), 0);
	write_text(fake->folder, "config", "CONFIG_MODULES=y\nCONFIG_DROPPED=y\n");
	free(fake_kernel_shell(fake, "git init -q -b main && mkdir -p scripts include arch/x86"));
	write_text(fake->repository, "Makefile", makefile);
	write_text(fake->repository, "trouble", "");
	write_text(fake->repository, "include/a.h", "int a;\n");
	fake_kernel_commit(fake, "code.c", "int f(int x)\n{\n\treturn x + 1;\n}\n");
}

void fake_kernel_release(struct fake_kernel *fake)
{
	_cleanup_(error_clear) struct error err = {0};

	kernel_builds_close(fake->open);
	assert_int_equal(folder_remove(fake->folder, &err), 0);
	string_list_release(&fake->make_arguments);
	free(fake->folder);
	free(fake->repository);
	free(fake->builds);
	free(fake->base_config);
	git_libgit2_shutdown();
}

int fake_kernel_try_open(struct fake_kernel *fake, uint64_t limit_bytes, struct error *err)
{
	struct kernel_builds_options options = {
		.repository = fake->repository,
		.folder = fake->builds,
		.base_config = fake->base_config,
		.make_arguments = &fake->make_arguments,
		.jobs = 1,
		.cache_limit_bytes = limit_bytes,
	};

	return kernel_builds_open(&options, &fake->open, err);
}

void fake_kernel_open(struct fake_kernel *fake, uint64_t limit_bytes)
{
	_cleanup_(error_clear) struct error err = {0};

	if (fake_kernel_try_open(fake, limit_bytes, &err) < 0)
		fail_msg("%s", err.message);
}

size_t fake_kernel_links(struct fake_kernel *fake)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *path = xasprintf("%s/tree/objects/links", fake->builds);

	if (!file_exists(path))
		return 0;
	assert_int_equal(file_read(path, &text, &err), 0);
	return text.length / strlen("linked\n");
}
