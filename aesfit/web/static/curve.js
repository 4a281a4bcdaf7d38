// SPDX-License-Identifier: MIT
// The first figure: cycles against burst length, or against messages under one key.

import { circle, escaped, frame, line, path, text, written } from "./plot.js";

const LINES = 6;
const DASHES = ["", "", "9 5", "2 4", "9 4 2 4", "15 6"];
const BENT = 1.05;  // the most over the least, from which a curve is no straight line
const NEAR = 30;  // pixels from the pointer to the line that it means

// "1 call", "2 calls".
export const counted = (n, answer) =>
  `${written(n)} ${n === 1 ? answer.counted.replace(/s$/, "") : answer.counted}`;

// Cores that are best somewhere get a colour, in the order in which they are best.
export function strokes(answer) {
  const names = [...new Set([...answer.best.map((one) => one.core), answer.winner])];
  const found = new Map();
  names.filter(Boolean).forEach((name, i) =>
    found.set(name, { colour: `var(--line-${i % LINES})`, dash: DASHES[i % LINES] }));
  return found;
}

function least(values) {
  let found = Infinity;
  for (const one of values) found = Math.min(found, one);
  return found;
}

function bounds(answer, chosen) {
  const rows = Object.entries(answer.curve.cores);
  const some = rows.filter(([name]) => chosen.has(name));
  const values = (some.length ? some : rows).map(([, row]) => row);
  const low = least(values.map(least)), high = -least(values.map((row) => -Math.max(...row)));
  const last = answer.curve.calls.at(-1);
  return [{ low: 0.96, high: last * 1.04 }, { low: low / 1.12, high: Math.max(high * 1.1, low * 1.5) }];
}

function asked(answer, plot) {
  if (answer.burst === null) return "";
  const x = plot.px(answer.burst), late = x > (plot.left + plot.right) / 2;
  return line(x, plot.top, x, plot.bottom, 'stroke="var(--muted)" stroke-width="1.5" stroke-dasharray="2 4"')
    + text(x + (late ? -6 : 6), plot.top + 12, counted(answer.burst, answer),
      `fill="var(--muted)" text-anchor="${late ? "end" : "start"}"`);
}

function crossovers(answer, plot) {
  return answer.crossovers.map((one) => {
    const x = plot.px(one.calls), y = plot.py(one.cycles);
    return circle(x, y, 5, 'class="crossover" fill="var(--paper)" stroke="var(--ink)" stroke-width="2.5"')
      + text(x, y - 12, written(one.calls),
        'class="crossover" text-anchor="middle" stroke="var(--paper)" stroke-width="4" paint-order="stroke"');
  }).join("");
}

// Whether there is something to see: the fastest core changes, or a fast one's cycles do.
export function bends(answer) {
  if (answer.crossovers.length > 0) return true;
  return [...strokes(answer).keys()].some((name) => {
    const row = answer.curve.cores[name] ?? [];
    return -least(row.map((one) => -one)) > BENT * least(row);
  });
}

// Layers of the figure, and where each core's points lie.
export function curve(answer, size, titles = {}) {
  const chosen = strokes(answer);
  const plot = frame(size, ...bounds(answer, chosen), { x: answer.across_bursts, ...titles });
  const xs = answer.curve.calls.map(plot.px);
  const lines = Object.entries(answer.curve.cores).map(([name, row]) =>
    ({ name, points: row.map((v, i) => ({ x: xs[i], y: plot.py(v) })) }));
  const drawn = (one, more) => path(one.points, `data-core="${escaped(one.name)}" ${more}`);
  const cut = (markup) => `<g clip-path="url(#curve-area)">${markup.join("")}</g>`;
  const area = `<clipPath id="curve-area"><rect x="${plot.left}" y="${plot.top}" `
    + `width="${plot.width}" height="${plot.height}"/></clipPath>`;
  const faint = lines.filter((one) => !chosen.has(one.name))
    .map((one) => drawn(one, 'stroke="var(--faint)" stroke-width="1.2"'));
  const best = lines.filter((one) => chosen.has(one.name)).map((one) => {
    const { colour, dash } = chosen.get(one.name);
    return drawn(one, `stroke="${colour}" stroke-width="2.6" stroke-dasharray="${dash}"`);
  });
  const layers = [["axes", area + plot.axes], ["faint", cut(faint)], ["best", cut(best)],
    ["asked", asked(answer, plot)], ["crossovers", crossovers(answer, plot)]];
  return { layers, plot, lines, xs, answer };
}

// The line that the pointer means, in words; null where it is far from all.
export function pointed(drawn, place) {
  const { xs, lines, plot, answer } = drawn;
  if (place.x < plot.left - 5 || place.x > plot.right + 5) return null;
  let column = 0;
  xs.forEach((x, i) => { if (Math.abs(x - place.x) < Math.abs(xs[column] - place.x)) column = i; });
  let found = null, away = NEAR;
  for (const one of lines) {
    const distance = Math.abs(one.points[column].y - place.y);
    if (one.points[column].y >= plot.top && distance < away) [found, away] = [one, distance];
  }
  if (found === null) return null;
  const calls = answer.curve.calls[column];
  const cycles = answer.curve.cores[found.name][column];
  return { name: found.name, place: found.points[column],
    words: [found.name, counted(calls, answer), `${written(cycles)} cycles`] };
}

// Names of the coloured lines, for a picture that stands without the page.
export function legend(answer, size) {
  return [...strokes(answer)].map(([name, { colour, dash }], i) => {
    const y = 24 + 18 * i;
    return line(size.width - 40, y, size.width - 14, y,
      `stroke="${colour}" stroke-width="2.6" stroke-dasharray="${dash}"`)
      + text(size.width - 48, y + 4, name, 'text-anchor="end"');
  }).join("");
}
