// SPDX-License-Identifier: MIT
// What both figures share: logarithmic axes, and a drawing in layers of which only those that
// changed are written anew.  A drawing is text of SVG elements; colours are names of the style
// sheet, so that they follow light and dark.

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
export const written = (value) => number.format(value);
export const narrow = () => matchMedia("(max-width: 52rem)").matches;

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escaped = (text) => String(text).replace(/[&<>"]/g, (one) => ESCAPES[one]);
const at = (value) => value.toFixed(1);

// Elements; positions in pixels.
export const line = (x1, y1, x2, y2, more) =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" ${more}/>`;
export const text = (x, y, words, more = "") =>
  `<text x="${at(x)}" y="${at(y)}" ${more}>${escaped(words)}</text>`;
export const circle = (x, y, r, more) => `<circle cx="${at(x)}" cy="${at(y)}" r="${at(r)}" ${more}/>`;
export const path = (points, more) =>
  `<path d="M${points.map((p) => `${at(p.x)} ${at(p.y)}`).join("L")}" fill="none" ${more}/>`;

// 1, 2, 5 times powers of ten inside a range: the ticks that a person reads.
function powers(low, high, most) {
  const all = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) {
    for (const m of [1, 2, 3, 5, 7]) all.push([m, m * 10 ** e]);
  }
  for (const kept of [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
    const found = all.filter(([m, v]) => v >= low && v <= high && kept.includes(m));
    if (found.length <= most) return found.map(([, v]) => v);
  }
  const tens = all.filter(([m, v]) => m === 1 && v >= low && v <= high).map(([, v]) => v);
  return tens.filter((_, i) => i % Math.ceil(tens.length / most) === 0);
}

// On a short stretch of a logarithmic axis the ticks of a linear one are easier to read.
function even(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

const ticks = (low, high, most) => (high / low < 5 ? even : powers)(low, high, most);

// The frame of a figure: where values lie, and the markup of its axes.
export function frame(size, x, y, titles) {
  const margin = { l: (titles.y ? 92 : 74), r: 14, t: titles.top ?? 12, b: 48 };
  const width = Math.max(40, size.width - margin.l - margin.r);
  const height = Math.max(40, size.height - margin.t - margin.b);
  const wide = Math.log(x.high / x.low), tall = Math.log(y.high / y.low);
  const px = (v) => margin.l + Math.log(v / x.low) / wide * width;
  const py = (v) => margin.t + Math.log(y.high / v) / tall * height;
  const right = margin.l + width, bottom = margin.t + height;
  const across = ticks(x.low, x.high, Math.max(4, Math.floor(width / 75)));
  const up = ticks(y.low, y.high, Math.max(3, Math.floor(height / 38)));
  const grid = 'stroke="var(--grid)"';
  const axes = [
    ...across.map((v) => line(px(v), margin.t, px(v), bottom, grid)
      + text(px(v), bottom + 18, written(v), 'text-anchor="middle"')),
    ...up.map((v) => line(margin.l, py(v), right, py(v), grid)
      + text(margin.l - 8, py(v) + 4, written(v), 'text-anchor="end"')),
    line(margin.l, bottom, right, bottom, 'stroke="var(--edge)"'),
    line(margin.l, margin.t, margin.l, bottom, 'stroke="var(--edge)"'),
    text(margin.l + width / 2, bottom + 40, titles.x, 'text-anchor="middle"'),
    titles.y ? text(0, 0, titles.y,
      `text-anchor="middle" transform="translate(16 ${at(margin.t + height / 2)}) rotate(-90)"`) : "",
  ].join("");
  return { px, py, left: margin.l, right, top: margin.t, bottom, width, height, axes };
}

const shapes = new WeakMap();

// The size of a figure's place on the page; asked of the browser only after it changed.
export function sized(node, changed) {
  if (!shapes.has(node)) {
    shapes.set(node, { width: node.clientWidth, height: node.clientHeight, layers: new Map() });
    new ResizeObserver(() => {
      const shape = shapes.get(node);
      if (node.clientWidth === shape.width && node.clientHeight === shape.height) return;
      Object.assign(shape, { width: node.clientWidth, height: node.clientHeight });
      changed();
    }).observe(node);
  }
  return shapes.get(node);
}

function group(svg, name) {
  const node = document.createElementNS(svg.namespaceURI, "g");
  node.dataset.layer = name;
  svg.append(node);
  return node;
}

// Show layers, a name and its markup each, from the lowest to the topmost.
export function show(node, layers) {
  const { width, height, layers: shown } = shapes.get(node);
  const svg = node.querySelector("svg");
  const box = `0 0 ${width} ${height}`;
  if (svg.getAttribute("viewBox") !== box) svg.setAttribute("viewBox", box);
  for (const [name, markup] of layers) {
    if (!shown.has(name)) shown.set(name, { node: group(svg, name), markup: "" });
    const layer = shown.get(name);
    if (layer.markup === markup) continue;
    layer.node.innerHTML = markup;
    layer.markup = markup;
  }
}

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif";

// A figure that stands alone, as text of an SVG file: colours written out, on its own paper.
export function alone(layers, { width, height }) {
  const drawn = layers.map(([, markup]) => markup).join("")
    .replaceAll(/var\((--[\w-]+)\)/g, (_, name) => css(name));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `
    + `viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="13" fill="${css("--ink")}">`
    + `<rect width="${width}" height="${height}" fill="${css("--paper")}"/>${drawn}</svg>`;
}

// Lines of at most so many letters, broken at spaces.
export function folded(words, most) {
  const lines = [""];
  for (const word of words.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= most) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines;
}

// A note beside the pointer, over a figure; nothing for null.
export function tell(node, place, words) {
  const note = node.querySelector(".tip");
  note.hidden = place === null;
  if (place === null) return;
  note.replaceChildren(...words.map((one, i) => {
    const row = document.createElement(i === 0 ? "strong" : "span");
    row.textContent = one;
    return row;
  }));
  const left = place.x > shapes.get(node).width / 2;
  Object.assign(note.style, {
    left: left ? "auto" : `${place.x + 14}px`,
    right: left ? `${shapes.get(node).width - place.x + 14}px` : "auto",
    top: `${Math.max(0, place.y - 20)}px`,
  });
}
