"""rensa: R-MinHash of 128 permutations over the full sets, on one core; given elements, and given shingles as strings.

    rensa_sketch.py FILE ELEMENTS ROUNDS

ELEMENTS is the file that bench/sketch-cores writes. Prints one JSON object, the processor seconds of each round by what was done.
"""

import array
import json
import sys
import time

from common import PERMUTATIONS, shingles
from rensa import RMinHash

CHUNK = 1000

file, elements_file, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
numbers = array.array("Q")
with open(elements_file, "rb") as source:
    numbers.frombytes(source.read())
documents = numbers[0]
ends, elements = numbers[1:documents + 2], numbers[documents + 2:]
del numbers

seconds = {"elements": [], "shingles": []}
for _ in range(rounds):
    begin = time.process_time()
    RMinHash.digest_matrix_from_flat_token_hashes(elements, ends, num_perm=PERMUTATIONS, seed=42)
    seconds["elements"].append(time.process_time() - begin)
del elements

total, chunk = 0, []


def sketch():
    global total
    begin = time.process_time()
    RMinHash.digest_matrix_from_token_sets(chunk, num_perm=PERMUTATIONS, seed=42)
    total += time.process_time() - begin
    chunk.clear()


for text in shingles.texts(file):
    chunk.append(shingles.plain(text))
    if len(chunk) == CHUNK:
        sketch()
sketch()
seconds["shingles"].append(total)
print(json.dumps({"documents": documents, "seconds": seconds}))
