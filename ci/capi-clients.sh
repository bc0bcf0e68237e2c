#!/usr/bin/env bash
# capi-clients.sh DIR [CLIENT ...] runs programs that others wrote on what build-capi.sh left in DIR: cmake, hdf5, netcdf,
# imagecodecs, pytables (all of them without names). Sources and wheels come from PyPI, HDF5 1.10 and headers from Debian.
# Each prints the libraries that its process had mapped; a Blosc library other than DIR's is a failure.
# CAPI_CLIENTS_CACHE (a new folder) keeps environments and builds. PyTables takes some minutes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); . "$here/_lib.sh"
dir=$(cd "${1:?DIR}" && pwd); shift; top=$(cd "$here/.." && pwd)
clients=("${@:-all}"); [ "${clients[0]}" != all ] || clients=(cmake hdf5 netcdf imagecodecs pytables)
cache=${CAPI_CLIENTS_CACHE:-$(mktemp -d)}; mkdir -p "$cache"
python=${PYTHON:-python3}; venv=$cache/venv; py=$venv/bin/python
[ -x "$py" ] || "$python" -m venv "$venv"
pip() { "$py" -m pip --disable-pip-version-check -q "$@"; }
source_of() { # NAME VERSION: unpacks the source of a package; prints its folder
  [ -d "$cache/$1-$2" ] || { pip download --no-deps --no-build-isolation --no-binary "$1" -d "$cache" "$1==$2" >&2; tar xf "$cache/$1-$2.tar.gz" -C "$cache"; }
  echo "$cache/$1-$2"
}
# Fails unless the Blosc libraries in a list of mapped files are DIR's alone, at least one.
ours_alone() {
  local mapped; mapped=$(grep -oE '/[^ ]*libblosc2?\.so[^ ]*' "$1" | sort -u)
  [ -n "$mapped" ] && ! grep -vq "^$dir/lib/" <<<"$mapped" || die "loaded: $mapped"
  say "loaded: $(tr '\n' ' ' <<<"$mapped")"
}

cmake_client() {
  pip install cmake; mkdir -p "$cache/cmake"; cd "$cache/cmake"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(client C)' 'find_package(Blosc2 2.4 REQUIRED)' \
    'add_executable(dynamic main.c)' 'target_link_libraries(dynamic Blosc2::blosc2_shared)' \
    'add_executable(static main.c)' 'target_link_libraries(static Blosc2::blosc2_static)' > CMakeLists.txt
  printf '%s\n' '#include <blosc2.h>' '#include <stdio.h>' \
    'int main(void) { blosc2_init(); puts(blosc2_list_compressors()); blosc2_destroy(); return 0; }' > main.c
  "$venv/bin/cmake" -S . -B build -DBlosc2_ROOT="$dir" > log && "$venv/bin/cmake" --build build >> log || die "$(cat log)"
  [ "$(build/dynamic)" = "$(build/static)" ] || die "dynamic and static programs differ"
  ldd build/dynamic > maps; ours_alone maps
}

hdf5_client() {
  # h5py by the HDF5 in its wheel: 1.12.2, 1.14.2, 1.14.6, 2.0.0; then Debian's 1.10 with h5dump.
  local pair h5py site
  pip install hdf5plugin==7.1.0 h5py==3.16.0
  for pair in "3.8.0 numpy<2" "3.10.0 numpy<2" "3.14.0 numpy" "3.16.0 numpy"; do
    h5py=${pair%% *}; site=$cache/h5py-$h5py
    [ -d "$site" ] || pip install --target "$site" "h5py==$h5py" "${pair#* }" hdf5plugin==7.1.0
    say "h5py $h5py with HDF5 $(PYTHONPATH=$site "$py" -c 'import h5py; print(h5py.version.hdf5_version)')"
    PYTHONPATH=$site "$py" "$top/bindings/hdf5/check_hdf5.py" "$dir/hdf5" | tail -n 7
  done
  need h5dump:hdf5-tools
  HDF5_PLUGIN_PATH=$dir/hdf5 "$py" - "$cache/dump.h5" <<'PY'
import sys, h5py, numpy
with h5py.File(sys.argv[1], "w", libver=("earliest", "v110")) as file:
    for number in (32001, 32026):
        file.create_dataset(f"d{number}", data=numpy.arange(6000, dtype="i4").reshape(60, 100), chunks=(20, 30),
                            compression=number, compression_opts=(0, 0, 0, 0, 5, 1, 1))
PY
  HDF5_PLUGIN_PATH=$dir/hdf5 h5dump -y -w 1 -d /d32001 -d /d32026 "$cache/dump.h5" > "$cache/dump"
  [ "$(grep -cE '^ *5999$' "$cache/dump")" = 2 ] || die "h5dump differs"
  mkdir -p "$cache/none"
  if HDF5_PLUGIN_PATH=$cache/none h5dump -d /d32026 "$cache/dump.h5" > /dev/null 2>&1; then die "h5dump needs no plugin"; fi
  say "$(h5dump --version)"
}

