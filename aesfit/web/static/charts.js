// SPDX-License-Identifier: MIT
// The two figures.  Colours come from the style sheet, so that they follow light and dark.
/* global Plotly */

const $ = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const LINES = 6;
const DASHES = ["solid", "solid", "dash", "dot", "dashdot", "longdash"];
const FONT = 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif';
const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false };
const MARGIN = { l: 78, r: 16, t: 14, b: 50 };
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const narrow = () => matchMedia("(max-width: 52rem)").matches;

function layout(extra) {
  const axis = {
    gridcolor: css("--grid"), zeroline: false, linecolor: css("--edge"), tickcolor: css("--edge"),
    type: "log", fixedrange: true, ticks: "outside", ticklen: 4, minor: { showgrid: false },
    exponentformat: "none", separatethousands: true, tickangle: 0,
  };
  return {
    paper_bgcolor: css("--paper"), plot_bgcolor: css("--paper"), showlegend: false,
    font: { family: FONT, size: narrow() ? 12 : 13, color: css("--ink") },
    margin: MARGIN, dragmode: false, hovermode: "closest",
    hoverlabel: { font: { family: FONT } }, separators: ".,",
    ...extra,
    xaxis: { ...axis, ...extra.xaxis },
    yaxis: { ...axis, ...extra.yaxis },
  };
}

// 1, 2, 5 times powers of ten inside a range: the ticks that a person reads.
function ticks(low, high, most) {
  const all = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) {
    for (const m of [1, 2, 3, 5, 7]) all.push(m * 10 ** e);
  }
  for (const kept of [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
    const found = all.filter((v) => v >= low && v <= high
      && kept.includes(Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9))));
    if (found.length <= most) return found;
  }
  return [];
}

// On a short stretch of a logarithmic axis the ticks of a plain one tell more.
function even(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough);
  const found = [];
  for (let v = Math.ceil(low / step); v * step <= high; v++) found.push(Number((v * step).toPrecision(12)));
  return found;
}

function scale(low, high, most) {
  const values = high / low < 5 ? even(low, high, most) : ticks(low, high, most);
  return {
    range: [Math.log10(low), Math.log10(high)], tickmode: "array", tickvals: values,
    ticktext: values.map((v) => number.format(v)),
  };
}

// "1 call", "2 calls".
export const counted = (n, answer) =>
  `${number.format(n)} ${n === 1 ? answer.counted.replace(/s$/, "") : answer.counted}`;

// Cores that are best somewhere get a colour, in the order in which they are best.
export function strokes(answer) {
  const names = [...new Set([...answer.best.map((one) => one.core), answer.winner])];
  const found = new Map();
  names.filter(Boolean).forEach((name, i) =>
    found.set(name, { colour: css(`--line-${i % LINES}`), dash: DASHES[i % LINES] }));
  return found;
}

export function drawCurve(answer) {
  const chosen = strokes(answer);
  const names = Object.keys(answer.curve.cores);
  const ordered = [...names.filter((n) => !chosen.has(n)), ...names.filter((n) => chosen.has(n))];
  const traces = ordered.map((name) => {
    const stroke = chosen.get(name);
    return {
      type: "scatter", mode: "lines", name, x: answer.curve.calls, y: answer.curve.cores[name],
      line: stroke ? { color: stroke.colour, dash: stroke.dash, width: 2.6 }
        : { color: css("--faint"), width: 1.2 },
      showlegend: Boolean(stroke),
      hovertemplate: `%{x:,} ${answer.counted}<br>%{y:,.1f} cycles<extra>${name}</extra>`,
    };
  });
  const shown = ordered.filter((n) => chosen.has(n)).flatMap((n) => answer.curve.cores[n]);
  const all = shown.length ? shown : Object.values(answer.curve.cores).flat();
  const least = Math.min(...all), most = Math.max(...all);
  const last = answer.curve.calls.at(-1);
  const low = least / 1.12, high = Math.max(most * 1.1, least * 1.5);
  const points = answer.crossovers;
  traces.push({
    type: "scatter", mode: "markers", x: points.map((p) => p.calls), y: points.map((p) => p.cycles),
    showlegend: false,
    marker: { size: 10, color: css("--paper"), line: { width: 2.5, color: css("--ink") } },
    text: points.map((p) => `${p.from} to ${p.to}`), cliponaxis: false,
    hovertemplate: `crossover at %{x:,} ${answer.counted}<br>%{text}<extra></extra>`,
  });
  const marks = points.map((p) => ({
    x: Math.log10(p.calls), y: Math.log10(p.cycles), text: number.format(p.calls), showarrow: false,
    yshift: 17, bgcolor: css("--paper"), borderpad: 1, font: { color: css("--ink"), size: 13 },
  }));
  const lines = [];
  if (answer.burst !== null) {
    const late = answer.burst > Math.sqrt(last);
    marks.push({
      x: Math.log10(answer.burst), y: 1, yref: "paper", yanchor: "top",
      xanchor: late ? "right" : "left", showarrow: false, text: counted(answer.burst, answer),
      font: { color: css("--muted") }, xshift: late ? -4 : 4,
    });
    lines.push({ type: "line", x0: answer.burst, x1: answer.burst, y0: 0, y1: 1, yref: "paper",
      line: { color: css("--muted"), width: 1.5, dash: "dot" } });
  }
  const x = scale(1, last, narrow() ? 6 : 12);
  x.range = [-0.02, Math.log10(last) + 0.02];
  Plotly.react($("curve"), traces, layout({
    annotations: marks,
    shapes: lines,
    xaxis: { ...x, title: { text: answer.across_bursts, standoff: 8 } },
    yaxis: scale(low, high, narrow() ? 6 : 9),
  }), CONFIG);
  $("curve").setAttribute("aria-label", `${answer.unit} against ${answer.across_bursts}`);
}

