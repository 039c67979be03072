/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "collector/agent/environment.h"

static void test_marked_words(void **state)
{
	char word[16];

	(void)state;
	assert_true(environment_marked_word("none (voluntary) full", '(', word, sizeof(word)));
	assert_string_equal(word, "voluntary");
	assert_true(environment_marked_word("full (lazy)", '(', word, sizeof(word)));
	assert_string_equal(word, "lazy");
	assert_true(environment_marked_word("always [madvise] never", '[', word, sizeof(word)));
	assert_string_equal(word, "madvise");
	assert_false(environment_marked_word("none voluntary full", '(', word, sizeof(word)));
	assert_false(environment_marked_word("none (voluntary", '(', word, sizeof(word)));
	assert_false(environment_marked_word("()", '(', word, sizeof(word)));
	assert_false(environment_marked_word("(a word that is too long)", '(', word, sizeof(word)));
}

static void test_preemption_of_versions(void **state)
{
	static const struct {
		const char *version, *word;
	} cases[] = {
		{"#1 SMP PREEMPT_DYNAMIC Debian 6.1.192-3", "dynamic"},
		{"#1 SMP PREEMPT_RT Debian 6.1.192-3", "rt"},
		{"#1 SMP PREEMPT Tue Jan 1", "full"},
		{"#7 PREEMPT_LAZY", "lazy"},
		{"#1 SMP Debian 5.10", NULL},
		{"#1 SMP PREEMPT_", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char word[16] = "";

		assert_int_equal(
			environment_preempt_of_version(cases[i].version, word, sizeof(word)),
			cases[i].word != NULL);
		if (cases[i].word)
			assert_string_equal(word, cases[i].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marked_words),
		cmocka_unit_test(test_preemption_of_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