netcdf_client() {
  pip install netCDF4 numpy
  HDF5_PLUGIN_PATH=$dir/hdf5 "$py" - "$cache/client.nc" <<'PY'
import sys, netCDF4, numpy
data = numpy.arange(6000, dtype="i4").reshape(60, 100)
for mode in "wr":
    with netCDF4.Dataset(sys.argv[1], mode) as file:
        if mode == "w":
            file.createDimension("y", 60), file.createDimension("x", 100)
            for codec in ("blosc_lz", "blosc_lz4", "blosc_lz4hc", "blosc_zlib", "blosc_zstd"):
                file.createVariable(codec, "i4", ("y", "x"), compression=codec, chunksizes=(20, 30))[:] = data
        else:
            for name, variable in file.variables.items():
                assert variable.filters()["blosc"], name
                assert (variable[:] == data).all(), name
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "h5z" in line or "libh5" in line}
assert any("h5zoxiblosc32001" in path for path in loaded), loaded
print(f"netCDF4 {netCDF4.__version__}, HDF5 {netCDF4.__hdf5libversion__}: 5 variables")
PY
}

imagecodecs_client() {
  local source; source=$(source_of imagecodecs 2026.3.6)
  pip install numpy cython setuptools wheel pytest
  # Its setup configures codecs that are not asked for, unless a file beside it does so.
  sed -i 's/^    from imagecodecs_distributor_setup import customize_build/    customize_build = lambda *_: None/' "$source/setup.py"
  IMAGECODECS_ONLY=blosc,blosc2 CFLAGS="-O1 -I$dir/include" LDFLAGS="-L$dir/lib" \
    pip install --no-deps --no-build-isolation "$source"
  rm -rf "$cache/imagecodecs-tests"; cp -R "$source/tests" "$cache/imagecodecs-tests"; cd "$cache/imagecodecs-tests"
  export LD_LIBRARY_PATH=$dir/lib
  "$py" -c 'import imagecodecs; imagecodecs.blosc_version(); imagecodecs.blosc2_version(); print(open("/proc/self/maps").read())' > maps
  ours_alone maps
  "$py" -m pytest -q -k blosc test_imagecodecs.py -p no:cacheprovider | tail -n 1
  unset LD_LIBRARY_PATH
}

pytables_client() {
  local source; source=$(source_of tables 3.11.1)
  need /usr/include/hdf5/serial/H5public.h:libhdf5-dev cc:gcc
  pip install numpy cython setuptools wheel numexpr py-cpuinfo packaging typing-extensions
  export HDF5_DIR=/usr/lib/$(uname -m)-linux-gnu/hdf5/serial BLOSC_DIR=$dir BLOSC2_DIR=$dir PYTABLES_NO_BLOSC2_WHEEL=1
  CFLAGS=-O1 LD_LIBRARY_PATH=$dir/lib pip install --no-deps --no-build-isolation "$source"
  cd "$cache"; export LD_LIBRARY_PATH=$dir/lib
  "$py" -c 'import tables; print(open("/proc/self/maps").read())' > maps; ours_alone maps
  "$py" -m tables.tests.test_all > pytables.log 2>&1 || { tail -n 40 pytables.log; die "PyTables' tests failed"; }
  tail -n 4 pytables.log
  unset LD_LIBRARY_PATH
}

for client in "${clients[@]}"; do say "$client"; "${client}_client"; done
