"""Documents over loopback: a service that is started for it, and clients that cost little beside it.

What is sent is made before the clock starts, and each client is a process that speaks HTTP through a bare socket.
"""

import json
import multiprocessing
import re
import shutil
import socket
import threading
import time
from contextlib import contextmanager

from feed import Feed
from service import Service

SIZE = 1000  # bytes of a text
CLIENTS = 4  # processes, which share the connections
TIME, STEP = 1_800_000_000, 86_400 / 10_000  # of the first document, and to the next: 10,000 in a window


@contextmanager
def running(binary, work):
    """The port of a service on an empty folder."""
    data = work / "data"
    shutil.rmtree(data, ignore_errors=True)
    service = Service(binary, data)
    try:
        yield service.port
    finally:
        service.stop()


def rows(seed, count, first=0):
    feed = Feed(seed, SIZE)
    return [json.dumps({"id": f"{seed}-{first + at}", "time": TIME + (first + at) * STEP, "text": feed.text()}).encode()
            for at in range(count)]


def singles(binary, work, connections, documents):
    """One document a request."""
    with running(binary, work) as port, multiprocessing.Pool(CLIENTS) as pool:
        shares = [(port, seed, connections // CLIENTS, documents // CLIENTS) for seed in range(CLIENTS)]
        ready, start = multiprocessing.Manager().Semaphore(0), multiprocessing.Manager().Event()
        result = pool.starmap_async(_client, [(*share, ready, start) for share in shares])
        for _ in shares:
            ready.acquire()
        begin = time.perf_counter()
        start.set()
        found = result.get()
        seconds = time.perf_counter() - begin
    latencies = sorted(latency for one, _ in found for latency in one)
    return {"documents": len(latencies), "errors": sum(errors for _, errors in found),
            "per_second": round(len(latencies) / seconds), "median_ms": latencies[len(latencies) // 2] * 1e3,
            "p99_ms": latencies[len(latencies) * 99 // 100] * 1e3}


def _client(port, seed, connections, documents, ready, start):
    """A process: a thread for each connection."""
    requests = [b"POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(row) + row for row in rows(seed, documents)]
    latencies, errors = [], []

    def work(number):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for request in requests[number::connections]:
                before = time.perf_counter()
                connection.sendall(request)
                status = _answer(connection)
                latencies.append(time.perf_counter() - before)
                if status != 200:
                    errors.append(status)

    ready.release()
    start.wait()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return latencies, len(errors)


def _answer(connection):
    """Reads a whole answer with a length, and returns its status."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(65536) or _broken()
    head, body = got.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])
    while len(body) < length:
        body += connection.recv(65536) or _broken()
    return int(head.split()[1])


def _broken():
    raise SystemExit("the service hung up")


def lines(binary, work, before, documents):
    """All documents in one body, after so many that fill the window."""
    with running(binary, work) as port:
        _post(port, rows(0, before))
        body = rows(1, documents, first=before)
        begin = time.perf_counter()
        answers = _post(port, body)
        seconds = time.perf_counter() - begin
    errors = sum(b'"error"' in answer for answer in answers) + documents - len(answers)
    return {"documents": documents, "errors": errors, "per_second": round(documents / seconds), "before": before}


def _post(port, body):
    """The lines of the answer."""
    data = b"\n".join(body) + b"\n"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = b"POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n" \
               b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(data)
        sender = threading.Thread(target=connection.sendall, args=(head + data,))
        sender.start()
        got = []
        while some := connection.recv(1 << 20):
            got.append(some)
        sender.join()
    # The lines of chunks: their lengths are lines of their own, and no verdict.
    return [line for line in b"".join(got).split(b"\n") if line.startswith(b'{"id"') or b'"error"' in line]
