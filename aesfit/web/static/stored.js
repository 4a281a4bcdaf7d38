// SPDX-License-Identifier: MIT
// Answers that were computed in advance, for the page without a server (aesfit serve --export).

const ASKED = ["platform", "mode", "bytes", "timing", "objective", "flash"];
const packed = new Map();  // by platform: what was fetched, as promises

export const here = () => document.body.dataset.source === "stored";
export const BEYOND = "This page holds no answer to that: it knows messages of 16, 64 and 1504 bytes, "
  + "and flash limits of 2, 4, 8, 12 and 16 KiB where cycles are ranked and proved cores come first. "
  + "Ask aesfit itself, which measures: pip install aesfit, and aesfit serve.";

export async function choices() {
  return (await fetch("choices.json")).json();
}

async function load(platform) {
  const response = await fetch(`answers/${platform}.bin`);
  if (!response.ok) throw new Error(response.statusText);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
}

// An answer whose words and figures stand in the pool.
function unpacked({ row, pool, same }, told, question) {
  const answer = { ...same, ...told };
  const words = (value) => (Array.isArray(value) ? value.map(words) : pool[value]);
  const figures = (at) => Object.fromEntries(row.map((key, i) => [key, pool[at][i]]));
  const pooled = ["verdict", "notes", "asked", "unit", "command"];
  const found = Object.fromEntries(pooled.map((key) => [key, words(answer[key])]));
  return { ...answer, ...found,
    sentence: found.verdict.join(" "),
    question: { flash: null, ram: null, rate: null, ...question },
    ranking: answer.ranking.map((at, i) => ({ rank: i + 1, front: answer.front.includes(i + 1),
      ...figures(at) })),
    dropped: answer.dropped.map(([at, reason]) => ({ ...figures(at), reason: pool[reason] })) };
}

// The answer; null where the question is none of those that are held.
export async function answer(query, mode, bytes) {
  if ([...query.keys()].some((key) => !ASKED.includes(key))) return null;
  const platform = query.get("platform");
  if (!packed.has(platform)) packed.set(platform, load(platform));
  const held = await packed.get(platform);
  const key = [mode, bytes, query.get("timing") ?? "", query.get("objective") ?? "cycles",
    query.get("flash") ?? ""].join("/");
  const flash = query.has("flash") ? Number(query.get("flash")) : null;
  const question = { ...Object.fromEntries(query), mode, bytes, flash };
  return held.answers[key] ? unpacked(held, held.answers[key], question) : null;
}
