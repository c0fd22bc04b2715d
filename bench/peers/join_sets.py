"""What the programs of bench/join's peers share: sets read from a file (one a line, tokens apart by spaces), each kept
once, a clock around the join, and one JSON object as the answer. Usage: PROGRAM FILE THRESHOLD"""

import json
import sys
import time


def main(join):
    with open(sys.argv[1], encoding="utf-8") as lines:
        sets = [set(tokens) for tokens in dict.fromkeys(frozenset(line.split()) for line in lines) if tokens]
    begin = time.perf_counter()
    pairs = join(sets, float(sys.argv[2]))
    print(json.dumps({"pairs": pairs, "seconds": time.perf_counter() - begin, "sets": len(sets)}))