const KINDS = {
  always: ["--always", "constant-time, proved"],
  sampled: ["--sampled", "constant-time in runs, not proved"],
  "uniform-memory": ["--uniform-memory", "constant-time here: memory is uniform"],
  no: ["--no", "its timing depends on the key"],
};

export function key(answer) {
  const used = new Set(points(answer).map((p) => p.constant_time));
  const rows = Object.entries(KINDS).filter(([kind]) => used.has(kind))
    .map(([, [colour, told]]) => ({ colour: css(colour), fill: css(colour), told }));
  if (answer.dropped.some((one) => one.cycles !== null)) {
    rows.push({ colour: css("--muted"), fill: "transparent", told: "over a limit" });
  }
  return rows;
}

function points(answer) {
  const beyond = answer.dropped.filter((one) => one.cycles !== null)
    .map((one) => ({ ...one, beyond: true, front: false }));
  return [...beyond, ...answer.ranking].filter((one) => one.flash !== null);
}

// The staircase of those that no other beats in both.
function stairs(marks, across) {
  const best = [];
  const open = marks.filter((m) => !m.beyond).sort((a, b) => a[across] - b[across]
    || a.cycles - b.cycles);
  for (const mark of open) {
    if (best.length === 0 || mark.cycles < best.at(-1).cycles) best.push(mark);
  }
  return best;
}

// Its strokes as thin boxes, in pixels.
function steps(corners) {
  return corners.slice(1).flatMap((to, i) => {
    const from = corners[i];
    return [
      { x0: from.x, x1: to.x, y0: from.y - 1, y1: from.y + 1 },
      { x0: to.x - 1, x1: to.x + 1, y0: from.y, y1: to.y },
    ];
  });
}

const SPOTS = ["top center", "bottom center", "middle right", "middle left", "top right",
  "bottom right", "top left", "bottom left"];

// Where a name beside a marker lies, in pixels.
function box(at, spot, width, radius) {
  const height = 15, away = radius + 2;
  const [up, side] = spot.split(" ");
  const x = side === "center" ? at.x - width / 2 : side === "right" ? at.x + away : at.x - away - width;
  const slant = side !== "center" && up !== "middle";
  const lift = slant ? away * 0.7 : away;
  const y = up === "middle" ? at.y - height / 2 : up === "top" ? at.y - lift - height : at.y + lift;
  return { x0: x, x1: x + width, y0: y, y1: y + height };
}

const overlap = (a, b) => Math.max(0, Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0))
  * Math.max(0, Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0));

// Names where they cover least: each takes its best place given the others; one that would still
// lie over another is left to the hover and the table.
function placeNames(marks, size, place, lines) {
  const spots = marks.map(place);
  const dots = spots.map((s, i) => ({ x0: s.x - size[i], x1: s.x + size[i], y0: s.y - size[i],
    y1: s.y + size[i] }));
  const taken = [];
  return marks.map((mark, i) => {
    const width = mark.core.length * 7.2;
    const options = SPOTS.map((spot) => {
      const mine = box(spots[i], spot, width, size[i]);
      const inside = mine.x0 >= 0 && mine.x1 <= place.width && mine.y0 >= 0 && mine.y1 <= place.height;
      const over = dots.reduce((sum, dot, j) => sum + (j === i ? 0 : overlap(mine, dot)), 0)
        + taken.reduce((sum, other) => sum + 3 * overlap(mine, other), 0)
        + lines.reduce((sum, one) => sum + 0.8 * overlap(mine, one), 0);
      return { spot, mine, cost: over + (inside ? 0 : 1e4) };
    });
    const best = options.reduce((a, b) => (b.cost < a.cost ? b : a));
    if (best.cost > 60) return { text: "", spot: "top center" };
    taken.push(best.mine);
    return { text: mark.core, spot: best.spot };
  });
}

