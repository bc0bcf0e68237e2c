#!/usr/bin/env bash
# Tests bindings/object_store with S3 (moto) and Azure (azurite) on the loopback, GCS compiled.
#
#   ci/object-stores-cloud.sh DIR
#
# DIR holds the emulators, which are installed at fixed versions from PyPI and npm when they are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ci/_lib.sh
dir=${1:?DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
need node:nodejs npm:npm
pins=('moto[server]==5.2.5' 'boto3==1.43.117' 'blosc2==4.14.1')
if [ "$(cat "$dir/.pins" 2>/dev/null || true)" != "${pins[*]}" ]; then
  rm -rf "$dir/venv"
  "${PYTHON:-python3}" -m venv "$dir/venv"
  "$dir/venv/bin/python" -m pip install --quiet --disable-pip-version-check "${pins[@]}"
  printf '%s' "${pins[*]}" >"$dir/.pins"
fi
azurite=3.35.0
[ -d "$dir/npm/$azurite" ] || npm install --silent --no-audit --no-fund --prefix "$dir/npm/$azurite" "azurite@$azurite"

work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
port() { "$dir/venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
s3=$(port) azure=$(port)
"$dir/venv/bin/moto_server" -H 127.0.0.1 -p "$s3" >"$work/moto.log" 2>&1 & pids+=($!)
"$dir/npm/$azurite/node_modules/.bin/azurite-blob" --blobHost 127.0.0.1 --blobPort "$azure" --inMemoryPersistence \
  --skipApiVersionCheck --silent --disableTelemetry >"$work/azurite.log" 2>&1 & pids+=($!)
answers() { for _ in $(seq 300); do (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return; sleep 0.1; done; cat "$work"/*.log >&2; die "nothing answers at $1"; }
answers "$s3"
answers "$azure"
# A bucket with the array of the example and a container, by the tools of the services and by their own protocol.
"$dir/venv/bin/python" - "$s3" "$azure" <<'EOF2'
import base64, datetime, hashlib, hmac, sys, urllib.request
import blosc2, boto3, numpy

client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{sys.argv[1]}", region_name="us-east-1",
                      aws_access_key_id="test", aws_secret_access_key="test")
client.create_bucket(Bucket="arrays")
grid = blosc2.asarray(numpy.arange(1_000_000, dtype="i4").reshape(1000, 1000), chunks=(100, 100), blocks=(50, 50))
client.put_object(Bucket="arrays", Key="grid.b2nd", Body=grid.to_cframe())
key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
date = datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT")
account = "devstoreaccount1"
text = "\n".join(["PUT", *[""] * 11, f"x-ms-date:{date}", "x-ms-version:2023-11-03",
                  f"/{account}/{account}/arrays", "restype:container"])
sign = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()).decode()
urllib.request.urlopen(urllib.request.Request(
    f"http://127.0.0.1:{sys.argv[2]}/{account}/arrays?restype=container", method="PUT", data=b"",
    headers={"x-ms-date": date, "x-ms-version": "2023-11-03", "Authorization": f"SharedKey {account}:{sign}",
             "Content-Type": ""}))
EOF2
export OXIBLOSC_S3=http://127.0.0.1:$s3 OXIBLOSC_AZURE=http://127.0.0.1:$azure OXIBLOSC_REQUIRE=cloud
cargo clippy -q --locked --manifest-path bindings/object_store/Cargo.toml --features aws,azure,gcp --all-targets -- -D warnings
cargo test -q --locked --manifest-path bindings/object_store/Cargo.toml --features aws,azure,gcp --test cloud
# The code of docs/over-http-and-s3.md.
row=$(AWS_ENDPOINT=$OXIBLOSC_S3 AWS_ALLOW_HTTP=true AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test \
  cargo run -q --locked --manifest-path bindings/object_store/Cargo.toml --features aws,azure,gcp --example s3)
echo "$row"
[[ $row == "1000 numbers, "* ]] || die "the example reads something else"
