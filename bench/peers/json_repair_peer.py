"""Times json_repair on each text of a JSON list: prints [[microseconds, accepted], ...]."""

import json
import sys
import time

import json_repair

SECONDS = 0.3


def accepted(text):
    return isinstance(json_repair.loads(text), dict)


def best(text):
    end = time.perf_counter() + SECONDS
    least = float("inf")
    while time.perf_counter() < end:
        start = time.perf_counter()
        json_repair.loads(text)
        least = min(least, time.perf_counter() - start)
    return least * 1e6


with open(sys.argv[1], encoding="utf-8") as file:
    texts = json.load(file)
print(json.dumps([[best(text), accepted(text)] for text in texts]))
