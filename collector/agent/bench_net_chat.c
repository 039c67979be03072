/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chat server, after VolanoMark: rooms of users, a TCP connection on loopback for each. What a
 * user says, the server passes on to all users of the room, the speaker included. The server has a
 * thread for each connection, the clients have two: one speaks, one listens. A loop is one message
 * said by each user; what counts is the messages delivered.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "collector/agent/futex.h"
#include "collector/agent/loopback.h"
#include "collector/agent/team.h"
#include "collector/agent/transfer.h"
#include "collector/agent/worker.h"

#define MESSAGE_SIZE 96
#define USERS_MAX    32
#define ROOMS_MAX    16

/* The server's side of a room; in memory that its threads share. */
struct room {
	unsigned users;
	int fds[USERS_MAX];
	pthread_mutex_t locks[USERS_MAX]; /* two speakers must not mix their messages */
};

struct listener {
	struct room *room;
	unsigned user;
};

/* The clients' side of a connection. */
struct user {
	int fd;
	unsigned number, users;
	uint64_t plant;
};

static int pass_on(struct room *room, unsigned to, const char *message)
{
	int result;

	pthread_mutex_lock(&room->locks[to]);
	result = transfer_write(room->fds[to], message, MESSAGE_SIZE);
	pthread_mutex_unlock(&room->locks[to]);
	return result;
}

static void *serve_user(void *context)
{
	struct listener *listener = context;
	struct room *room = listener->room;
	char message[MESSAGE_SIZE];

	while (transfer_read(room->fds[listener->user], message, sizeof(message)) == 0)
		for (unsigned to = 0; to < room->users; to++)
			if (pass_on(room, to, message) < 0)
				return NULL;
	return NULL;
}

/* The server's process: it serves until it is killed. */
static void serve_room(void *context)
{
	struct room *room = context;

	for (unsigned i = 0; i < room->users; i++) {
		struct listener listener = {room, i};

		pthread_mutex_init(&room->locks[i], NULL);
		if (team_start_thread(serve_user, &listener, sizeof(listener)) < 0)
			return;
	}
	for (;;)
		pause();
}

static int speak(void *context, uint64_t loops)
{
	const struct user *user = context;
	char message[MESSAGE_SIZE] = {0};

	message[0] = message[MESSAGE_SIZE - 1] = (char)(user->number + 1);
	for (uint64_t i = 0; i < loops; i++) {
		plant(user->plant);
		if (transfer_write(user->fd, message, sizeof(message)) < 0)
			return -1;
	}
	return 0;
}

/* Every user of the room must have been heard as often as the others. */
static int listen_to_all(void *context, uint64_t loops)
{
	const struct user *user = context;
	uint64_t heard[USERS_MAX + 1] = {0};
	char message[MESSAGE_SIZE];

	for (uint64_t i = 0; i < loops * user->users; i++) {
		if (transfer_read(user->fd, message, sizeof(message)) < 0 || message[0] <= 0 ||
		    (unsigned)message[0] > user->users || message[0] != message[MESSAGE_SIZE - 1])
			return -1;
		heard[(unsigned)message[0]]++;
	}
	for (unsigned i = 1; i <= user->users; i++)
		if (heard[i] != loops)
			return -1;
	return 0;
}

static int add_user(struct bench_run *run, struct team *team, const struct user *user)
{
	if (team_add(team, listen_to_all, user, sizeof(*user), true) < 0 ||
	    team_add(team, speak, user, sizeof(*user), true) < 0)
		return bench_fail(run, "thread");
	return 0;
}

static int connect_room(struct bench_run *run, struct room *room, int fds[USERS_MAX])
{
	for (; room->users < run->bench->fan && room->users < USERS_MAX; room->users++) {
		int ends[2];

		if (loopback_tcp_pair(ends) < 0)
			return bench_setup_fail(run, "TCP over loopback");
		fds[room->users] = ends[0];
		room->fds[room->users] = ends[1];
	}
	return worker_start(serve_room, room) < 0 ? bench_fail(run, "fork") : 0;
}

/* The server's process is forked before the clients' threads are there. */
int bench_net_chat_setup(struct bench_run *run)
{
	unsigned rooms = run->bench->groups < ROOMS_MAX ? run->bench->groups : ROOMS_MAX;
	unsigned users = run->bench->fan < USERS_MAX ? run->bench->fan : USERS_MAX;
	int fds[ROOMS_MAX][USERS_MAX];
	struct team *team = team_new();

	if (!team)
		return bench_fail(run, "mmap");
	run->data = team;
	for (unsigned i = 0; i < rooms; i++) {
		struct room *room = futex_shared_memory(sizeof(*room));

		if (!room || connect_room(run, room, fds[i]) < 0)
			return room ? -1 : bench_fail(run, "mmap");
	}
	for (unsigned i = 0; i < rooms * users; i++) {
		struct user user = {fds[i / users][i % users], i % users, users,
				    i == 0 ? run->plant : 0};

		if (add_user(run, team, &user) < 0)
			return -1;
	}
	return 0;
}

int bench_net_chat_run(struct bench_run *run, uint64_t loops)
{
	return team_round(run->data, run, loops);
}
