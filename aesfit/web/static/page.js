// SPDX-License-Identifier: MIT
// Asks the question that the controls hold, again whenever it changes, and shows the answer.

import * as controls from "./controls.js";
import { bends, counted, strokes } from "./curve.js";
import { curves, saveBlob, saveText, table } from "./downloads.js";
import { draw, listen as listenToFigures, picture } from "./figures.js";
import { key } from "./scatter.js";
import * as stored from "./stored.js";

const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const FIRST_LINES = 4;  // of the verdict; style.css hides the others until "More"
const AGAIN_MS = 3000;  // after the server was too busy to take the question
let answer = null;
let asking = null;  // the request under way
let again = false;
let timer = 0;
let token = "";

function element(name, text, kind) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (kind) node.className = kind;
  return node;
}

function notice(text, progress) {
  $("notice").hidden = text === "";
  $("notice").setAttribute("aria-live", progress ? "off" : "polite");
  $("notice-text").textContent = text;
  const bar = $("progress");
  bar.hidden = !progress;
  if (progress?.total) Object.assign(bar, { max: progress.total, value: progress.done });
  else bar.removeAttribute("value");
}

// Older figures of the same platform stay, faint, while there are none for the question as it is
// now; those of another platform go.
function withhold(text, progress) {
  notice(text, progress);
  if (!progress) put("spoken", "");
  const older = answer !== null && answer.question.platform === controls.chosen().name;
  $("shown").classList.toggle("stale", older);
  $("shown").hidden = !older;
  $("answer").hidden = true;
}

// A mark on the browser's own timeline; bench/bench_page.py reads them.
function mark(name) {
  performance.clearMarks(name);
  performance.mark(name);
}

// One request at a time: what changes meanwhile is asked once it is answered, or once it is known to
// be still measured.  What was answered is drawn even so, or a drag would show nothing until its end.
// The server keeps what it measures.
async function ask() {
  clearTimeout(timer);
  const measuring = ["measuring", "partial"].includes(document.body.dataset.state);
  document.body.dataset.state = "asking";
  if (asking !== null) {
    again = true;
    if (measuring) asking.abort();
    return;
  }
  do {
    again = false;
    asking = new AbortController();
    try {
      await hear(asking.signal);
    } catch {
      if (!again) {
        document.body.dataset.state = "lost";
        withhold(stored.here() ? "The answers of this platform could not be loaded; reload the page."
          : "aesfit no longer answers; start it again with: aesfit serve");
      }
    }
  } while (again);
  asking = null;
}

// The answer as it grows: lines of JSON, the last of which is whole.
async function hear(signal) {
  const lost = controls.missing();
  if (lost !== null) {
    refuse("unknown", `There is no platform ${lost} here; choose one.`);
    return;
  }
  mark("asked");
  if (stored.here()) {
    const found = await stored.answer(controls.asQuery(), controls.mode(), controls.bytes());
    if (found === null) refuse("beyond", stored.BEYOND);
    else take(found);
    return;
  }
  const response = await fetch(`api/answer?${controls.asQuery()}`,
    { method: "POST", headers: { "X-Aesfit-Token": token }, signal });
  if (!response.ok) {
    const { detail } = await response.json();
    if (!again) refuse(response.status, detail);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) take(JSON.parse(line));
    if (!again || lines.length === 0) continue;
    const whole = document.body.dataset.state === "ready";
    document.body.dataset.state = "asking";
    if (!whole) return void reader.cancel();
  }
}

// What is wrong with the question, field by field.
function complaint(detail) {
  if (!Array.isArray(detail)) return String(detail ?? "The question could not be answered.");
  return detail.map((one) => [...one.loc.slice(1), one.msg.replace(/^Value error, /, "")].join(": "))
    .join("; ");
}

function refuse(status, detail) {
  document.body.dataset.state = String(status);
  withhold(complaint(detail));
  if (status === 429) timer = setTimeout(ask, AGAIN_MS);
}

const measured = ({ done, total }) =>
  (total ? `Measuring: ${done} of ${total} runs are done.` : "Measuring …");

// What a screen reader says of measuring: that it began and that it ended, and none of its steps.
function speak(state) {
  if (state !== "ready") put("spoken", "Measuring …");
  else if ($("spoken").textContent !== "") put("spoken", "Every core is measured.");
}

// A partial answer stays until the next one, while lines between them say how far the work is.
function take(told) {
  mark("answered");
  const { dataset } = document.body;
  const between = told.state === "measuring" && dataset.state === "partial";
  if (!between) dataset.state = told.state;
  if (told.state === "unavailable") {
    withhold(told.reason);
    return;
  }
  speak(told.state);
  if (dataset.state === "measuring") {
    withhold(measured(told), told);
    return;
  }
  if (!between) {
    answer = told;
    show();
  }
  if (dataset.state === "partial") {
    notice(`${measured(told)} So far ${answer.ranking.length} cores are compared.`, told);
  }
}

function put(id, text) {
  const node = $(id);
  if (node.textContent !== text) node.textContent = text;
}

// Write anew only what differs; `made` makes the nodes out of the facts that they depend on.
const shown = new Map();
function renew(id, facts, made) {
  const text = JSON.stringify(facts);
  if (shown.get(id) === text) return;
  shown.set(id, text);
  $(id).replaceChildren(...facts.flatMap(made));
}

