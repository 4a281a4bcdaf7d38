// SPDX-License-Identifier: MIT
// Asks the question that the controls hold, again whenever it changes, and shows the answer.

import * as controls from "./controls.js";
import { counted, drawCurve, drawScatter, key, picture, strokes } from "./charts.js";

const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const POLL_MS = 350;
let answer = null;
let asking = false;
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
  $("notice-text").textContent = text;
  const bar = $("progress");
  bar.hidden = !progress;
  if (progress?.total) Object.assign(bar, { max: progress.total, value: progress.done });
  else bar.removeAttribute("value");
}

// Older figures stay, faint, while there are none for the question as it is now.
function withhold(text, progress) {
  notice(text, progress);
  $("shown").classList.toggle("stale", answer !== null);
  $("shown").hidden = answer === null;
  $("answer").hidden = true;
}

// One request at a time; what changes meanwhile is asked once it is answered.
async function ask() {
  clearTimeout(timer);
  document.body.dataset.state = "asking";
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  do {
    again = false;
    try {
      const response = await fetch(`api/answer?${controls.asQuery()}`,
        { method: "POST", headers: { "X-Aesfit-Token": token } });
      const body = await response.json();
      if (!again) take(response.status, body);
    } catch {
      document.body.dataset.state = "lost";
      withhold("aesfit no longer answers; start it again with: aesfit serve");
    }
  } while (again);
  asking = false;
}

// What is wrong with the question, field by field.
function complaint(detail) {
  if (!Array.isArray(detail)) return String(detail ?? "The question could not be answered.");
  return detail.map((one) => [...one.loc.slice(1), one.msg.replace(/^Value error, /, "")].join(": "))
    .join("; ");
}

function take(status, body) {
  document.body.dataset.state = status === 200 ? body.state : String(status);
  if (status === 202) {
    const { done, total } = body;
    withhold(total ? `Measuring ${done} of ${total} …` : "Measuring …", { done, total });
    timer = setTimeout(ask, POLL_MS);
  } else if (status === 429) {
    withhold("Waiting for other questions …", {});
    timer = setTimeout(ask, POLL_MS);
  } else if (status !== 200) {
    withhold(complaint(body.detail));
  } else if (body.state === "unavailable") {
    withhold(body.reason);
  } else {
    answer = body;
    show();
  }
}

function show() {
  notice("");
  $("shown").hidden = $("answer").hidden = false;
  $("shown").classList.remove("stale");
  $("asked").textContent = answer.asked;
  const best = answer.ranking[0];
  $("cost").textContent = best ? `${number.format(best.cycles)} cycles ${answer.each}` : "";
  $("curve-title").textContent = `Time against ${answer.across_bursts}`;
  $("winner").textContent = answer.winner ?? "No core fits";
  $("sentence").textContent = answer.sentence;
  $("curve-unit").textContent = answer.unit;
  $("scatter-unit").textContent = `${answer.unit}; the larger the mark, the more `
    + `${$("across").value === "flash" ? answer.ram_is : answer.flash_is}`;
  showRanges();
  showTable();
  $("notes").replaceChildren(...answer.notes.map((one) => element("li", one)));
  $("command").textContent = answer.command;
  draw();
}

function showRanges() {
  const known = strokes(answer);
  $("ranges").replaceChildren(...answer.best.map((one) => {
    const row = element("li");
    const swatch = element("span", "", "swatch");
    const stroke = known.get(one.core);
    swatch.style.borderTopColor = stroke.colour;
    swatch.style.borderTopStyle = stroke.dash === "solid" ? "solid" : stroke.dash.includes("dot") ? "dotted" : "dashed";
    const range = one.from === one.to ? counted(one.from, answer)
      : `${number.format(one.from)} to ${counted(one.to, answer)}`;
    row.append(swatch, element("strong", one.core), ` ${range}`);
    return row;
  }));
  $("key").replaceChildren(...key(answer).map((one) => {
    const row = element("li");
    const dot = element("span", "", "dot");
    dot.style.borderColor = one.colour;
    dot.style.background = one.fill;
    row.append(dot, one.told);
    return row;
  }));
}

