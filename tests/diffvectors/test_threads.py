"""One thread for all matrix products, also for those of a library that nothing has loaded yet."""

from __future__ import annotations

import subprocess
import sys


def test_what_scipy_brings_is_limited_too() -> None:
    code = (
        "import numpy\n"
        "from forensia.diffvectors import one_blas_thread\n"
        "from threadpoolctl import threadpool_info\n"
        "with one_blas_thread():\n"
        "    from scipy.linalg import lapack\n"
        "    print({each['num_threads'] for each in threadpool_info() if each['user_api'] == 'blas'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{1}"