// A line of the verdict.  An option of the command line in brackets becomes a button behind the line,
// where the page has its control; a sentence about another one is left out.
export function advised(node, line) {
  const found = line.match(/ \(--([a-z]+) (\w+)\)/);
  const plain = found ? line.replace(found[0], "") : line;
  node.textContent = plain.split(/(?<=[.?]) (?=[A-Z])/).filter((one) => !one.includes("--")).join(" ");
  if (found && controls.has(found[1], found[2])) {
    const [, key, value] = found;
    const button = element("button", `Choose “${controls.worded(key, value)}”`);
    button.type = "button";
    button.addEventListener("click", () => controls.choose(key, value));
    node.append(" ", button);
  }
  return node;
}

function show() {
  notice("");
  $("answer").setAttribute("aria-live", answer.state === "partial" ? "off" : "polite");
  $("shown").hidden = $("answer").hidden = false;
  $("shown").classList.remove("stale");
  const best = answer.ranking[0];
  put("asked", answer.asked);
  put("cost", best ? `${number.format(best.cycles)} cycles ${answer.each}` : "");
  put("curve-title", `Time against ${answer.across_bursts}`);
  put("winner", answer.winner ?? "No core fits");
  renew("sentence", answer.verdict, (one) => advised(element("p"), one));
  const whole = answer.question.rate !== null;  // which the last lines answer
  $("sentence").classList.toggle("whole", whole);
  $("more").hidden = whole || answer.verdict.length <= FIRST_LINES;
  put("curve-unit", answer.unit);
  put("scatter-title", `Cycles ${answer.each} against `
    + `${$("across").value === "flash" ? answer.flash_is : answer.ram_is}`);
  put("scatter-unit", `${answer.unit}; the larger the mark, the more `
    + `${$("across").value === "flash" ? answer.ram_is : answer.flash_is}`);
  showRanges();
  showTable();
  renew("notes", answer.notes, (one) => element("li", one));
  put("command", answer.command);
  drawn();
}

function drawn() {
  $("curve-part").hidden = !bends(answer);
  draw(answer);
  mark("drawn");
  document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
}

function showRanges() {
  const known = strokes(answer);
  const rows = answer.best.map((one) => [one.core, known.get(one.core),
    one.from === one.to ? counted(one.from, answer)
      : `${number.format(one.from)} to ${counted(one.to, answer)}`]);
  renew("ranges", rows, ([core, stroke, range]) => {
    const row = element("li");
    const swatch = element("span", "", "swatch");
    swatch.style.borderTopColor = stroke.colour;
    swatch.style.borderTopStyle = { "": "solid", "2 4": "dotted" }[stroke.dash] ?? "dashed";
    row.append(swatch, element("strong", core), ` ${range}`);
    return row;
  });
  renew("key", key(answer), (one) => {
    const row = element("li");
    row.append(element("span", "", `dot ${one.kind}`), one.told);
    return row;
  });
}

const size = (value) => (value === null ? "–" : number.format(value));

const titled = (one) => (one.ghash ? `${one.core} + ${one.ghash}` : one.core);

function showTable() {
  put("flash-head", `${answer.flash_is}, B`);
  put("ram-head", `${answer.ram_is}, B`);
  renew("ranking", answer.ranking, (one) => {
    const row = element("tr");
    row.dataset.core = one.core;
    row.append(element("td", one.rank), element("td", titled(one), "text"),
      element("td", number.format(one.cycles)), element("td", size(one.flash)),
      element("td", size(one.ram)), element("td", one.timing, "text"),
      element("td", one.evidence ?? (one.kind === "depends" ? "–" : "none"), "text"),
      element("td", one.front ? "●" : "", "text"));
    if (one.front) row.lastChild.setAttribute("aria-label", "on the front");
    return row;
  });
  $("dropped-part").hidden = answer.dropped.length === 0;
  put("dropped-count", `Dropped: ${answer.dropped.length}`);
  renew("dropped", answer.dropped, (one) => [element("dt", one.core), element("dd", one.reason)]);
}

function listen() {
  const file = (what, end) => `aesfit-${answer.question.platform}-${what}.${end}`;
  $("csv").addEventListener("click", () =>
    saveText(file("table", "csv"), table(answer), "text/csv"));
  $("curve-csv").addEventListener("click", () =>
    saveText(file("curves", "csv"), curves(answer), "text/csv"));
  $("json").addEventListener("click", () =>
    saveText(file("answer", "json"), JSON.stringify(answer, null, 2), "application/json"));
  for (const button of document.querySelectorAll("[data-picture]")) {
    const { picture: id, format } = button.dataset;
    button.addEventListener("click", async () => saveBlob(file(id, format), await picture(id, format)));
  }
  $("link").addEventListener("click", async () => {
    const link = new URL(`?${controls.asQuery()}`, location.href).href;
    let told = "Copied.";
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      history.replaceState(null, "", link);
      told = "The address of this page is the link.";
    }
    $("link-done").textContent = told;
    setTimeout(() => { $("link-done").textContent = ""; }, 4000);
  });
  $("more").addEventListener("click", () => {
    const open = $("sentence").classList.toggle("open");
    $("more").setAttribute("aria-expanded", String(open));
    put("more", open ? "Less" : "More");
  });
  $("across").addEventListener("change", () => answer && show());
  listenToFigures();
}

async function start() {
  try {
    const choices = stored.here() ? await stored.choices() : await (await fetch("api/choices")).json();
    token = choices.token;
    controls.start(choices, ask);
  } catch {
    withhold(stored.here() ? "The page's files are not all here; reload it."
      : "aesfit does not answer; start it with: aesfit serve");
    return;
  }
  listen();
  await ask();
}

start();
