/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/measure.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "collector/import/unit.h"
#include "common/strbuf.h"

void import_label_release(struct import_label *label)
{
	free(label->written);
	free(label->benchmark);
	free(label->params);
	free(label->unit);
	*label = (struct import_label){0};
}

void import_measure_release(struct import_measure *measure)
{
	free(measure->metric);
	free(measure->unit);
	*measure = (struct import_measure){0};
}

static bool is_name_char(char character)
{
	return isalnum((unsigned char)character) || strchr("._-", character);
}

char *import_clean_name(const char *text, size_t length)
{
	struct strbuf name = STRBUF_INIT;
	bool gap = false;

	for (size_t i = 0; i < length; i++) {
		if (!text[i] || !is_name_char(text[i])) {
			gap = true;
			continue;
		}
		if (gap && name.length)
			strbuf_append_char(&name, '_');
		gap = false;
		strbuf_append_char(&name, text[i]);
	}
	return strbuf_take(&name);
}

/* `text` without blanks at its ends. */
static char *trim(const char *text, size_t length)
{
	while (length && *text == ' ') {
		text++;
		length--;
	}
	while (length && text[length - 1] == ' ')
		length--;
	return xstrndup(text, length);
}

static bool parse_direction(const char *text, enum better *better)
{
	static const char suffix[] = " is better";
	size_t length = strlen(text);

	if (length > strlen(suffix) && !strcasecmp(text + length - strlen(suffix), suffix))
		length -= strlen(suffix);
	if (length == 6 && !strncasecmp(text, "higher", 6))
		*better = BETTER_HIGHER;
	else if (length == 5 && !strncasecmp(text, "lower", 5))
		*better = BETTER_LOWER;
	else
		return false;
	return true;
}

static int set_label_unit(struct import_label *label, const char *unit, struct error *err)
{
	if (label->unit && strcmp(label->unit, unit) != 0) {
		error_set(err, ERROR_DATA, "two units, '%s' and '%s'", label->unit, unit);
		return error_hint(err, "give one unit a benchmark");
	}
	replace_string(&label->unit, unit);
	return 0;
}

/* One part between commas; what is neither direction nor unit is a parameter. */
static int add_part(struct import_label *label, struct strbuf *params, const char *part,
		    struct error *err)
{
	enum better better;
	struct unit unit;

	if (parse_direction(part, &better)) {
		if (label->has_better && label->better != better)
			return error_set(err, ERROR_DATA, "both 'higher' and 'lower'");
		label->has_better = true;
		label->better = better;
		return 0;
	}
	if (unit_parse(part, &unit))
		return set_label_unit(label, part, err);
	if (*part)
		strbuf_printf(params, "%s%s", params->length ? "," : "", part);
	return 0;
}

static int add_parts(struct import_label *label, struct strbuf *params, const char *text,
		     struct error *err)
{
	while (*text) {
		size_t length = strcspn(text, ",");
		_cleanup_free_ char *part = trim(text, length);

		if (add_part(label, params, part, err) < 0)
			return -1;
		text += length + (text[length] == ',');
	}
	return 0;
}

/* Unlike in brackets, an unknown word behind a comma is no unit. */
static bool states_unit_or_direction(const char *part)
{
	enum better better;
	struct unit unit;

	return parse_direction(part, &better) || (unit_parse(part, &unit) && unit.known);
}

bool import_label_states_unit(const char *text)
{
	const char *at = strchr(text, ',');

	if (!at || at == text)
		return false;
	while (*at == ',') {
		size_t length = strcspn(at + 1, ",");
		_cleanup_free_ char *part = trim(at + 1, length);

		if (!states_unit_or_direction(part))
			return false;
		at += 1 + length;
	}
	return true;
}

static int split_name(struct import_label *label, const char *text, size_t length,
		      struct strbuf *params, struct error *err)
{
	const char *space = memchr(text, ' ', length);
	size_t name = space ? (size_t)(space - text) : length;
	_cleanup_free_ char *rest = trim(text + name, length - name);

