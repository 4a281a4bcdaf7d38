# SPDX-License-Identifier: MIT
"""Programs for test_tracer.py."""

SHORT_BLOCKS = """
typedef unsigned char u8;
typedef unsigned u32;
static const u8 table[64] = {9, 4, 1, 7, 5, 3, 8, 2, 6};
static u32 runs __attribute__((section(".data"))) = 0;
void main(void) {}
u32 counter(void) { return ++runs; }
u32 leaf(void) { return 1; }
u32 leaf2(void) { return 2; }
static u8 twice(u8 x) { return (u8)((x << 1) ^ ((x >> 7) * 0x1b)); }
__attribute__((noinline)) void step(u8 *s, u32 n)
{
    for (u32 i = 0; i < 16; i++)
        s[i] = (u8)(table[s[i] & 63] ^ twice((u8)(s[(i + 1) & 15] + n)));
}
u32 short_blocks(u8 *s, u32 n, u32 seed)
{
    u32 sum = seed;
    for (u32 i = 0; i < n; i++) {
        step(s, i);
        if (s[i & 15] & 1)
            sum += s[3];
        else if (s[i & 15] & 2)
            sum ^= i << 3;
    }
    return sum;
}
u32 calls(u8 *s, u32 n, u32 seed)
{
    u32 (*volatile choice[2])(void) = {leaf, leaf2};
    u32 sum = seed + s[0];
    while (n--)
        sum += choice[n & 1]();
    return sum;
}
u32 conditions(u8 *s, u32 n, u32 x)
{
    u32 a = 0, b = 0;
    for (u32 i = 0; i < n; i++) {
        x = x * 5 + 1;
        a = x & 16 ? a + x : a;
        b = (int)x < 0 && a > b ? b ^ a : b + 1;
        s[i & 31] = (u8)b;
    }
    return a + b;
}
u32 copies(volatile u8 *s, u32 n, u32 unused)
{
    for (u32 i = 0; i < n; i++)
        s[i] = ((const volatile u8 *)table)[i];
    return unused;
}
u32 twelve(u32 a, u32 b, u32 c, u32 d, u32 e, u32 f, u32 g, u32 h, u32 i, u32 j, u32 k, u32 l)
{
    u32 t = 0, s = 0;
    u32 v[12] = {l, k, j, i, h, g, f, e, d, c, b, a};
    for (u32 n = 0; n < 12; n++)
        t += v[n], s += t;
    return s;
}
__attribute__((noinline)) u32 recurse(u32 n)
{
    volatile u32 kept = n;
    u32 below = n ? recurse(n - 1) : 0;
    return below + kept;
}
u32 read_at(volatile u32 *p) { return *p; }
void write_at(volatile u32 *p) { *p = 1; }
void jump_to(void (*p)(void)) { p(); }
void forever(void) { for (;;) ; }
"""

_CONDITIONS = ("eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")


def functions_of(state: str, bodies: dict[str, str]) -> str:
    """Assembly of functions; a line ends at each semicolon."""
    parts = [".syntax unified" if state else "", ".text"]
    for name, body in bodies.items():
        parts += [f".balign 4\n{state}\n.global {name}\n.type {name}, %function\n{name}:"]
        parts += [line.strip() for line in body.split(";")]
    return "\n".join(parts) + "\n"


ARM = functions_of(
    ".arm",
    {
        "all_conditions": "msr cpsr_f, r0; mov r0, #0;"
        + "".join(f"orr{c} r0, r0, #{1 << n};" for n, c in enumerate(_CONDITIONS))
        + "bx lr",
        "branch_on": "cmp r0, #1; beq 1f; 1: bx lr",
        "multiply": "mov r2, r0; mul r0, r2, r1; bx lr",
        "multiply_if": "cmp r0, #1; muleq r2, r0, r1; umull r2, r3, r0, r1; bx lr",
        "load_many": "ldmia r0!, {r1, r2, r3, r12}; stmia r0, {r1, r2, r3, r12}; bx lr",
        "swap": "mov r2, r0; swp r0, r1, [r2]; bx lr",
        "frame": "push {r4-r11}; sub sp, sp, #64; add sp, sp, #64; pop {r4-r11}; bx lr",
        "pop_odd_pc": "push {lr}; ldr r1, =1f + 1; push {r1}; pop {pc}; nop;"
        "1: mov r0, #42; pop {r1}; bx r1; .ltorg",
        "via_thumb": "push {lr}; adr lr, 1f; ldr r1, =in_thumb; bx r1; 1: pop {r1}; bx r1; .ltorg",
        "system": "svc #1; bx lr",
        "too_new": ".inst 0xe16f0f10; bx lr",  # clz r0, r0
    },
) + functions_of(".thumb", {"in_thumb": "lsls r0, r0, #1; adds r0, #1; bx lr"})

THUMB1 = functions_of(
    ".thumb",
    {
        "branch_on": "cmp r0, #1; beq.n 1f; 1: bx lr",
        "multiply": "movs r2, r0; muls r1, r2, r1; movs r0, r1; bx lr",
        "load_many": "ldmia r0!, {r1-r4}; stmia r0!, {r1-r4}; bx lr",
        "frame": "push {r0-r7}; sub sp, #64; add sp, #64; pop {r0-r7}; bx lr",
        "system": "svc #1; bx lr",
        "wait": "wfi; bx lr",
        "too_new": ".inst.w 0xfb90f0f1; bx lr",  # sdiv r0, r0, r1
    },
)

THUMB2 = functions_of(
    ".thumb",
    {
        "all_conditions": "msr apsr_nzcvq, r0; mov r0, #0;"
        + "".join(f"it {c}; orr{c} r0, r0, #{1 << n};" for n, c in enumerate(_CONDITIONS))
        + "bx lr",
        "it_block": "cmp r0, #5; mov.w r0, #0; ittee eq; orreq r0, r0, #1; orreq r0, r0, #2;"
        "orrne r0, r0, #4; orrne r0, r0, #8; bx lr",
        "access_under_it": "push {r0}; cmp r0, #5; ite eq; ldreq r2, [sp]; strne r0, [sp]; b 1f;"
        "1: movs r0, #9; it ne; strne r0, [sp]; pop {r0}; bx lr",
        "branch_on_wide": "cmp r0, #1; beq.w 1f; 1: bx lr",
        "multiply_if": "cmp r0, #1; it eq; muleq r2, r0, r1; umull r2, r3, r0, r1; bx lr",
        "divide": "udiv r0, r0, r1; bx lr",
        "divide_signed": "sdiv r0, r0, r1; bx lr",
        "divide_if": "cmp r0, #1; it eq; udiveq r0, r0, r1; bx lr",
        "return_if": "cmp r0, #1; it eq; bxeq lr; movs r0, #9; bx lr",
        "load_double": "ldrd r2, r3, [r0]; strd r2, r3, [r0, #8]; bx lr",
    },
)

RISCV = functions_of(
    "",
    {
        "branch_on": "li t0, 1; beq a0, t0, 1f; 1: ret",
        "branch_on_short": ".option push; .option rvc; c.bnez a0, 1f; 1: .option pop; ret",
        "multiply": ".insn r 0x33, 0, 1, a0, a0, a1; ret",
        "too_new": ".insn r 0x33, 0, 1, a0, a0, a1; ret",
        "divide": ".insn r 0x33, 5, 1, a0, a0, a1; ret",
        "divide_signed": ".insn r 0x33, 4, 1, a0, a0, a1; ret",
        "frame": "addi sp, sp, -96; addi sp, sp, 96; ret",
        "system": "ecall; ret",
    },
)
