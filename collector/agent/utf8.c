/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/utf8.h"

/* Length of the sequence and the bits of its first byte; 0 when it cannot begin one. */
static int lead(unsigned char byte, uint32_t *code)
{
	static const struct {
		unsigned char mask, value;
		int length;
	} leads[] = {{0x80, 0x00, 1}, {0xe0, 0xc0, 2}, {0xf0, 0xe0, 3}, {0xf8, 0xf0, 4}};

	for (int i = 0; i < 4; i++)
		if ((byte & leads[i].mask) == leads[i].value) {
			*code = byte & (unsigned char)~leads[i].mask;
			return leads[i].length;
		}
	return 0;
}

static int well_formed(uint32_t code, int length)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

	return length > 0 && code >= smallest[length] && code <= 0x10ffff &&
	       (code < 0xd800 || code > 0xdfff);
}

uint32_t utf8_next(const char **text)
{
	const unsigned char *bytes = (const unsigned char *)*text;
	uint32_t code = 0;
	int length = lead(bytes[0], &code);

	/* A NUL is no continuation byte, so that a cut sequence ends the loop. */
	for (int i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80) {
			length = 0;
			break;
		}
		code = code << 6 | (bytes[i] & 0x3f);
	}
	if (!well_formed(code, length)) {
		(*text)++;
		return 0xfffd;
	}
	*text += length;
	return code;
}