export function drawScatter(answer, across) {
  const other = across === "flash" ? "ram" : "flash";
  const limit = answer.question[across];
  const order = (m) => (m.core === answer.winner ? 0 : m.front ? 1 : m.beyond ? 3 : 2);
  const marks = points(answer).sort((a, b) => order(a) - order(b));
  const xs = marks.map((m) => Math.max(1, m[across])), ys = marks.map((m) => m.cycles);
  const most = Math.max(1, ...marks.map((m) => m[other] ?? 0));
  const radius = marks.map((m) => 4 + 9 * Math.sqrt((m[other] ?? 0) / most));
  const ends = (values, more) => [Math.min(...values, ...more) / 1.3, Math.max(...values, ...more) * 1.3];
  const [x0, x1] = ends(xs, limit ? [limit] : []), [y0, y1] = ends(ys, []);
  const node = $("scatter");
  const place = (m) => ({
    x: Math.log(Math.max(1, m[across]) / x0) / Math.log(x1 / x0) * place.width,
    y: Math.log(y1 / m.cycles) / Math.log(y1 / y0) * place.height,
  });
  place.width = node.clientWidth - MARGIN.l - MARGIN.r;
  place.height = node.clientHeight - MARGIN.t - MARGIN.b;
  const line = stairs(marks, across);
  const lines = steps(line.map(place));
  if (limit) {
    const { x } = place({ [across]: limit, cycles: y0 });
    lines.push({ x0: x - 1, x1: x + 1, y0: 0, y1: place.height });
  }
  const names = placeNames(marks, radius, place, lines);
  const drawn = marks.map((m, i) => ({ ...m, name: names[i], radius: radius[i],
    colour: css(KINDS[m.constant_time][0]) })).reverse(); // the winner over all others
  const unit = (m) => `${number.format(m.cycles)} cycles<br>${number.format(m.flash)} bytes of `
    + `${answer.flash_is}<br>${number.format(m.ram)} bytes of ${answer.ram_is}`;
  const traces = [{
    type: "scatter", mode: "lines", x: line.map((m) => Math.max(1, m[across])),
    y: line.map((m) => m.cycles), line: { shape: "hv", color: css("--muted"), width: 1.5, dash: "dot" },
    hoverinfo: "skip",
  }, {
    type: "scatter", mode: "markers+text", x: drawn.map((m) => Math.max(1, m[across])),
    y: drawn.map((m) => m.cycles), text: drawn.map((m) => m.name.text),
    textposition: drawn.map((m) => m.name.spot), customdata: drawn.map((m) => [m.core, unit(m)]),
    textfont: { size: drawn.map((m) => (m.core === answer.winner ? 14 : 12)),
      color: drawn.map((m) => css(m.beyond ? "--muted" : "--ink")) },
    marker: { size: drawn.map((m) => 2 * m.radius), opacity: 0.92,
      color: drawn.map((m) => (m.beyond ? css("--paper") : m.colour)),
      line: { width: 2, color: drawn.map((m) => (m.core === answer.winner ? css("--ink") : m.colour)) } },
    hovertemplate: "%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
  }];
  Plotly.react(node, traces, layout({
    shapes: limit ? [{ type: "line", x0: limit, x1: limit, y0: 0, y1: 1, yref: "paper",
      line: { color: css("--muted"), width: 1.5, dash: "dash" } }] : [],
    annotations: limit ? [{ x: Math.log10(limit), y: 1, yref: "paper", yanchor: "top",
      xanchor: "right", xshift: -4, text: "limit", showarrow: false,
      font: { color: css("--muted") } }] : [],
    xaxis: { ...scale(x0, x1, narrow() ? 4 : 12),
      title: { text: `bytes of ${across === "flash" ? answer.flash_is : answer.ram_is}`, standoff: 8 } },
    yaxis: scale(y0, y1, 8),
  }), CONFIG);
  node.setAttribute("aria-label", `${answer.unit} against bytes of ${across}, every core`);
}

// A line for each `most` letters, broken at spaces.
const folded = (text, most) => text.replace(new RegExp(`(.{1,${most}})(\\s+|$)`, "g"), "$1<br>")
  .replace(/<br>$/, "");

// A picture of a figure as a data address; drawn here, nothing is sent anywhere.  What stands
// around the figure on the page, the question and the names, goes into it.
export function picture(id, format, answer) {
  const node = $(id);
  const width = Math.max(900, node.clientWidth), height = Math.max(540, node.clientHeight);
  const title = { text: folded(answer.asked, Math.floor(width / 7.5)), x: 0.01, xanchor: "left",
    y: 0.97, yanchor: "top", font: { size: 12, color: css("--muted") } };
  const yaxis = { ...node.layout.yaxis, title: { text: `cycles ${answer.each}`, standoff: 6 } };
  const told = { ...node.layout, title, yaxis, margin: { ...MARGIN, l: 96, t: 58 },
    showlegend: id === "curve", legend: { x: 1, xanchor: "right", y: 1, bgcolor: css("--paper") } };
  return Plotly.toImage({ data: node.data, layout: told },
    { format, width, height, scale: format === "png" ? 2 : 1 });
}
