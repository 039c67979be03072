/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/commit_graph.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/file.h"

enum {
	HEADER_SIZE = 8,
	CHUNK_ROW_SIZE = 12,
	FANOUT_SIZE = 256 * 4,
	COMMIT_SIZE = GIT_OID_RAWSZ + 16,
};

#define PARENT_NONE  UINT32_C(0x70000000)
#define PARENT_EDGES UINT32_C(0x80000000) /* the other parents are in the list of edges */

static uint32_t read_u32(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static uint64_t read_u64(const unsigned char *bytes)
{
	return (uint64_t)read_u32(bytes) << 32 | read_u32(bytes + 4);
}

static bool map_file(const char *path, struct commit_graph_layer *layer)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *map;

	if (fd < 0 || fstat(fd, &status) || status.st_size < HEADER_SIZE)
		return false;
	map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	layer->map = map;
	layer->size = (size_t)status.st_size;
	return true;
}

/* The chunk of that name and its size; NULL when there is none, or it is not inside the file. */
static const unsigned char *find_chunk(const struct commit_graph_layer *layer, const char *name,
				       size_t *size)
{
	size_t count = layer->map[6];

	if (HEADER_SIZE + (count + 1) * CHUNK_ROW_SIZE > layer->size)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const unsigned char *row = layer->map + HEADER_SIZE + i * CHUNK_ROW_SIZE;
		uint64_t start = read_u64(row + 4);
		uint64_t end = read_u64(row + CHUNK_ROW_SIZE + 4);

		if (memcmp(row, name, 4))
			continue;
		if (start > end || end > layer->size)
			return NULL;
		*size = (size_t)(end - start);
		return layer->map + start;
	}
	return NULL;
}

static bool is_fanout_ordered(const unsigned char *fanout)
{
	for (size_t i = 1; i < 256; i++) {
		if (read_u32(fanout + 4 * i) < read_u32(fanout + 4 * (i - 1)))
			return false;
	}
	return true;
}

/* Version 1 with SHA-1 ids, and every chunk as long as the number of commits wants it. */
static bool find_chunks(struct commit_graph_layer *layer)
{
	static const unsigned char signature[] = {'C', 'G', 'P', 'H', 1, 1};
	size_t fanout_size = 0;
	size_t ids_size = 0;
	size_t data_size = 0;
	size_t edges_size = 0;

	if (memcmp(layer->map, signature, sizeof(signature)))
		return false;
	layer->fanout = find_chunk(layer, "OIDF", &fanout_size);
	layer->ids = find_chunk(layer, "OIDL", &ids_size);
	layer->data = find_chunk(layer, "CDAT", &data_size);
	layer->edges = find_chunk(layer, "EDGE", &edges_size);
	layer->edge_count = (uint32_t)(edges_size / 4);
	if (!layer->fanout || !layer->ids || !layer->data || fanout_size != FANOUT_SIZE ||
	    !is_fanout_ordered(layer->fanout))
		return false;
	layer->count = read_u32(layer->fanout + FANOUT_SIZE - 4);
	return layer->count < PARENT_NONE && ids_size == (size_t)layer->count * GIT_OID_RAWSZ &&
	       data_size == (size_t)layer->count * COMMIT_SIZE;
}

static bool add_layer(struct commit_graph *graph, const char *path)
{
	struct commit_graph_layer layer = {0};

	if (!map_file(path, &layer))
		return false;
	if (!find_chunks(&layer) || layer.map[7] != graph->layers.count ||
	    graph->count + layer.count >= PARENT_NONE) {
		munmap(layer.map, layer.size);
		return false;
	}
	layer.first = graph->count;
	graph->count += layer.count;
	*array_append(&graph->layers) = layer;
	return true;
}

static bool add_chain(struct commit_graph *graph, const char *folder)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(string_list_release) struct string_list names = {NULL, 0, 0};
	_cleanup_free_ char *chain = xasprintf("%s/commit-graph-chain", folder);
	bool ok;

	if (!file_exists(chain) || file_read(chain, &text, &err))
		return false;
	string_list_split(&names, strbuf_text(&text), "\n");
	ok = names.count > 0;
	for (size_t i = 0; ok && i < names.count; i++) {
		_cleanup_free_ char *path = xasprintf("%s/graph-%s.graph", folder, names.items[i]);

		ok = strspn(names.items[i], "0123456789abcdef") == GIT_OID_HEXSZ &&
		     add_layer(graph, path);
	}
	return ok;
}

