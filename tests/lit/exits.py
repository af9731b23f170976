"""`exits.py N COMMAND…` runs the command and succeeds if it exits with N."""

from __future__ import annotations

import subprocess
import sys


def main() -> int:
    wanted, *command = sys.argv[1:]
    status = subprocess.run(command, check=False).returncode
    if status == int(wanted):
        return 0
    sys.stderr.write(f"{command[0]} exited with {status}, not with {wanted}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
