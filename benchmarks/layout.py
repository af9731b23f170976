"""How long questions about large layouts take: a table of processor seconds, the best of five.

python benchmarks/layout.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from regtriage.dataflow.layout.conversion import by_triton, counts
from regtriage.dataflow.layout.encodings import Blocked, SwizzledShared
from regtriage.dataflow.layout.forms import linear_form, shared_form
from regtriage.dataflow.layout.memory import accesses, bank_accesses, column_major, row_major
from regtriage.tools.layout.picture import plane

SQUARE = linear_form(Blocked((1, 4), (2, 16), (4, 1), (1, 0)), (1024, 1024))
TURNED = linear_form(Blocked((4, 1), (16, 2), (1, 4), (0, 1)), (1024, 1024))
FIVE = linear_form(Blocked((1, 1, 2, 1, 4), (2, 1, 2, 2, 4), (1, 2, 1, 2, 1), (4, 3, 2, 1, 0)), (8, 16, 16, 16, 32))
COPIES = linear_form(Blocked((1, 8), (2, 32), (8, 1), (1, 0)), (4, 8))
BUFFER = shared_form(SwizzledShared(8, 1, 8, (1, 0)), (1024, 1024), 32)

QUESTIONS: dict[str, Callable[[], object]] = {
    "who holds what, 1024x1024": lambda: plane(SQUARE, (), None),
    "sectors by rows, 1024x1024": lambda: accesses(SQUARE, row_major(SQUARE.shape), 4),
    "sectors by columns, 1024x1024": lambda: accesses(SQUARE, column_major(SQUARE.shape), 4),
    "banks, 1024x1024": lambda: bank_accesses(SQUARE, BUFFER, 4),
    "conversion, 1024x1024": lambda: (counts(SQUARE, TURNED), by_triton(SQUARE, TURNED)),
    "who holds what, 5-D": lambda: plane(FIVE, (0, 0, 0), None),
    "sectors by rows, 5-D": lambda: accesses(FIVE, row_major(FIVE.shape), 4),
    "sectors by columns, 5-D": lambda: accesses(FIVE, column_major(FIVE.shape), 4),
    "who holds what, replicated": lambda: plane(COPIES, (), None),
    "all places of an element, replicated": lambda: COPIES.holders(9),
}


def main() -> None:
    """Print the table."""
    for name, question in QUESTIONS.items():
        best = min(_seconds(question) for _ in range(5))
        print(f"{name:<40} {best:8.4f} s")


def _seconds(question: Callable[[], object]) -> float:
    start = time.process_time()
    question()
    return time.process_time() - start


if __name__ == "__main__":
    main()
