"""Python environments for tests and documentation: target/environments/NAME.

uv installs the packages. It downloads each version once, into its own cache (~/.cache/uv), and links the files into the environments. An
environment thus takes seconds to make and little space, and scripts/test removes all of them at its end. If there is no uv on this machine,
pip installs it, into an environment too.
"""

import os
import shutil
import subprocess
import sys

import needs

FOLDER = needs.ROOT / "target" / "environments"
# What the checks of the program need beside Rust, together: there is no conflict.
CHECKS = ["schemathesis==4.32.5", "selenium==4.36.0", "scikit-learn==1.9.1", "bcubed==1.5"]


def make(check, name, *packages, interpreter=sys.executable):
    """The Python of the environment of this name, with these packages."""
    environment = FOLDER / name
    uv(check, "venv", "--allow-existing", "--python", interpreter, environment)
    python = environment / "bin" / "python"
    # If all of them are there, this takes no time and no network.
    uv(check, "pip", "install", "--python", python, *packages)
    return python


def for_checks(check):
    """The environment that the checks of the program share."""
    return make(check, "checks", *CHECKS)


def install_wheel(python, wheel):
    """Installs a wheel that was just built, which is not worth a place in the cache."""
    uv("the wheel", "pip", "install", "--python", python, "--no-deps", "--reinstall", "--no-cache", wheel)


def uv(check, *arguments):
    # uv does not read what pip is told about this machine's network.
    told = {"UV_DEFAULT_INDEX": os.environ.get("PIP_INDEX_URL"), "SSL_CERT_FILE": os.environ.get("PIP_CERT")}
    # It leaves lock files where temporary files go.
    space = FOLDER / "tmp"
    space.mkdir(parents=True, exist_ok=True)
    variables = {**{name: value for name, value in told.items() if value}, **os.environ, "TMPDIR": str(space)}
    if subprocess.run([find_uv(check), "--quiet", "--no-config", *arguments], env=variables).returncode != 0:
        needs.skip(check, f"uv could not do this: {' '.join(map(str, arguments))}")


def find_uv(check):
    environment = FOLDER / "uv"
    installed = environment / "bin" / "uv"
    if found := shutil.which("uv"):
        return found
    if not installed.exists():
        if not has_pip(environment):
            # Debian has this part of Python in a package of its own.
            needs.apt_install(["python3-venv"])
            if not has_pip(environment):
                needs.skip(check, "python3 -m venv does not work here (on Debian: the package python3-venv)")
        pip = [environment / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-cache-dir"]
        if subprocess.run([*pip, "uv"]).returncode != 0:
            needs.skip(check, "pip could not install uv")
    return installed


def has_pip(environment):
    """Makes an environment with pip; whether that worked."""
    return subprocess.run([sys.executable, "-m", "venv", "--clear", environment], capture_output=True).returncode == 0