void commit_graph_open(struct commit_graph *graph, git_repository *repository)
{
	_cleanup_free_ char *info =
		xasprintf("%s/objects/info", git_repository_commondir(repository));
	_cleanup_free_ char *single = path_below(info, "commit-graph");
	_cleanup_free_ char *chain = path_below(info, "commit-graphs");

	*graph = (struct commit_graph){.count = 0};
	if (!add_layer(graph, single) && !add_chain(graph, chain))
		commit_graph_release(graph);
}

void commit_graph_release(struct commit_graph *graph)
{
	array_for_each (layer, &graph->layers)
		munmap(layer->map, layer->size);
	array_release(&graph->layers);
	graph->count = 0;
}

static bool find_in_layer(const struct commit_graph_layer *layer, const git_oid *id,
			  uint32_t *position)
{
	size_t first = id->id[0];
	uint32_t low = first ? read_u32(layer->fanout + 4 * (first - 1)) : 0;
	uint32_t high = read_u32(layer->fanout + 4 * first);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order =
			memcmp(layer->ids + (size_t)middle * GIT_OID_RAWSZ, id->id, GIT_OID_RAWSZ);

		if (!order) {
			*position = layer->first + middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool commit_graph_find(const struct commit_graph *graph, const git_oid *id, uint32_t *position)
{
	array_for_each (layer, &graph->layers) {
		if (find_in_layer(layer, id, position))
			return true;
	}
	return false;
}

static const struct commit_graph_layer *layer_of(const struct commit_graph *graph,
						 uint32_t position)
{
	const struct commit_graph_layer *layer = &graph->layers.items[graph->layers.count - 1];

	while (position < layer->first)
		layer--;
	return layer;
}

void commit_graph_id(const struct commit_graph *graph, uint32_t position, git_oid *id)
{
	const struct commit_graph_layer *layer = layer_of(graph, position);

	memcpy(id->id, layer->ids + (size_t)(position - layer->first) * GIT_OID_RAWSZ,
	       GIT_OID_RAWSZ);
}

static const unsigned char *data_of(const struct commit_graph_layer *layer, uint32_t position)
{
	return layer->data + (size_t)(position - layer->first) * COMMIT_SIZE;
}

void commit_graph_tree(const struct commit_graph *graph, uint32_t position, git_oid *tree)
{
	memcpy(tree->id, data_of(layer_of(graph, position), position), GIT_OID_RAWSZ);
}

static bool add_parent(const struct commit_graph *graph, uint32_t parent,
		       struct position_list *parents)
{
	if (parent >= graph->count)
		return false;
	*array_append(parents) = parent;
	return true;
}

static bool add_edges(const struct commit_graph *graph, const struct commit_graph_layer *layer,
		      uint32_t index, struct position_list *parents)
{
	uint32_t edge;

	do {
		if (index >= layer->edge_count)
			return false;
		edge = read_u32(layer->edges + 4 * (size_t)index++);
		if (!add_parent(graph, edge & ~PARENT_EDGES, parents))
			return false;
	} while (!(edge & PARENT_EDGES));
	return true;
}

bool commit_graph_parents(const struct commit_graph *graph, uint32_t position,
			  struct position_list *parents)
{
	const struct commit_graph_layer *layer = layer_of(graph, position);
	const unsigned char *data = data_of(layer, position) + GIT_OID_RAWSZ;
	uint32_t first = read_u32(data);
	uint32_t second = read_u32(data + 4);

	parents->count = 0;
	if (first == PARENT_NONE)
		return true;
	if (!add_parent(graph, first, parents))
		return false;
	if (second & PARENT_EDGES)
		return add_edges(graph, layer, second & ~PARENT_EDGES, parents);
	return second == PARENT_NONE || add_parent(graph, second, parents);
}
