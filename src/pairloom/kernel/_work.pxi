# One call → jobs, workers, arrays.

cdef class TextEncoder


cdef class Work:
    """The encoding of some texts, by one thread or by several that take jobs in turn."""

    cdef TextEncoder _owner
    cdef tuple _texts
    cdef Source *_sources
    cdef size_t _source_count
    cdef uint64_t *_counts
    cdef Output *_outputs  # of each thread
    cdef size_t _output_count
    cdef uint32_t _prefix
    cdef Job *_jobs
    cdef size_t _jobs_used, _jobs_capacity
    # Where the next job begins: a text, and a place in it with so many code points before.
    cdef size_t _next, _at, _points, _block
    cdef bint _wants_places
    cdef bint _stopped  # no further job is begun
    cdef bint _given_up  # nor is one ended: an exception is on its way
    cdef object _lock, _failure

    def __dealloc__(self):
        cdef size_t i
        for i in range(self._output_count):
            close_output(&self._outputs[i])
        pl_free(self._outputs)
        pl_free(self._sources)
        pl_free(self._counts)
        pl_free(self._jobs)

    cdef int open(
        self,
        TextEncoder owner,
        tuple texts,
        Py_buffer *view,
        uint32_t prefix,
        size_t threads,
        bint wants_places,
        size_t block,
    ) except -1:
        """Note where the texts are; they stay there as long as `texts` and `view` are held."""
        cdef size_t i, total = 0
        cdef str text
        # A prefix is no more than all merges.
        self._owner, self._texts, self._prefix = owner, texts, min(prefix, <uint32_t> owner._tables.ranks.size)
        self._wants_places, self._block = wants_places, max(block, 1)
        self._source_count = len(texts) if view == NULL else 1
        self._sources = <Source *> pl_new(self._source_count, sizeof(Source))
        self._counts = <uint64_t *> pl_new_zeros(self._source_count, sizeof(uint64_t))
        if self._sources == NULL or self._counts == NULL:
            raise MemoryError
        if view != NULL:
            self._sources[0].data, self._sources[0].length, self._sources[0].kind = view.buf, view.len, 0
            total = view.len
        else:
            for i in range(self._source_count):
                text = texts[i]
                self._sources[i].kind = 0 if PyUnicode_IS_ASCII(text) else PyUnicode_KIND(text)
                self._sources[i].data = PyUnicode_DATA(text)
                self._sources[i].length = PyUnicode_GET_LENGTH(text)
                total += self._sources[i].length
        # For less than two blocks a thread costs more than it brings; and while Python ends, new ones do not run.
        threads = 1 if Py_IsFinalizing() else max(min(threads, total // self._block), 1)
        self._outputs = <Output *> pl_new_zeros(threads, sizeof(Output))
        if self._outputs == NULL:
            raise MemoryError
        self._output_count = threads
        for i in range(threads):
            self._outputs[i].wants_places = wants_places
            self._outputs[i].met_in = NOWHERE
            if total > WORTH_ROOM:
                # Room that is not used costs nothing, and an array that grows is copied. Where there is none it grows.
                pl_reserve(<void **> &self._outputs[i].codes, &self._outputs[i].codes_capacity, total // (4 * threads), 4)
        return 0

    cdef int run(self) except -1:
        """Do all jobs, or those up to the first text in which something is wrong."""
        cdef size_t i
        cdef list running = []
        if self._output_count == 1:
            self._work(0)
            return 0
        self._lock = allocate_lock()
        try:
            for i in range(1, self._output_count):
                done = allocate_lock()
                done.acquire()
                try:
                    start_new_thread(self._work_in_thread, (i, done))
                except RuntimeError:
                    break  # the system gives no more threads: those that there are do all
                running.append(done)
            self._work(0)
        except GivenUp:
            pass  # what failed in another thread is raised below
        except BaseException:
            self._stopped = self._given_up = True
            raise
        finally:
            self._wait_for(running)
        if self._failure is not None:
            # Its traceback leads back here: kept, the two would keep each other.
            failure, self._failure = self._failure, None
            raise failure
        return 0

    cdef int _wait_for(self, list running) except -1:
        """Wait until no thread is at work any more; an interruption ends long words, and everything else after its job."""
        interruption = None
        for done in running:
            while True:
                try:
                    done.acquire()
                    break
                except BaseException as error:
                    interruption = error
                    self._stopped = self._given_up = True
        if interruption is not None:
            raise interruption
        return 0

    def _work_in_thread(self, size_t number, done):
        """Do jobs beside the thread that called; what goes wrong is told to it."""
        try:
            self._work(number)
        except GivenUp:
            pass
        except BaseException as error:
            self._failure = error
            self._stopped = self._given_up = True
        finally:
            done.release()

    cdef int _work(self, size_t number) except -1:
        cdef Output *output = &self._outputs[number]
        cdef Encoder *encoder
        cdef Job job
        cdef size_t place = 0
        while True:
            if self._lock is None:
                if not self._next_job(&job, &place):
                    return 0
            else:
                with self._lock:
                    if not self._next_job(&job, &place):
                        return 0
            encoder = self._owner.borrow(self._prefix)
            encoder.output, encoder.is_given_up = output, &self._given_up
            try:
                with nogil:
                    do_job(encoder, self._sources, &job, self._counts)
            finally:
                self._owner.give_back(encoder)
            job.worker = number
            if output.met_in != NOWHERE:
                self._stopped = True
            if self._lock is None:
                self._note(&job, place)
            else:
                with self._lock:
                    self._note(&job, place)
            PyErr_CheckSignals()

    cdef void _note(self, const Job *job, size_t place) noexcept:
        self._jobs[place] = job[0]
        if job.first == job.last:
            self._counts[job.first] += job.codes_end - job.codes_begin

    cdef bint _next_job(self, Job *job, size_t *place) except -1:
        """Say what is to be done next; False when all is done or somebody has stopped."""
        cdef const Source *source
        cdef size_t total = 0
        if self._stopped or self._next == self._source_count:
            return False
        if not pl_reserve(<void **> &self._jobs, &self._jobs_capacity, self._jobs_used + 1, sizeof(Job)):
            raise MemoryError
        memset(job, 0, sizeof(Job))
        job.first = job.last = self._next
        source = &self._sources[self._next]
        if source.length > self._block:
            job.begin, job.end, job.points_before = self._at, cut_source(source, self._at, self._block), self._points
            if self._wants_places:
                self._points += (
                    job.end - job.begin
                    if source.kind
                    else pl_code_points(<const uint8_t *> source.data + job.begin, job.end - job.begin)
                )
            self._at = job.end
            if job.end == source.length:
                self._next += 1
                self._at = self._points = 0
        else:
            while (
                job.last < self._source_count
                and job.last - job.first < MOST_TEXTS
                and self._sources[job.last].length <= self._block
                and total < self._block
            ):
                total += self._sources[job.last].length
                job.last += 1
            self._next = job.last
        place[0] = self._jobs_used
        self._jobs[self._jobs_used] = job[0]
        self._jobs_used += 1
        return True

    cdef size_t met_in(self) noexcept:
        """The first text in which something is wrong; jobs are handed out in order, so none before it was left out."""
        cdef size_t i, found = NOWHERE
        for i in range(self._output_count):
            found = min(found, self._outputs[i].met_in)
        return found

    cdef tuple arrays(self):
        """Return the codes of all texts, where those of each text end, and their places if they were asked for."""
        cdef size_t i, size = 0
        cdef Output *output
        cdef uint64_t *ends = <uint64_t *> pl_new(self._source_count, sizeof(uint64_t))
        if ends == NULL:
            raise MemoryError
        for i in range(self._source_count):
            size += self._counts[i]
            ends[i] = size
        end_array = array_of(ends, self._source_count, 8)
        if self._output_count > 1:
            return self._gathered(size, end_array)
        output = &self._outputs[0]
        codes = taken_array(<void **> &output.codes, &output.codes_capacity, size, 4)
        if not self._wants_places:
            return codes, end_array, None
        return codes, end_array, taken_array(<void **> &output.places, &output.places_capacity, 2 * size, 8)

    cdef tuple _gathered(self, size_t size, end_array):
        """Put the jobs of all threads one behind the other."""
        cdef size_t i, at = 0, count
        cdef Job *job
        cdef Output *output
        cdef uint64_t *to = NULL
        cdef uint32_t *codes = <uint32_t *> pl_new(size, sizeof(uint32_t))
        if codes == NULL:
            raise MemoryError
        code_array, place_array = array_of(codes, size, 4), None
        if self._wants_places:
            to = <uint64_t *> pl_new(2 * size, sizeof(uint64_t))
            if to == NULL:
                raise MemoryError
            place_array = array_of(to, 2 * size, 8)
        with nogil:
            for i in range(self._jobs_used):
                job = &self._jobs[i]
                output = &self._outputs[job.worker]
                count = job.codes_end - job.codes_begin
                if count == 0:
                    continue
                memcpy(codes + at, output.codes + job.codes_begin, count * sizeof(uint32_t))
                if to != NULL:
                    memcpy(to + 2 * at, output.places + 2 * job.codes_begin, 2 * count * sizeof(uint64_t))
                at += count
        return code_array, end_array, place_array


cdef object taken_array(void **memory, size_t *capacity, size_t size, size_t item):
    """Return a view of memory that belongs to the view from now on, with no more room than it needs."""
    cdef void *taken
    pl_trim(memory, capacity, size, item)
    taken = memory[0]
    memory[0] = NULL
    capacity[0] = 0
    if size == 0:
        pl_free(taken)
        taken = NULL
    return array_of(taken, size, item)
