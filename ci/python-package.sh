#!/usr/bin/env bash
# Builds the wheel of bindings/python, installs it in an empty environment that has no Rust, and runs its tests there.
#
#   ci/python-package.sh DIR [PYTEST ARGUMENTS]
#   ci/python-package.sh DIR --prepare
#
# DIR holds the environments: one with what builds and tests need, which is kept, and the empty one, which is made
# again each time. With --prepare the first is made, and nothing else is done.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ $# -lt 1 ]; then
    echo "usage: ci/python-package.sh DIR [--prepare | PYTEST ARGUMENTS]" >&2
    exit 2
fi
dir=$1; shift

# What the tests compare with, at the versions of ci/python-env.sh, and what the package works with.
pins=(
    blosc2==4.14.1 numcodecs==0.16.6 zarr==3.1.6 numpy==2.4.6
    'dask[array,distributed]==2026.8.0' xarray==2026.9.0 virtualizarr==2.5.1 icechunk==1.1.21
    fsspec==2026.9.0 aiohttp requests pytest==9.2.0 maturin==1.16.0
)
python=${PYTHON:-python3}
full=$dir/full
stamp=$full/.oxiblosc-pins
if [ "$(cat "$stamp" 2>/dev/null || true)" != "${pins[*]}" ]; then
    rm -rf "$full"
    "$python" -m venv "$full"
    "$full/bin/python" -m pip install --quiet --disable-pip-version-check "${pins[@]}"
    printf '%s' "${pins[*]}" >"$stamp"
fi
[ "${1:-}" != --prepare ] || exit 0

rm -rf "$dir/wheels" "$dir/empty"
(cd bindings/python && "$full/bin/maturin" build --release --locked --quiet --out "$dir/wheels")
wheel=$(ls "$dir"/wheels/oxiblosc-*-cp311-abi3-*.whl)

# A new user: nothing but the wheel and what it names, no compiler in sight.
"$python" -m venv "$dir/empty"
env PATH=/usr/bin:/bin \
    "$dir/empty/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$wheel"
(cd "$dir" && env -i PATH=/usr/bin:/bin "$dir/empty/bin/python" - <<'EOF'
import numpy as np, oxiblosc
a = np.arange(1000.0).reshape(10, 100)
oxiblosc.asarray(a, urlpath="user.b2nd", mode="w", chunks=(4, 50))
assert np.array_equal(oxiblosc.open("user.b2nd")[2:8:3, ::-1], a[2:8:3, ::-1])
print("installed from the wheel:", oxiblosc.__version__)
EOF
)
rm -f "$dir/user.b2nd"

"$full/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
# From another directory than the sources of the package.
"$full/bin/python" -m pytest -q --rootdir bindings/python -p no:cacheprovider "$PWD/bindings/python/tests" "$@"
