# SPDX-License-Identifier: MIT
"""Examples at the end of each verb's help: commands that can be copied."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "atlas": ("aesfit atlas", "aesfit atlas --platform stm32f407 --mode ccm --bytes 64"),
    "board": (
        "aesfit board add nucleo --gdb localhost:3333 --platform stm32l476",
        "aesfit board check nucleo",
        "aesfit fit --platform board:nucleo --mode ccm --bytes 64",
    ),
    "cores": ("aesfit cores", "aesfit cores --json"),
    "count": (
        "aesfit count --platform cortex-m3 --elf aes.o --function encrypt \\\n"
        "      --arg hex:00112233445566778899aabbccddeeff --arg out:16",
        "aesfit count --platform stm32f407 --elf aes.o --function setup --why",
    ),
    "emit": (
        "aesfit emit --core transposed --mode ccm --platform cortex-m3",
        "aesfit emit --core fixslice --mode ctr,cmac --key-bits 128,256 -o lib/aes",
        "aesfit emit --project stm32f407 --mode ccm -o node",
    ),
    "fit": (
        "aesfit fit --platform stm32f407 --mode ccm --bytes 1504 --rate 54Mbit/s",
        "aesfit fit --platform cortex-m0plus --mode gcm --bytes 64 --max-flash 8K",
        "aesfit fit --platform arm920t --mode ccm --calls-per-burst 94 --explain",
        "aesfit fit --platform rp2040 --timing independent --why",
        "aesfit fit --platform cortex-m3 --mode ccm --also my_aes.o:my_encrypt",
        "aesfit fit --platform stm32f407 --mode gcm --emit src/aes",
    ),
    "sweep front": ("aesfit sweep front designs.parquet --x cycles --y flash --plot front.svg",),
    "image": (
        "aesfit image samples -o pictures",
        "aesfit image encrypt photo.png -o secret.png --new-key-file key",
        "aesfit image analyse photo.png --html statistics.html",
        "aesfit image visible photo.png -o map.png",
    ),
    "leak": ("aesfit leak --platform arm920t --core ttable4 --keys 4",),
    "leak power": (
        "aesfit leak power --platform cortex-m3 --core ttable1 --attack cpa",
        "aesfit leak power --platform cortex-m3 --elf my.o --function f \\\n"
        "      --arg share:16:key --arg share:16:key --arg random:8 --arg out:16",
    ),
    "measure": (
        "aesfit measure --platform cortex-m3,arm7tdmi --core transposed,ttable1",
        "aesfit measure --platform stm32f407 --clock 30MHz --mode ccm -o rows.csv",
    ),
    "platforms": ("aesfit platforms", "aesfit platforms --json"),
    "predict": (
        "aesfit predict --platform arm920t --cache 4K --ways 2 --plot bursts.png",
        "aesfit predict --platform arm920t --mode ccm --packets 64:7,1504:1",
    ),
    "prove": (
        "aesfit prove --platform cortex-m3 --core fixslice",
        "aesfit prove --platform cortex-m3 --elf my.elf --symbol aesfit_ccm_encrypt",
        "aesfit prove --platform cortex-m3 --elf my.o --function f --arg secret:16",
    ),
    "cores selftest": (
        "aesfit cores selftest",
        "aesfit cores selftest --acvp vectors.json -o answers.json",
    ),
    "serve": ("aesfit serve --open",),
    "silicon": ("aesfit silicon --design aes32,aes32_paper --family ice40",),
    "store": ("aesfit store", "aesfit store --prune 30"),
    "sweep": ("aesfit sweep sweeps/example.toml -o designs.parquet",),
    "predict infer": ("aesfit predict infer times.csv --platform arm9tdmi --known-cycles",),
    "predict validate": ("aesfit predict validate --platform arm920t --core transposed,ttable4",),
    "wlan": ("aesfit wlan --rate 54Mbit/s,108Mbit/s",),
}
"""By verb; `encrypt` and `decrypt` have theirs with explanations of their own."""
