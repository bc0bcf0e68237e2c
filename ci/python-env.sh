#!/usr/bin/env bash
# Makes the Python environment that the interoperability checks compare with.
#
#   ci/python-env.sh DIR
#
# DIR becomes a virtual environment with the real libraries at fixed versions. Running the script again on a
# finished DIR changes nothing and needs no network. Its last line on standard output is the path of the
# C-Blosc2 shared library inside DIR, as OXIBLOSC_LIBBLOSC2 wants it; everything else goes to standard error.
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: ci/python-env.sh DIR" >&2
    exit 2
fi
dir=$1

# C-Blosc2 3.3.5 is inside blosc2 4.14.1, C-Blosc 1.21 inside blosc 1.11.4; numcodecs, zarr, h5py and hdf5plugin are
# the packages that other people read and write Blosc with.
pins=(
    blosc2==4.14.1
    blosc==1.11.4
    numcodecs==0.16.6
    zarr==3.1.6
    hdf5plugin==7.1.0
    h5py==3.16.0
    numpy==2.4.6
)

stamp=$dir/.oxiblosc-pins
if [ "$(cat "$stamp" 2>/dev/null || true)" != "${pins[*]}" ]; then
    python=${PYTHON:-python3}
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        echo "python-env: $python is older than 3.11; set PYTHON" >&2
        exit 1
    fi
    [ -x "$dir/bin/python" ] || "$python" -m venv "$dir" >&2
    "$dir/bin/python" -m pip install --quiet --disable-pip-version-check "${pins[@]}" >&2
    printf '%s' "${pins[*]}" >"$stamp"
fi

"$dir/bin/python" - <<'EOF'
import importlib.util
import pathlib
import sys

spec = importlib.util.find_spec("blosc2")
lib = pathlib.Path(spec.origin).parent / "lib"
found = sorted(p for p in lib.glob("libblosc2.*") if p.suffix in (".so", ".dylib") or p.name.endswith(".dll"))
if not found:
    sys.exit(f"python-env: no libblosc2 in {lib}")
print(found[0])
EOF
