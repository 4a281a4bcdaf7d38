# SPDX-License-Identifier: MIT
#   make         the firmware, firmware.elf, and its bytes
#   make run     runs it in QEMU
#   make prove   proves AES in it; make -k prove goes on after a function that is not proved
#   make flash   writes it to the chip, and runs it there
#   make clean

CROSS ?= arm-none-eabi-
AESFIT ?= aesfit
QEMU ?= qemu-system-arm
OPENOCD ?= openocd
INTERFACE ?= interface/$interface.cfg

CFLAGS := $flags -g -std=c11 -ffreestanding -fbuiltin \
	-ffunction-sections -fdata-sections -Wall -Wextra -Wpedantic
OBJECTS := start.o main.o board.o memory.o $prefix.o

.PHONY: all run prove flash clean
all: firmware.elf

firmware.elf: $$(OBJECTS) chip.ld
	$$(CROSS)gcc $$(CFLAGS) -nostdlib -Wl,--gc-sections -T chip.ld -o $$@ $$(OBJECTS) -lgcc
	$$(CROSS)size $$@
%.o: %.c $$(wildcard *.h) Makefile
	$$(CROSS)gcc $$(CFLAGS) -c -o $$@ $$<
# Or gcc makes memcpy's own loop a call of memcpy.
memory.o: CFLAGS += -fno-tree-loop-distribute-patterns

run: firmware.elf
	$run
prove: firmware.elf
$prove
flash: firmware.elf
	$flash
clean:
	rm -f $$(OBJECTS) firmware.elf
