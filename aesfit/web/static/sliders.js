// SPDX-License-Identifier: MIT
// The steps of the sliders, and how their values are written.

export const MOST_CALLS = 4096;
const whole = new Intl.NumberFormat("en");

function bytes(n) {
  if (n >= 1024 && n % 1024 === 0) return `${whole.format(n / 1024)} KiB`;
  return `${whole.format(n)} B`;
}

const powers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => 2 ** (from + i));

function octaves(from, to, parts) {
  const steps = [];
  for (let i = Math.log2(from) * parts; i <= Math.log2(to) * parts; i++) {
    steps.push(Math.round(2 ** (i / parts)));
  }
  return [...new Set(steps)];
}

// Sliders over steps; null at the end: no limit, or never a new key.
export const STEPS = {
  cache: powers(8, 17),
  line: powers(3, 7),
  ways: powers(0, 6),
  burst: octaves(1, MOST_CALLS, 4),
  key_changes: [...octaves(1, MOST_CALLS, 4), null],
  flash: [2048, 4096, 8192, 12288, 16384, null],
  ram: [256, 512, 1024, 2048, 4096, null],
};
// Sliders whose value can be typed too, and the greatest.
export const EXACT = { burst: MOST_CALLS, key_changes: MOST_CALLS, flash: 2 ** 30, ram: 2 ** 30 };

// What was typed: a whole number, "8K" for 8192; null where it is none.
export function typed(key, text) {
  const found = text.replaceAll(",", "").match(/^\s*(\d+(?:\.\d+)?)\s*(k?)i?b?\s*$/i);
  if (!found) return null;
  const wanted = Math.round(Number(found[1]) * (found[2] ? 1024 : 1));
  return Math.min(EXACT[key], Math.max(1, wanted));
}
export const WRITTEN = {
  cache: bytes,
  line: bytes,
  ways: (n) => whole.format(n),
  penalty: (n) => `${n} cycles`,
  evicted: (n) => `${n}%`,
  burst: (n) => whole.format(n),
  key_changes: (n) => (n === null ? "One key for all messages: its set-up is not charged"
    : n === 1 ? "A new key for every message" : `A new key after ${whole.format(n)} messages`),
  flash: (n) => (n === null ? "no limit" : bytes(n)),
  ram: (n) => (n === null ? "no limit" : bytes(n)),
};

export function nearest(steps, value) {
  if (value === null) return steps.length - 1;
  let best = 0;
  steps.forEach((step, i) => {
    if (step !== null && Math.abs(step - value) < Math.abs(steps[best] - value)) best = i;
  });
  return best;
}
