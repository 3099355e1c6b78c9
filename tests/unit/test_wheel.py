"""The wheel works outside the checkout, in a separate environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def test_the_wheel_runs_outside_the_checkout(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(CHECKOUT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "empty")], check=True)
    python = tmp_path / "empty" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True, capture_output=True, cwd=tmp_path)
    kanon = tmp_path / "empty" / "bin" / "kanon"
    shown = subprocess.run([str(kanon), "demo", "demo", "--rows", "2000"], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "After: patients_anon" in shown.stdout
    check = [str(kanon), "check", "duckdb:///demo/hospital.duckdb", "--policy", "demo/patients.yml"]
    checked = subprocess.run(check, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "is 5-anonymous" in checked.stdout
    for arguments in (["init", "ward", "--rows", "500"], ["run", "--auto-plan", "--project-dir", "ward"]):
        subprocess.run([str(kanon), *arguments], check=True, capture_output=True, cwd=tmp_path)
