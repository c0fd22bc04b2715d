"""What the tests need beside Rust and Python. What is missing is installed; what cannot be, is skipped, and that is said.

As a program: installs the programs that Rust's tests run.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Programs that Rust's tests run, and the Debian packages that have them: a bare system has no kill.
PROGRAMS = {"kill": "procps", "mkfifo": "coreutils", "mount": "mount", "umount": "mount"}


def skip(check, why):
    """Ends a check that cannot be done here: for scripts/test, which shows all such lines at its end, or as a failure where nothing may be
    skipped (as crates/lookalike-cli/tests/cli/skip.rs does for Rust's tests)."""
    line = f"skipped: {check}: {why}"
    print(line, file=sys.stderr, flush=True)
    if path := os.environ.get("LOOKALIKE_SKIPPED"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")
    sys.exit(1 if os.environ.get("LOOKALIKE_NO_SKIP") == "1" else 0)


def apt_install(packages):
    """Installs Debian packages if that is possible without asking; says why not, if not."""
    apt = ([] if os.geteuid() == 0 else ["sudo", "-n"]) + ["apt-get"]
    if not shutil.which("apt-get") or not shutil.which(apt[0]):
        return "there is no apt-get to install it with" if os.geteuid() == 0 else "only root could install it"
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run([*apt, "update", "-q"], **quiet)
    done = subprocess.run([*apt, "install", "-y", "-q", "--no-install-recommends", *packages], **quiet)
    return None if done.returncode == 0 else "apt-get could not install it"


def programs(needed):
    """Where these programs are, by name, and why some are not, if so."""
    missing = sorted({package for program, package in needed.items() if not shutil.which(program)})
    why = apt_install(missing) if missing else None
    found = {program: shutil.which(program) for program in needed}
    if all(found.values()):
        return found, None
    return found, f"{' and '.join(name for name, path in found.items() if not path)} is missing, and {why or 'the package does not have it'}"


def build():
    """The program, as the tests built it."""
    # As all tests are built: another choice of packages has other features, and everything is compiled again.
    subprocess.run(["cargo", "test", "--workspace", "--no-run", "--quiet", "--locked"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "lookalike"


if __name__ == "__main__":
    _, why = programs(PROGRAMS)
    if why:
        print(f"{why}: the tests that run it will fail", file=sys.stderr)
