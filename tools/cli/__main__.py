"""`python -m regtriage.tools.cli` is the same as `regtriage`."""

from __future__ import annotations

from .app import main

if __name__ == "__main__":  # a worker process imports this module again
    main()
