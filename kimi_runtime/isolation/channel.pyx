# cython: binding=False, wraparound=False
"""Messages over a stream socket: what the host and a worker say to each other.

A message is its length in 4 bytes, its kind in one, and a head and perhaps a body, which are values (see ``codec``). The host reads
with a deadline and a bound on the length, and never trusts what it reads.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from libc.errno cimport EAGAIN, EINTR, errno
from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memmove

from kimi_runtime.isolation.codec import BadMessage, decode_message

import os
from _thread import allocate_lock
from time import monotonic

cdef extern from "<poll.h>" nogil:
    struct pollfd:
        int fd
        short events
        short revents
    short POLLIN, POLLOUT
    int poll(pollfd *descriptors, unsigned long count, int milliseconds)

cdef extern from "<unistd.h>" nogil:
    Py_ssize_t c_read "read"(int fd, void *data, size_t size)
    Py_ssize_t c_write "write"(int fd, const void *data, size_t size)

cdef extern from "<sys/socket.h>" nogil:
    int MSG_NOSIGNAL
    Py_ssize_t c_send "send"(int fd, const void *data, size_t size, int flags)

cdef enum:
    ROOM = 32768
    MODE_BATCHED = 0
    MODE_EACH = 1
    MODE_LINES = 2

BATCHED, EACH, LINES = MODE_BATCHED, MODE_EACH, MODE_LINES


class ChannelClosed(Exception):
    """The other end is gone."""


class DeadlinePassed(Exception):
    """The other end did not answer in time."""


@cython.final
cdef class Channel:
    """One end. ``fd`` is owned; the host's is non-blocking, the worker's is not.

    Args:
        fd: a connected stream socket.
        most: the largest message that is accepted.
        is_host: whether reads and writes have deadlines.
    """
    cdef readonly int fd
    cdef public object most
    cdef bint is_host
    cdef object lock            # of writers: the guest's threads
    cdef char held[ROOM]        # read, but not taken yet
    cdef Py_ssize_t start, end

    def __cinit__(self, int fd, most, bint is_host):
        self.fd = fd
        self.most = most
        self.is_host = is_host
        self.lock = allocate_lock()

    def close(self):
        """Closes the descriptor. The other end sees that there is nobody any more."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __dealloc__(self):
        if self.fd >= 0:
            os.close(self.fd)

    def is_quiet(self):
        """Whether the other end is there and has said nothing: what a worker without a run does."""
        cdef pollfd asked
        if self.fd < 0 or self.end > self.start:
            return False
        asked.fd = self.fd
        asked.events = POLLIN
        asked.revents = 0
        return poll(&asked, 1, 0) == 0

    cdef int wait(self, short events, double deadline) except -1:
        """Until the socket is ready. ``deadline`` is on the monotonic clock; 0 for none."""
        cdef pollfd asked
        cdef int milliseconds = -1, ready, error
        cdef double left
        while True:
            if deadline:
                left = deadline - <double>monotonic()
                if left <= 0:
                    raise DeadlinePassed()
                milliseconds = <int>min(left * 1000 + 1, 1e9)
            asked.fd = self.fd
            asked.events = events
            asked.revents = 0
            with nogil:
                ready = poll(&asked, 1, milliseconds)
                error = errno
            if ready > 0:
                return 0
            if ready < 0:
                if error != EINTR:
                    raise OSError(error, os.strerror(error))
                PyErr_CheckSignals()

    cdef Py_ssize_t read_into(self, char *data, Py_ssize_t room, double deadline) except -1:
        """At least one byte."""
        cdef Py_ssize_t got
        cdef int error
        if self.fd < 0:
            raise ChannelClosed()
        while True:
            if self.is_host:
                self.wait(POLLIN, deadline)
            with nogil:
                got = c_read(self.fd, data, room)
                error = errno
            if got > 0:
                return got
            if got == 0:
                raise ChannelClosed()
            if error == EINTR:
                PyErr_CheckSignals()
            elif error != EAGAIN:
                raise ChannelClosed()

    def send(self, bytes message not None, double deadline=0):
        """Writes a message that ``codec.frame`` has made.

        Args:
            message: with its length and kind.
            deadline: on the monotonic clock, or 0; for the host's end.

        Raises:
            ChannelClosed, DeadlinePassed.
        """
        cdef const char *data = PyBytes_AS_STRING(message)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(message), done = 0, got
        cdef int error
        with self.lock:
            while done < size:
                if self.fd < 0:
                    raise ChannelClosed()
                with nogil:
                    # The worker's filter knows no send(); a worker ignores SIGPIPE.
                    got = c_send(self.fd, data + done, size - done, MSG_NOSIGNAL) if self.is_host else c_write(
                        self.fd, data + done, size - done)
                    error = errno
                if got >= 0:
                    done += got
                elif error == EAGAIN:
                    self.wait(POLLOUT, deadline)
                elif error == EINTR:
                    PyErr_CheckSignals()
                else:
                    raise ChannelClosed()

    def receive(self, double deadline=0, head_limit=None, body_limit=None, refs=None):
        """The next message.

        Args:
            deadline: on the monotonic clock, or 0; for the host's end.
            head_limit, body_limit: memory that its values may take, or None.
            refs: see ``codec.decode_message``.

        Returns:
            Its kind, its head, and its body or None.

        Raises:
            ChannelClosed, DeadlinePassed.
            BadMessage: it is too long, or no message.
        """
        cdef uint32_t length
        cdef Py_ssize_t have, part
        cdef bytes body
        cdef char *target
        if self.end - self.start < 5:
            if self.start:
                memmove(self.held, self.held + self.start, self.end - self.start)
                self.end -= self.start
                self.start = 0
            while self.end < 5:
                self.end += self.read_into(self.held + self.end, ROOM - self.end, deadline)
        memcpy(&length, self.held + self.start, 4)
        if length < 2 or length > self.most:
            raise BadMessage("a message of a wrong length")
        kind = <unsigned char>self.held[self.start + 4]
        self.start += 5
        length -= 1
        body = PyBytes_FromStringAndSize(NULL, length)
        target = PyBytes_AS_STRING(body)
        have = min(<Py_ssize_t>length, self.end - self.start)
        memcpy(target, self.held + self.start, have)
        self.start += have
        while have < length:
            part = min(<Py_ssize_t>length - have, 1 << 20)
            have += self.read_into(target + have, part, deadline)
        if self.start == self.end:
            self.start = self.end = 0
        head, value = decode_message(body, head_limit, body_limit, refs)
        return kind, head, value


