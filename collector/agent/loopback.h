/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections of the machine to itself. */
#ifndef KREGRESS_AGENT_LOOPBACK_H
#define KREGRESS_AGENT_LOOPBACK_H

#include <netinet/in.h>

/* Brings the interface `lo` up. -1 with errno set. */
int loopback_up(void);

/* A listening TCP socket and its address. -1 with errno set. */
int loopback_listen(struct sockaddr_in *address);

/* A TCP connection to the address, without Nagle's delay. -1 with errno set. */
int loopback_connect(const struct sockaddr_in *address);

/* Accepts one, without Nagle's delay. -1 with errno set. */
int loopback_accept(int listener);

/* Both ends of a TCP connection, or of two connected UDP sockets. -1 with errno set. */
int loopback_tcp_pair(int ends[2]);
int loopback_udp_pair(int ends[2]);

#endif