	label->benchmark = import_clean_name(text, name);
	if (!*label->benchmark) {
		error_set(err, ERROR_DATA, "a benchmark's name without letters or digits");
		return error_hint(err, "names are made of A-Z, a-z, 0-9, '.', '_' and '-'");
	}
	strbuf_append(params, rest);
	return 0;
}

int import_label_parse(struct import_label *label, const char *text, const char *brackets,
		       struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	size_t length = import_label_states_unit(text) ? strcspn(text, ",") : strlen(text);

	*label = (struct import_label){0};
	if (strlen(text) > IMPORT_LABEL_MAX) {
		error_set(err, ERROR_DATA, "a benchmark's name of %zu bytes, more than %d",
			  strlen(text), IMPORT_LABEL_MAX);
		return error_hint(err, "name benchmark and parameters in a few words");
	}
	if (split_name(label, text, length, &params, err) < 0 ||
	    add_parts(label, &params, text + length, err) < 0 ||
	    (brackets && add_parts(label, &params, brackets, err) < 0)) {
		import_label_release(label);
		return -1;
	}
	label->params = strbuf_take(&params);
	label->written = xstrndup(text, strcspn(text, " ") < length ? strcspn(text, " ") : length);
	return 0;
}

static int direction_unknown(const struct import_label *label, const char *unit, struct error *err)
{
	if (*unit)
		error_set(err, ERROR_DATA,
			  "'%s' is in '%s', a unit that does not tell whether lower or higher is "
			  "better",
			  label->written, unit);
	else
		error_set(err, ERROR_DATA, "'%s' has neither a unit nor a direction",
			  label->written);
	return error_hint(err,
			  "write '%s [s]' or '%s [1/s, higher]' in the table, or give --unit UNIT "
			  "or --better lower|higher",
			  label->written, label->written);
}

static int check_same_unit(const struct import_label *label, const struct unit *at_values,
			   struct error *err)
{
	struct unit of_label;

	if (!label->unit || !unit_parse(label->unit, &of_label) ||
	    !strcmp(of_label.name, at_values->name))
		return 0;
	error_set(err, ERROR_DATA, "mixed units: values in '%s', but '%s' is in '%s'",
		  at_values->name, label->written, label->unit);
	return error_hint(err, "write all values of a benchmark in one unit");
}

/* The unit that holds: at the values, of the label, from the input, or none. */
static int choose_unit(const struct import_input *input, const struct import_label *label,
		       const char *at_values, struct unit *unit, struct error *err)
{
	const char *other = label->unit ? label->unit : input->unit;

	*unit = (struct unit){.metric = "value", .factor = 1};
	if (at_values) {
		unit_parse(at_values, unit);
		unit->factor = 1;
		return check_same_unit(label, unit, err);
	}
	if (!other || unit_parse(other, unit))
		return 0;
	error_set(err, ERROR_USAGE, "'%s' is not a unit", other);
	return error_hint(err, "units are for instance s, us, ns/op, cycles, MB/s, 1/s");
}

int import_measure_resolve(struct import_measure *measure, const struct import_input *input,
			   const struct import_label *label, const char *at_values,
			   struct error *err)
{
	struct unit unit;

	*measure = (struct import_measure){0};
	if (choose_unit(input, label, at_values, &unit, err) < 0)
		return -1;
	if (label->has_better)
		measure->better = label->better;
	else if (input->has_better)
		measure->better = input->better;
	else if (unit.known)
		measure->better = unit.better;
	else if (*unit.name ||
		 !direction_suggested(label->benchmark, label->params, &measure->better))
		return direction_unknown(label, unit.name, err);
	measure->metric = xstrdup(input->metric ? input->metric : unit.metric);
	measure->unit = xstrdup(unit.name);
	measure->factor = unit.factor;
	measure->never_negative = unit.known || metric_find(measure->metric);
	return 0;
}
