#!/usr/bin/env bash
# build-capi.sh DIR builds the C ABI and lays it out as an installation:
#   DIR/lib/libblosc2.so.9, libblosc2.so, libblosc2.a, pkgconfig/blosc2.pc, cmake/blosc2/
#   DIR/include/blosc2.h, b2nd.h, blosc2/
#   DIR/lib/libblosc.so.1, libblosc.so, pkgconfig/blosc.pc                     DIR/include/blosc.h
#   DIR/hdf5/ the filter plugins, for HDF5_PLUGIN_PATH
# CAPI_PROFILE (release) is the profile of Cargo; CAPI_FEATURES are features of bindings/c.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); . "$here/_lib.sh"
out=${1:?DIR}; mkdir -p "$out"; out=$(cd "$out" && pwd)
top=$(cd "$here/.." && pwd)
# One folder for all three: what they share is built once.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$top/bindings/c/target}
profile=${CAPI_PROFILE:-release}; features=${CAPI_FEATURES:-}
need cc:gcc
mkdir -p "$out/lib/pkgconfig" "$out/include"
# build CRATE: the folder with its outputs is in $built.
build() {
  cargo build --locked --quiet --workspace --profile "$profile" --config 'profile.quick.inherits="release"' \
    --manifest-path "$top/bindings/$1/Cargo.toml" ${2:+--features "$2"}
  built=$CARGO_TARGET_DIR/$profile
}
build c "$features"
install -m 755 "$built/libblosc2.so" "$out/lib/libblosc2.so.9"
ln -sfn libblosc2.so.9 "$out/lib/libblosc2.so"
install -m 644 "$built/libblosc2.a" "$out/lib/libblosc2.a"
cp -R "$top/bindings/c/include/." "$out/include/"
cat > "$out/lib/pkgconfig/blosc2.pc" <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: blosc2
Description: The C ABI of C-Blosc2 3.3.5 on oxiblosc
Version: 3.3.5
Libs: -L\${libdir} -lblosc2
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
PC
# For find_package(Blosc2), with the targets of the original.
mkdir -p "$out/lib/cmake/blosc2"
cat > "$out/lib/cmake/blosc2/Blosc2Config.cmake" <<'CMAKE'
get_filename_component(_blosc2_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include(CMakeFindDependencyMacro)
find_dependency(Threads)
if(NOT TARGET Blosc2::blosc2_shared)
  add_library(Blosc2::blosc2_shared SHARED IMPORTED)
  set_target_properties(Blosc2::blosc2_shared PROPERTIES
    IMPORTED_LOCATION "${_blosc2_prefix}/lib/libblosc2.so.9" IMPORTED_SONAME "libblosc2.so.9"
    INTERFACE_INCLUDE_DIRECTORIES "${_blosc2_prefix}/include")
  add_library(Blosc2::blosc2_static STATIC IMPORTED)
  set_target_properties(Blosc2::blosc2_static PROPERTIES
    IMPORTED_LOCATION "${_blosc2_prefix}/lib/libblosc2.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_blosc2_prefix}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
  add_library(Blosc2::blosc2 INTERFACE IMPORTED)
  set_target_properties(Blosc2::blosc2 PROPERTIES INTERFACE_LINK_LIBRARIES Blosc2::blosc2_shared)
endif()
CMAKE
cat > "$out/lib/cmake/blosc2/Blosc2ConfigVersion.cmake" <<'CMAKE'
set(PACKAGE_VERSION 3.3.5)
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
CMAKE
if [ -f "$top/bindings/blosc1/Cargo.toml" ]; then
  build blosc1
  install -m 755 "$built/libblosc.so" "$out/lib/libblosc.so.1"
  ln -sfn libblosc.so.1 "$out/lib/libblosc.so"
  cp -R "$top/bindings/blosc1/include/." "$out/include/"
  sed -e 's/^Name: blosc2/Name: blosc/' -e 's/-lblosc2/-lblosc/' -e 's/C-Blosc2 3.3.5/C-Blosc 1.21/' \
      -e 's/^Version: .*/Version: 1.21.6/' "$out/lib/pkgconfig/blosc2.pc" > "$out/lib/pkgconfig/blosc.pc"
fi
if [ -f "$top/bindings/hdf5/Cargo.toml" ]; then
  build hdf5
  mkdir -p "$out/hdf5"
  for plugin in "$built"/libh5z*.so; do install -m 755 "$plugin" "$out/hdf5/"; done
fi
echo "built: $out"
