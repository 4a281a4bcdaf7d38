// SPDX-License-Identifier: MIT
// The second figure: cycles against bytes of flash or RAM, every core a mark.

import { circle, escaped, frame, line, path, text, written } from "./plot.js";

const KINDS = {
  proved: ["--proved", "independent of the key, proved"],
  independent: ["--independent", "independent of the key, not proved"],
  here: ["--here", "independent of the key here"],
  depends: ["--depends", "depends on the key"],
};
const colour = (kind) => `var(${KINDS[kind][0]})`;
const RING = 5;  // pixels from the winner's mark to its ring
const NEAR = 18;  // pixels beyond a mark's edge at which the pointer still means it

// What the colours of the marks mean, of those that are there.
export function key(answer) {
  const used = new Set(marksOf(answer).map((one) => one.kind));
  const rows = Object.entries(KINDS).filter(([kind]) => used.has(kind))
    .map(([kind, [, told]]) => ({ kind, told }));
  if (answer.dropped.some((one) => one.cycles !== null)) rows.push({ kind: "beyond", told: "over a limit" });
  return rows;
}

// The winner comes first, what is over a limit last.
function marksOf(answer) {
  const beyond = answer.dropped.filter((one) => one.cycles !== null)
    .map((one) => ({ ...one, beyond: true, front: false }));
  const order = (m) => (m.core === answer.winner ? 0 : m.front ? 1 : m.beyond ? 3 : 2);
  return [...beyond, ...answer.ranking].filter((one) => one.flash !== null)
    .sort((a, b) => order(a) - order(b));
}

// The corners of those that no other beats in both.
function stairs(marks, across) {
  const best = [];
  const open = marks.filter((m) => !m.beyond).sort((a, b) => a[across] - b[across]
    || a.cycles - b.cycles);
  for (const mark of open) {
    if (best.length === 0 || mark.cycles < best.at(-1).cycles) best.push(mark);
  }
  return best;
}

const stepped = (corners) => corners.flatMap((to, i) =>
  (i === 0 ? [to] : [{ x: to.x, y: corners[i - 1].y }, to]));

// The strokes of a staircase as thin boxes.
const boxes = (points) => points.slice(1).map((to, i) => {
  const from = points[i];
  return { x0: Math.min(from.x, to.x) - 1, x1: Math.max(from.x, to.x) + 1,
    y0: Math.min(from.y, to.y) - 1, y1: Math.max(from.y, to.y) + 1 };
});

const SPOTS = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [1, 1], [-1, -1], [-1, 1]];
const HEIGHT = 15, LETTER = 7.2;  // of a name, in pixels

const STEPS = [0, 10, 20, 30, 45, 60];  // pixels that the winner's name may lie further away
const BOLD = 1.1;  // width of its letters, to that of others

// Where a name beside a mark lies: to the left or right, above or below.
function box(mark, [side, up], wide = 1, further = 0) {
  const width = mark.core.length * LETTER * wide, away = mark.reach + 2 + further;
  const lift = side && up ? away * 0.7 : away;
  const x = side === 0 ? mark.x - width / 2 : side > 0 ? mark.x + away : mark.x - away - width;
  const y = up === 0 ? mark.y - HEIGHT / 2 : up < 0 ? mark.y - lift - HEIGHT : mark.y + lift;
  return { x0: x, x1: x + width, y0: y, y1: y + HEIGHT };
}

const overlap = (a, b) => Math.max(0, Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0))
  * Math.max(0, Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0));

const total = (mine, others, weight, but = null) =>
  others.reduce((sum, one) => sum + (one === but ? 0 : weight * overlap(mine, one)), 0);

// Names where they cover least: each takes its best place given the others, the winner's first; one
// that would still lie over another is left to the pointer and the table.
function named(marks, plot, lines, winner) {
  const dots = marks.map((m) => ({ x0: m.x - m.reach, x1: m.x + m.reach, y0: m.y - m.reach,
    y1: m.y + m.reach }));
  const taken = [];
  return marks.map((mark, i) => {
    let best = null;
    const won = mark.core === winner;
    const places = won ? STEPS.flatMap((step) => SPOTS.map((spot) => [spot, BOLD, step]))
      : SPOTS.map((spot) => [spot]);
    for (const [spot, wide, step = 0] of places) {
      const mine = { ...box(mark, spot, wide, step), led: step > 0 };
      const fits = mine.x0 >= plot.left && mine.x1 <= plot.right && mine.y0 >= plot.top
        && mine.y1 <= plot.bottom;
      const cost = (fits ? 0 : 1e4) + total(mine, dots, 1, dots[i]) + total(mine, taken, 3)
        + total(mine, lines, 0.8) + step;
      if (best === null || cost < best.cost) best = { mine, cost };
    }
    if (best.cost > 60 && !won) return null;
    taken.push(best.mine);
    return best.mine;
  });
}