const size = (value) => (value === null ? "–" : number.format(value));

const titled = (one) => (one.ghash ? `${one.core} + ${one.ghash}` : one.core);

function showTable() {
  $("flash-head").textContent = `${answer.flash_is}, B`;
  $("ram-head").textContent = `${answer.ram_is}, B`;
  $("ranking").replaceChildren(...answer.ranking.map((one) => {
    const row = element("tr");
    row.append(element("td", one.rank), element("td", titled(one), "text"),
      element("td", number.format(one.cycles)), element("td", size(one.flash)),
      element("td", size(one.ram)), element("td", one.constant_time, "text"),
      element("td", one.proved || "–", "text"),
      element("td", one.front ? "●" : "", "text"));
    if (one.front) row.lastChild.setAttribute("aria-label", "on the front");
    return row;
  }));
  $("dropped-part").hidden = answer.dropped.length === 0;
  $("dropped-part").firstElementChild.textContent = `Dropped: ${answer.dropped.length}`;
  $("dropped").replaceChildren(...answer.dropped.flatMap((one) =>
    [element("dt", one.core), element("dd", one.reason)]));
}

function draw() {
  if (answer === null || $("shown").hidden) return;
  drawCurve(answer);
  drawScatter(answer, $("across").value);
  document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
}

function save(name, address) {
  const link = element("a");
  link.href = address;
  link.download = name;
  link.click();
}

function saveText(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  save(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const csv = (rows) => rows.map((row) => row.map((cell) => {
  const text = cell === null ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}).join(",")).join("\n") + "\n";

function tableRows() {
  const columns = ["rank", "core", "ghash", "cycles", "flash", "ram", "constant_time", "proved",
    "front"];
  const dropped = answer.dropped.map((one) => [null, one.core, null, one.cycles, one.flash, one.ram,
    one.constant_time, one.proved, false, one.reason]);
  const ranked = answer.ranking.map((one) => [...columns.map((name) => one[name]), null]);
  const keys = { flash: "flash_bytes", ram: "ram_bytes", front: "pareto" };  // as --csv and --json
  return [[...columns.map((name) => keys[name] ?? name), "dropped"], ...ranked, ...dropped];
}

function curveRows() {
  const names = Object.keys(answer.curve.cores);
  const rows = answer.curve.calls.map((n, i) => [n, ...names.map((name) => answer.curve.cores[name][i])]);
  return [[answer.counted, ...names], ...rows];
}

function listen() {
  const file = (what, end) => `aesfit-${answer.question.platform}-${what}.${end}`;
  $("csv").addEventListener("click", () => saveText(file("table", "csv"), csv(tableRows()), "text/csv"));
  $("curve-csv").addEventListener("click", () =>
    saveText(file("curves", "csv"), csv(curveRows()), "text/csv"));
  $("json").addEventListener("click", () =>
    saveText(file("answer", "json"), JSON.stringify(answer, null, 2), "application/json"));
  for (const button of document.querySelectorAll("[data-picture]")) {
    const { picture: id, format } = button.dataset;
    button.addEventListener("click", async () => save(file(id, format), await picture(id, format, answer)));
  }
  $("link").addEventListener("click", async () => {
    let told = "Copied.";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      told = "The address of this page is the link.";
    }
    $("link-done").textContent = told;
    setTimeout(() => { $("link-done").textContent = ""; }, 4000);
  });
  $("across").addEventListener("change", () => answer && show());
  for (const query of ["(prefers-color-scheme: dark)", "(max-width: 52rem)"]) {
    matchMedia(query).addEventListener("change", () => answer && show());
  }
  let resized = 0;
  addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(draw, 150); });
}

async function start() {
  try {
    const response = await fetch("api/choices");
    const choices = await response.json();
    token = choices.token;
    controls.start(choices, ask);
  } catch {
    withhold("aesfit does not answer; start it with: aesfit serve");
    return;
  }
  listen();
  await ask();
}

start();
