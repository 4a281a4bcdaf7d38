// SPDX-License-Identifier: MIT
// The question: what the controls say, and the same in the address of the page.

import { EXACT, nearest, STEPS, typed, WRITTEN } from "./sliders.js";

const $ = (id) => document.getElementById(id);
const SLIDERS = Object.keys(WRITTEN);
const SELECTS = ["mode", "key_bits", "ghash", "misses", "objective", "timing"];
const TEXTS = ["clock", "rate", "packets"];
const MODE_WORDS = { block: "block cipher alone" };
const AS_BUILT = ["cache", "line", "ways", "penalty"];

// null: as the platform is, no limit, or never a new key.
const DEFAULTS = {
  cache: null, line: null, ways: null, penalty: null, evicted: 100, burst: 64, key_changes: null,
  flash: null, ram: null, timing: null, encrypt_only: false, objective: "cycles",
  mode: null, bytes: 1504, key_bits: 128, ghash: null, misses: "modelled", clock: null, rate: null,
  packets: null,
};
const MESSAGE_ONLY = ["bytes", "packets", "key_changes", "encrypt_only"];
const BURST_ONLY = [...AS_BUILT, "evicted", "burst"];
const SWITCHES = ["encrypt_only"];
const MOST_BYTES = 16384;
const REMEMBERED = "aesfit.question";  // in the browser's own storage

let platforms = [];
let first = "";
let filled = "";
let lost = null;  // a platform that a link names and that is not here, until one is chosen
let state = {};
let changed = () => {};

export const missing = () => lost;
export const chosen = () => platforms.find((one) => one.name === state.platform);

function parsed(key, text) {
  if (SWITCHES.includes(key)) return text === "true";
  if (["objective", "mode", "misses"].includes(key)) return text;
  if (["ghash", "timing", ...TEXTS].includes(key)) return text.trim() || null;
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : DEFAULTS[key];
}

// The last question of this browser; "" for none, also where it may store nothing.
function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) ?? "";
  } catch {
    return "";
  }
}

function remember() {
  if (lost !== null) return;
  const query = String(asQuery());
  history.replaceState(null, "", `?${query}`);
  try {
    localStorage.setItem(REMEMBERED, query);
  } catch {
    // The link holds it too.
  }
}

// A link wins over what is remembered.  What is asked of an unknown platform is of no other.
function fromAddress() {
  const query = new URLSearchParams(location.search || remembered());
  const named = query.get("platform") ?? first;
  const known = platforms.some((one) => one.name === named);
  lost = known || !location.search ? null : named;
  state = { platform: known ? named : first, ...DEFAULTS };
  for (const key of known ? Object.keys(DEFAULTS) : []) {
    if (query.has(key)) state[key] = parsed(key, query.get(key));
  }
}

// Controls that are no part of the question on this platform, in this mode.
function idle() {
  const { kind, published } = chosen();
  const cached = kind === "cached", modelled = cached && state.misses === "modelled";
  return [...(modelled ? [] : BURST_ONLY), ...(cached && !published ? [] : ["misses"]),
    ...(effective("mode") === "gcm" && !modelled ? [] : ["ghash"]),
    ...(effective("mode") === "block" ? MESSAGE_ONLY : [])];
}

// Controls whose value is no part of the question, though another may make it one.
function replaced() {
  return state.packets === null ? [] : ["bytes"];
}

// What differs from the defaults, and is part of the question.
export function asQuery() {
  if (lost !== null) return new URLSearchParams(location.search);
  const query = new URLSearchParams({ platform: state.platform });
  const left = [...idle(), ...replaced()];
  for (const [key, value] of Object.entries(DEFAULTS)) {
    if (state[key] !== value && state[key] !== null && !left.includes(key)) {
      query.set(key, String(state[key]));
    }
  }
  return query;
}

const builtIn = {
  cache: (one) => one.cache.size,
  line: (one) => one.cache.line,
  ways: (one) => one.cache.ways,
  penalty: (one) => one.penalty.base + one.penalty.per_byte * effective("line"),
};

// The value in force: the person's own, else the platform's.
function effective(key) {
  const platform = chosen();
  if (key === "mode") return state.mode ?? platform.mode;
  if (state[key] === null && key in builtIn && platform.kind === "cached") {
    return builtIn[key](platform);
  }
  return state[key];
}

export const mode = () => effective("mode");
export const bytes = () => state.bytes;

function showSlider(key) {
  const slider = $(key);
  const value = effective(key);
  slider.value = key in STEPS ? nearest(STEPS[key], value) : value;
  const text = WRITTEN[key](value);
  slider.setAttribute("aria-valuetext", text);
  const output = document.querySelector(`output[for="${key}"]`);
  if (output) {
    output.textContent = text;
    output.classList.toggle("own", state[key] === DEFAULTS[key]);
  }
}