@cython.final
cdef class SentOutput:
    """What a worker's guest writes to one of its streams: passed on when it is much, or when its mode says so.

    Args:
        channel: to the host.
        frame: makes the message of a text.
        mode: BATCHED: when it is old; EACH: each write by itself; LINES: at the end of a line.
    """
    cdef Channel channel
    cdef object frame
    cdef public int mode
    cdef list parts
    cdef Py_ssize_t size
    cdef double since

    def __cinit__(self, Channel channel, frame, int mode):
        self.channel = channel
        self.frame = frame
        self.mode = mode
        self.parts = []

    def write(self, str text not None):
        """Takes a text."""
        cdef double now
        self.parts.append(text)
        self.size += len(text)
        if self.mode == MODE_EACH or self.size >= 16384:
            self.flush()
            return
        if self.mode == MODE_LINES:
            if "\n" in text:
                rest = text[text.rfind("\n") + 1:]
                if rest:
                    self.parts[len(self.parts) - 1] = text[:len(text) - len(rest)]
                self.flush()
                if rest:
                    self.parts.append(rest)
                    self.size = len(rest)
            return
        now = monotonic()
        if len(self.parts) == 1:
            self.since = now
        elif now - self.since > 0.05:
            self.flush()

    def flush(self):
        """Passes on what was taken."""
        text = self.take()
        if text:
            self.channel.send(self.frame(text))

    def take(self):
        """What was taken and not passed on; it is the caller's then."""
        parts = self.parts
        if not parts:
            return ""
        self.parts = []
        self.size = 0
        return "".join(parts)
