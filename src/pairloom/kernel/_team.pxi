# One piece of work on several threads: each does its numbered part, and what goes wrong in one is raised by the caller.

cdef class Team:
    """What can share its work among threads: a class of its own says in `_do` what the part of a number is."""

    cdef int _threads
    cdef bint _stopped  # whoever looks at it ends early
    cdef object _failure

    cdef int _do(self, int number) except -1:
        raise NotImplementedError  # abstract: every class that shares work defines it

    cdef int _share(self) except -1:
        """Do all parts, the first on this thread; where the system gives no more threads, the others here as well."""
        cdef int i
        cdef list running = []
        try:
            # While Python ends, new threads do not run.
            for i in range(1, 1 if Py_IsFinalizing() else self._threads):
                done = allocate_lock()
                done.acquire()
                try:
                    start_new_thread(self._do_in_thread, (i, done))
                except RuntimeError:
                    break
                running.append(done)
            self._do(0)
            for i in range(len(running) + 1, self._threads):
                self._do(i)
        except BaseException:
            self._stopped = True
            raise
        finally:
            self._wait_for(running)
        if self._failure is not None:
            # Its traceback leads back here: kept, the two would keep each other.
            failure, self._failure = self._failure, None
            raise failure
        return 0

    def _do_in_thread(self, int number, done):
        """Work beside the thread that called; what goes wrong is told to it."""
        try:
            self._do(number)
        except BaseException as error:
            self._failure = error
            self._stopped = True
        finally:
            done.release()

    cdef int _wait_for(self, list running) except -1:
        """Wait until no thread is at work any more; an interruption makes each stop as soon as it looks."""
        interruption = None
        for done in running:
            while True:
                try:
                    done.acquire()
                    break
                except BaseException as error:
                    interruption = error
                    self._stopped = True
        if interruption is not None:
            raise interruption
        return 0