function show() {
  const platform = chosen();
  const cached = platform.kind === "cached";
  const left = idle();
  $("platform").value = lost === null ? platform.name : "";
  $("cache-fields").hidden = !cached;
  for (const key of [...MESSAGE_ONLY, ...BURST_ONLY, "misses", "ghash"]) {
    $(key).closest(".field, .check").hidden = left.includes(key);
  }
  for (const key of SLIDERS) {
    if (!left.includes(key)) showSlider(key);
  }
  fillFor(platform);
  for (const key of SELECTS) showSelect(key);
  $("bytes").value = state.bytes;
  $("bytes").disabled = replaced().includes("bytes");
  for (const key of TEXTS) $(key).value = state[key] ?? "";
  $("clock").placeholder = platform.clock === null ? "such as 72MHz" : `${platform.clock}MHz`;
  $("key_bits").disabled = platform.published;
  for (const key of Object.keys(EXACT)) $(`${key}-exact`).value = state[key] ?? "";
  for (const key of SWITCHES) $(key).checked = state[key];
  $("as-built").hidden = left.includes("cache") || AS_BUILT.every((key) => state[key] === null);
}

// Choices that differ between platforms.
function fillFor(platform) {
  if (filled === platform.name) return;
  filled = platform.name;
  $("mode").replaceChildren(...platform.modes.map((mode) => new Option(MODE_WORDS[mode] ?? mode, mode)));
  $("ghash").replaceChildren(new Option("the fastest", ""), ...platform.ghashes.map((one) => new Option(one, one)));
}

// A value that came with a link and is none of the choices becomes one.
function showSelect(key) {
  const select = $(key);
  const value = String(effective(key) ?? "");
  if (![...select.options].some((option) => option.value === value)) {
    select.add(new Option(value, value));
  }
  select.value = value;
}

// Whether a control has a value, what it calls it, and the choice of it.
export const has = (key, value) => SELECTS.includes(key)
  && [...$(key).options].some((option) => option.value === value);
export const worded = (key, value) =>
  [...$(key).options].find((option) => option.value === value).textContent;
export const choose = (key, value) => set(key, value);

function set(key, value) {
  state[key] = value;
  update();
}

function update() {
  changed();  // first: what follows is done while the answer is on its way
  show();
  remember();
}

function fillSelects(choices) {
  const groups = new Map();
  for (const one of platforms) {
    if (!groups.has(one.group)) groups.set(one.group, []);
    const option = new Option(one.unavailable ? `${one.title} (unavailable)` : one.title, one.name);
    groups.get(one.group).push(option);
  }
  for (const [label, options] of groups) {
    const group = document.createElement("optgroup");
    group.label = label;
    group.append(...options);
    $("platform").append(group);
  }
  $("payloads").append(...choices.bytes.map((n) => new Option("", n)));
  for (const n of [128, 192, 256]) $("key_bits").add(new Option(`${n} bits`, n));
}

function listen() {
  for (const key of SLIDERS) {
    const slider = $(key);
    if (key in STEPS) Object.assign(slider, { min: 0, max: STEPS[key].length - 1, step: 1 });
    slider.addEventListener("input", () => {
      const at = Number(slider.value);
      set(key, key in STEPS ? STEPS[key][at] : at);
    });
  }
  for (const key of SELECTS) {
    $(key).addEventListener("change", () => set(key, parsed(key, $(key).value)));
  }
  for (const key of Object.keys(EXACT)) {
    $(`${key}-exact`).addEventListener("change", (event) => set(key, typed(key, event.target.value) ?? DEFAULTS[key]));
  }
  $("bytes").addEventListener("change", () => {
    const wanted = Math.round(Number($("bytes").value)) || DEFAULTS.bytes;
    set("bytes", Math.min(MOST_BYTES, Math.max(1, wanted)));
  });
  for (const key of TEXTS) {
    $(key).addEventListener("change", () => set(key, parsed(key, $(key).value)));
  }
  for (const key of SWITCHES) {
    $(key).addEventListener("change", (event) => set(key, event.target.checked));
  }
  $("platform").addEventListener("change", () => {
    for (const key of AS_BUILT) state[key] = null;
    state.platform = $("platform").value;
    lost = null;
    if (!chosen().modes.includes(state.mode)) state.mode = null;
    if (!chosen().ghashes.includes(state.ghash)) state.ghash = null;
    state.clock = null;  // another chip has another
    update();
  });
  $("as-built").addEventListener("click", () => {
    for (const key of AS_BUILT) state[key] = null;
    update();
    $("cache").focus();
  });
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("popstate", () => { fromAddress(); show(); changed(); });
}

export function start(choices, onChange) {
  platforms = choices.platforms;
  first = choices.start;
  changed = onChange;
  fillSelects(choices);
  listen();
  fromAddress();
  show();
}
