// SPDX-License-Identifier: MIT
// What the page saves as files: made here, nothing is sent anywhere.

function save(name, address) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

export function saveBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  save(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export const saveText = (name, text, type) => saveBlob(name, new Blob([text], { type }));

const csv = (rows) => rows.map((row) => row.map((cell) => {
  const text = cell === null ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}).join(",")).join("\n") + "\n";

export function table(answer) {
  const columns = ["rank", "core", "ghash", "cycles", "flash", "ram", "timing", "evidence",
    "proved", "front"];
  const dropped = answer.dropped.map((one) => [null, one.core, null, one.cycles, one.flash, one.ram,
    one.timing, one.evidence, one.proved, false, one.reason]);
  const ranked = answer.ranking.map((one) => [...columns.map((name) => one[name]), null]);
  const keys = { flash: "flash_bytes", ram: "ram_bytes", front: "pareto" };  // as --csv and --json
  return csv([[...columns.map((name) => keys[name] ?? name), "dropped"], ...ranked, ...dropped]);
}

export function curves(answer) {
  const names = Object.keys(answer.curve.cores);
  const rows = answer.curve.calls.map((n, i) => [n, ...names.map((name) => answer.curve.cores[name][i])]);
  return csv([[answer.counted, ...names], ...rows]);
}
