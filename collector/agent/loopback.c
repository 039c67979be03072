/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/loopback.h"

#include <errno.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BACKLOG 512

int loopback_up(void)
{
	struct ifreq request = {.ifr_name = "lo"};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int result;

	if (fd < 0)
		return -1;
	result = ioctl(fd, SIOCGIFFLAGS, &request);
	if (result == 0 && !(request.ifr_flags & IFF_UP)) {
		request.ifr_flags |= IFF_UP;
		result = ioctl(fd, SIOCSIFFLAGS, &request);
	}
	close(fd);
	return result;
}

/* A socket bound to a free port, and its address. */
static int bind_any(int type, struct sockaddr_in *address)
{
	socklen_t length = sizeof(*address);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_in){.sin_family = AF_INET,
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)address, sizeof(*address)) == 0 &&
	    getsockname(fd, (struct sockaddr *)address, &length) == 0)
		return fd;
	close(fd);
	return -1;
}

static int close_failed(int fd)
{
	int reason = errno;

	close(fd);
	errno = reason;
	return -1;
}

static int set_nodelay(int fd)
{
	int on = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		return close_failed(fd);
	return fd;
}

int loopback_listen(struct sockaddr_in *address)
{
	int fd = bind_any(SOCK_STREAM, address);

	if (fd >= 0 && listen(fd, BACKLOG) < 0)
		return close_failed(fd);
	return fd;
}

int loopback_connect(const struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0)
		return close_failed(fd);
	return set_nodelay(fd);
}

int loopback_accept(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	return fd < 0 ? -1 : set_nodelay(fd);
}

int loopback_tcp_pair(int ends[2])
{
	struct sockaddr_in address;
	int listener = loopback_listen(&address);

	if (listener < 0)
		return -1;
	/* The backlog takes the connection before anybody accepts it. */
	ends[0] = loopback_connect(&address);
	ends[1] = ends[0] < 0 ? -1 : loopback_accept(listener);
	if (ends[0] >= 0 && ends[1] < 0)
		close_failed(ends[0]);
	close_failed(listener);
	return ends[1] < 0 ? -1 : 0;
}

int loopback_udp_pair(int ends[2])
{
	struct sockaddr_in addresses[2];

	ends[0] = bind_any(SOCK_DGRAM, &addresses[0]);
	ends[1] = ends[0] < 0 ? -1 : bind_any(SOCK_DGRAM, &addresses[1]);
	if (ends[1] < 0)
		return ends[0] < 0 ? -1 : close_failed(ends[0]);
	for (int i = 0; i < 2; i++) {
		const struct sockaddr *peer = (const struct sockaddr *)&addresses[1 - i];

		if (connect(ends[i], peer, sizeof(addresses[0])) < 0) {
			close_failed(ends[0]);
			return close_failed(ends[1]);
		}
	}
	return 0;
}
