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
  flash: [...octaves(512, 65536, 4), null],
  ram: [...octaves(64, 16384, 4), null],
};
export const WRITTEN = {
  cache: bytes,
  line: bytes,
  ways: (n) => whole.format(n),
  penalty: (n) => `${n} cycles`,
  evicted: (n) => `${n}%`,
  burst: (n) => whole.format(n),
  key_changes: (n) => (n === null ? "never a new key" : `${whole.format(n)} messages`),
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
