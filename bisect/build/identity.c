/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/strbuf.h"
#include "common/text.h"

/* What the banner begins with; a NUL ends it. */
static const char banner[] = "Linux version ";

static bool is_without_consequence(const char *name)
{
	static const char *const beginnings[] = {".note", "__bug_table", ".orc_", ".BTF",
						 ".modinfo"};

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

static bool is_wanted(const GElf_Shdr *header, const char *name, bool code_only)
{
	if (!(header->sh_flags & SHF_ALLOC) || header->sh_type == SHT_NOTE)
		return false;
	if (code_only && !(header->sh_flags & SHF_EXECINSTR))
		return false;
	return !is_without_consequence(name);
}

/* Overwrites every banner with zeros; what lies around it stays where it is. */
static void blank_banner(char *bytes, size_t length)
{
	char *at = bytes;
	char *end = bytes + length;

	while ((at = memmem(at, (size_t)(end - at), banner, sizeof(banner) - 1)))
		while (at < end && *at)
			*at++ = '\0';
}

static void append_section(struct strbuf *out, Elf_Scn *section, const GElf_Shdr *header,
			   const char *name)
{
	Elf_Data *data = NULL;

	strbuf_printf(out, "%s %llx %llx ", name, (unsigned long long)header->sh_addr,
		      (unsigned long long)header->sh_size);
	while (header->sh_type != SHT_NOBITS && (data = elf_rawdata(section, data))) {
		_cleanup_(strbuf_release) struct strbuf copy = STRBUF_INIT;

		if (!data->d_buf)
			continue;
		strbuf_append_bytes(&copy, data->d_buf, data->d_size);
		blank_banner(copy.text, copy.length);
		text_append_digest(out, copy.text, copy.length, 40);
	}
	strbuf_append_char(out, '\n');
}

static int append_sections(struct strbuf *out, Elf *elf, bool code_only)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
		return -1;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header))
			return -1;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && is_wanted(&header, name, code_only))
			append_section(out, section, &header, name);
	}
	return 0;
}

static int identity_of(const char *path, bool code_only, char **digest, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf sections = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf key = STRBUF_INIT;
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;
	int code;

	if (fd < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot open", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	code = elf ? append_sections(&sections, elf, code_only) : -1;
	elf_end(elf);
	if (code < 0 || !sections.length)
		return error_set(err, ERROR_DATA, "%s: no ELF file with code in it", path);
	text_append_digest(&key, strbuf_text(&sections), sections.length, 40);
	*digest = strbuf_take(&key);
	return 0;
}

int identity_of_kernel(const char *vmlinux, char **digest, struct error *err)
{
	return identity_of(vmlinux, false, digest, err);
}

int identity_of_module(const char *module, char **digest, struct error *err)
{
	return identity_of(module, true, digest, err);
}