const ends = (values) => ({ low: Math.min(...values) / 1.3, high: Math.max(...values) * 1.3 });

function limited(limit, plot) {
  if (!limit) return ["", []];
  const x = plot.px(limit);
  const stroke = 'stroke="var(--muted)" stroke-width="1.5" stroke-dasharray="9 5"';
  return [line(x, plot.top, x, plot.bottom, stroke)
    + text(x - 5, plot.top + 12, "limit", 'fill="var(--muted)" text-anchor="end"'),
  [{ x0: x - 1, x1: x + 1, y0: plot.top, y1: plot.bottom }]];
}

// The winner has a ring of its own around its mark, on paper, so that no neighbour hides it.
function dot(mark, answer) {
  const own = colour(mark.kind);
  const found = circle(mark.x, mark.y, mark.radius, `data-core="${escaped(mark.core)}" `
    + `fill="${mark.beyond ? "var(--paper)" : own}" fill-opacity="0.8" stroke="${own}" stroke-width="2"`);
  if (mark.core !== answer.winner) return found;
  return circle(mark.x, mark.y, mark.radius + RING,
    'class="ring" fill="var(--paper)" stroke="var(--ink)" stroke-width="2.5"') + found;
}

// From a name that lies further away to its mark.
function leader(mark, name) {
  if (!name?.led) return "";
  const near = (low, high, at) => Math.min(high, Math.max(low, at));
  const x = near(name.x0, name.x1, mark.x), y = near(name.y0, name.y1, mark.y);
  const share = mark.reach / Math.hypot(x - mark.x, y - mark.y);
  return line(mark.x + share * (x - mark.x), mark.y + share * (y - mark.y), x, y,
    'stroke="var(--ink)" stroke-width="1"');
}

// Layers of the figure, and where its marks lie; `across`: flash or ram.
export function scatter(answer, across, size, titles = {}) {
  const other = across === "flash" ? "ram" : "flash";
  const limit = answer.question[across];
  const found = marksOf(answer);
  if (found.length === 0) return { layers: [["axes", ""], ["names", ""], ["marks", ""], ["front", ""]], marks: [] };
  const most = Math.max(1, ...found.map((m) => m[other] ?? 0));
  const value = (m) => Math.max(1, m[across]);
  const plot = frame(size, ends([...found.map(value), ...(limit ? [limit] : [])]),
    ends(found.map((m) => m.cycles)),
    { x: `bytes of ${across === "flash" ? answer.flash_is : answer.ram_is}`, ...titles });
  const marks = found.map((m) => ({ ...m, x: plot.px(value(m)), y: plot.py(m.cycles),
    radius: 4 + 7 * Math.sqrt((m[other] ?? 0) / most) }))
    .map((m) => ({ ...m, reach: m.radius + (m.core === answer.winner ? RING : 0) }));
  const front = stepped(stairs(marks, across));
  const [bound, boundBox] = limited(limit, plot);
  const names = named(marks, plot, [...boxes(front), ...boundBox], answer.winner);
  const layers = [
    ["axes", plot.axes],
    ["front", bound + (front.length > 1
      ? path(front, 'stroke="var(--muted)" stroke-width="1.5"') : "")],
    ["marks", marks.map((m) => dot(m, answer)).reverse().join("")],  // the winner over all others
    ["names", marks.map((m, i) => (names[i] === null ? "" : leader(m, names[i]) + text((names[i].x0 + names[i].x1) / 2,
      names[i].y0 + 12, m.core, `text-anchor="middle" ${m.core === answer.winner ? 'font-weight="600"' : ""}`
      + ` fill="var(--${m.beyond ? "muted" : "ink"})"`))).join("")],
  ];
  return { layers, marks, answer };
}

// The mark of a core, as for `pointed`; null where there is none.
export function marked(drawn, core) {
  const found = drawn.marks.find((one) => one.core === core);
  return found ? told(found, drawn.answer) : null;
}

function told(found, answer) {
  const size = (value) => (value === null ? "–" : written(value));
  return { name: found.core, place: found, words: [found.core, `${written(found.cycles)} cycles`,
    `${size(found.flash)} bytes of ${answer.flash_is}`, `${size(found.ram)} bytes of ${answer.ram_is}`,
    KINDS[found.kind][1]] };
}

// The mark that the pointer means, in words; null where it is far from all.
export function pointed(drawn, place) {
  let found = null, away = NEAR;
  for (const one of drawn.marks) {
    const distance = Math.hypot(one.x - place.x, one.y - place.y) - one.radius;
    if (distance < away) [found, away] = [one, distance];
  }
  return found === null ? null : told(found, drawn.answer);
}
