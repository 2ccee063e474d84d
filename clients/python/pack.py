"""Makes the client for Python from openapi.json: dist/carrel_client-VERSION-py3-none-any.whl beside this file.

    python3 clients/python/pack.py [--openapi FILE] [--out FOLDER]

Needs Python 3.11 or newer with venv, and the first time the network: what makes the client is put into FOLDER/tools.
"""

import argparse
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PACKAGES = ["openapi-python-client==0.29.1", "setuptools==80.9.0"]
HERE = Path(__file__).resolve().parent


def run(*command: object) -> None:
    """Ends this program where the command fails or takes longer than ten minutes."""
    try:
        subprocess.run([str(part) for part in command], check=True, timeout=600)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failure:
        sys.exit(f"pack.py: {failure}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the client for Python.")
    parser.add_argument("--openapi", type=Path, default=HERE.parent.parent / "openapi.json")
    parser.add_argument("--out", type=Path, default=HERE / "dist")
    options = parser.parse_args()
    out: Path = options.out.resolve()
    tools, source = out / "tools", out / "source"
    programs = tools / ("Scripts" if sys.platform == "win32" else "bin")
    installed = tools / "installed.txt"
    if not installed.exists() or installed.read_text().split() != PACKAGES:
        venv.create(tools, clear=True, with_pip=True)
        run(programs / "python", "-m", "pip", "install", "--quiet", *PACKAGES)
        installed.write_text("\n".join(PACKAGES))
    shutil.rmtree(source, ignore_errors=True)
    run(
        *(programs / "openapi-python-client", "generate", "--meta", "setup", "--fail-on-warning"),
        *("--config", HERE / "generator.yaml", "--path", options.openapi.resolve(), "--output-path", source),
    )
    shutil.copy(HERE / "README.md", source / "README.md")
    for wheel in out.glob("carrel_client-*.whl"):
        wheel.unlink()
    run(
        *(programs / "python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", out, source),
    )
    print(*out.glob("carrel_client-*.whl"))


if __name__ == "__main__":
    main()
