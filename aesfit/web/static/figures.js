// SPDX-License-Identifier: MIT
// The figures on the page: drawn, pointed at, and saved as pictures.

import * as curves from "./curve.js";
import * as plot from "./plot.js";
import * as scatters from "./scatter.js";

const $ = (id) => document.getElementById(id);
const drawn = {};
let answer = null;

export function draw(given = answer) {
  answer = given;
  if (answer === null) return;
  const across = $("across").value;
  for (const [id, make] of Object.entries(FIGURES)) {
    const node = $(id);
    if (node.closest("[hidden]")) continue;
    drawn[id] = make(answer, across, plot.sized(node, draw), {});
    plot.show(node, drawn[id].layers);
  }
  label($("curve"), `${answer.unit} against ${answer.across_bursts}`);
  label($("scatter"), `${answer.unit} against bytes of ${across}, every core`);
}

const FIGURES = {
  curve: (told, _, size, titles) => curves.curve(told, size, titles),
  scatter: (told, across, size, titles) => scatters.scatter(told, across, size, titles),
};
const POINTED = { curve: curves.pointed, scatter: scatters.pointed };

function label(node, words) {
  if (node.getAttribute("aria-label") !== words) node.setAttribute("aria-label", words);
}

// A core is pointed at in a figure or in the table: its mark, its line and its row are marked.
function point(core) {
  for (const one of document.querySelectorAll("[data-core].hot")) one.classList.remove("hot");
  if (core === null) return;
  for (const one of document.querySelectorAll(`[data-core="${CSS.escape(core)}"]`)) one.classList.add("hot");
}

export function listen() {
  for (const [id, pointed] of Object.entries(POINTED)) {
    const node = $(id);
    node.addEventListener("pointermove", (event) => {
      const place = node.getBoundingClientRect();
      const found = drawn[id] ? pointed(drawn[id], { x: event.clientX - place.x, y: event.clientY - place.y }) : null;
      point(found && found.name);
      plot.tell(node, found && found.place, found?.words);
    });
    node.addEventListener("pointerleave", () => {
      point(null);
      plot.tell(node, null);
    });
  }
  $("ranking").addEventListener("pointerover", (event) => {
    const core = event.target.closest("tr")?.dataset.core ?? null;
    const found = core && drawn.scatter ? scatters.marked(drawn.scatter, core) : null;
    point(core);
    plot.tell($("scatter"), found && found.place, found?.words);
  });
  $("ranking").addEventListener("pointerleave", () => {
    point(null);
    plot.tell($("scatter"), null);
  });
}

// What stands around a figure on the page, the question and the names, goes into its picture.
function standing(id) {
  const node = $(id);
  const size = { width: Math.max(900, node.clientWidth), height: Math.max(540, node.clientHeight) };
  const rows = plot.folded(answer.asked, Math.floor(size.width / 7));
  const top = 26 + 16 * rows.length;
  const { layers } = FIGURES[id](answer, $("across").value, size, { y: `cycles ${answer.each}`, top });
  const title = rows.map((row, i) => plot.text(12, 20 + 16 * i, row, 'font-size="12" fill="var(--muted)"'));
  const names = id === "curve" ? `<g transform="translate(0 ${top - 12})">${curves.legend(answer, size)}</g>` : "";
  return { size, svg: plot.alone([...layers, ["title", title.join("")], ["legend", names]], size) };
}

// A picture of a figure as a blob; drawn here, nothing is sent anywhere.
export async function picture(id, format) {
  const { size, svg } = standing(id);
  if (format === "svg") return new Blob([svg], { type: "image/svg+xml" });
  const image = new Image(size.width, size.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 2 * size.width, height: 2 * size.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}
