#!/bin/sh
# SPDX-License-Identifier: MIT
# Generates the Verilog of this folder anew and compares it: see README.md for what it needs.
#   sh generate.sh [PYTHON]     PYTHON has pythondata-cpu-vexriscv 1.0.1.post407
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${1:-python3}
sources=$("$python" -c 'import pythondata_cpu_vexriscv as p; print(p.data_location)')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

dependency() {
    echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version></dependency>"
}
{
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>local</groupId>'
    echo '<artifactId>generator</artifactId><version>1</version><packaging>pom</packaging>'
    echo '<dependencies>'
    for part in core lib idsl-plugin; do
        dependency com.github.spinalhdl "spinalhdl-${part}_2.11" 1.7.1
    done
    dependency org.scala-lang scala-compiler 2.11.12
    dependency org.yaml snakeyaml 1.8
    echo '</dependencies></project>'
} > pom.xml
mvn -q -B dependency:copy-dependencies -DoutputDirectory=jars

jars=$(find jars -name '*.jar' | sort | tr '\n' ':')
plugin=jars/spinalhdl-idsl-plugin_2.11-1.7.1.jar
mkdir classes
compile() {
    java -Xss8m -cp "$jars" scala.tools.nsc.Main -nowarn "-Xplugin:$plugin" \
        -Xplugin-require:idsl-plugin -cp "$jars:classes" -d classes "$@"
}
# shellcheck disable=SC2046 # file names without spaces
compile $(find "$sources/ext/VexRiscv/src/main/scala" -name '*.scala')
compile "$sources/src/main/scala/vexriscv/GenCoreDefault.scala"

generate() {
    java -Xss8m -cp "$jars:classes" vexriscv.GenCoreDefault \
        --iCacheSize "$2" --dCacheSize "$3" --outputFile "vexriscv_$1" > "$1.log"
}
generate nocache 0 0
generate icache 4096 0
generate 4k4k 4096 4096
generate 1k1k 1024 1024
generate 512k512k 524288 524288
sha256sum --check "$here/SHA256SUMS"
rm vexriscv_512k512k.v vexriscv_1k1k.v
cp vexriscv_*.v "$here"
