// Column charts over the time of the window, drawn as SVG, with a line of text that describes the selected column.

const SVG = "http://www.w3.org/2000/svg";

const whole = new Intl.NumberFormat("en");
export const count = (number) => whole.format(number);

/** Formats bytes with a unit. */
export function bytes(number) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) [number, unit] = [number / 1000, unit + 1];
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`;
}

const two = (number) => String(number).padStart(2, "0");
export const clock = (seconds) => {
  const at = new Date(seconds * 1000);
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
};
const days = new Intl.DateTimeFormat("en", { weekday: "short", day: "numeric", month: "short" });
export const day = (seconds) => days.format(new Date(seconds * 1000));

/** The smallest of 1, 2, 2.5, 5, 10, 20, … of which at most `few` reach `most`. */
function step(most, few) {
  const least = Math.max(most, 1e-9) / few;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 2.5, 5, 10].find((times) => times * power >= least * 0.999);
}

/** Steps of the time axis, in seconds. */
const STEPS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2419200];

function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * A chart of stacked columns. `series` are the classes of the parts, from below; `value(row, name)` is the height of a part; `label` formats
 * a value of the axis; `tell(row)` describes a column, and `total(rows)` the whole chart.
 */
export class Columns {
  #box;
  #told;
  #of;
  #rows = [];
  #window = null;
  #chosen = null;

  constructor(box, told, of) {
    [this.#box, this.#told, this.#of] = [box, told, of];
    new ResizeObserver(() => this.#draw()).observe(box);
    box.addEventListener("pointermove", (event) => this.#choose(this.#at(event.clientX - box.getBoundingClientRect().left)));
    box.addEventListener("pointerleave", () => this.#choose(null));
    box.addEventListener("blur", () => this.#choose(null));
    box.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || this.#rows.length === 0) return;
      event.preventDefault();
      const last = this.#rows.length - 1;
      const now = this.#chosen === null ? -1 : this.#rows.findIndex((row) => row.start === this.#chosen);
      this.#choose(this.#rows[now < 0 ? last : Math.min(Math.max(now + by, 0), last)]);
    });
  }

  show(rows, window) {
    [this.#rows, this.#window] = [rows, window];
    this.#draw();
  }

  // The chart is drawn as wide as its box, so that its text keeps its size.
  #layout() {
    const width = Math.max(this.#box.clientWidth, 200);
    const height = this.#box.clientHeight;
    const last = this.#rows[this.#rows.length - 1];
    const end = last.start + last.length;
    const span = Math.max(this.#window.length + this.#window.segment, last.length);
    const start = Math.min(end - span, this.#rows[0].start);
    const inner = { left: 46, right: width - 4, top: 10, bottom: height - 22 };
    const x = (time) => inner.left + ((time - start) / (end - start)) * (inner.right - inner.left);
    return { width, height, start, end, inner, x };
  }

  #at(offset) {
    if (this.#rows.length === 0) return null;
    const { x } = this.#layout();
    return this.#rows.find((row) => offset >= x(row.start) && offset < x(row.start + row.length)) ?? null;
  }

  #choose(row) {
    this.#chosen = row?.start ?? null;
    this.#draw();
  }

  #draw() {
    const { series, value, label, tell, total } = this.#of;
    if (this.#rows.length === 0 || this.#box.clientWidth === 0) return;
    const { width, height, start, end, inner, x } = this.#layout();
    const sum = (row) => series.reduce((all, name) => all + value(row, name), 0);
    const most = Math.max(...this.#rows.map(sum), this.#of.least);
    const [each, top] = [step(most, 4), most * 1.03];
    const y = (amount) => inner.bottom - (amount / top) * (inner.bottom - inner.top);
    const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    for (let amount = 0; amount <= top; amount += each) {
      const line = { x1: inner.left, x2: inner.right, y1: y(amount), y2: y(amount), class: amount === 0 ? "base" : "rule" };
      svg.append(make("line", line));
      svg.append(make("text", { x: inner.left - 8, y: y(amount) + 4, class: "amount" }, label(amount)));
    }
    this.#times(svg, start, end, inner, x);
    const gap = (inner.right - inner.left) / ((end - start) / this.#rows[0].length) > 6 ? 2 : 0.5;
    for (const row of this.#rows) {
      const [left, right] = [x(row.start) + gap / 2, x(row.start + row.length) - gap / 2];
      const column = make("g", { class: row.start === this.#chosen ? "column chosen" : "column" });
      let from = 0;
      for (const name of series) {
        const amount = value(row, name);
        // A small part stays visible.
        const high = amount === 0 ? 0 : Math.max(y(from) - y(from + amount), 1);
        const place = { x: left, width: Math.max(right - left, 0.5), y: y(from) - high, height: high };
        if (amount > 0) column.append(make("rect", { ...place, class: `part ${name}` }));
        from += amount;
      }
      svg.append(column);
    }
    this.#box.replaceChildren(svg);
    this.#box.setAttribute("aria-label", total(this.#rows));
    const chosen = this.#rows.find((row) => row.start === this.#chosen);
    this.#told.textContent = chosen ? `${this.#when(chosen)}: ${tell(chosen)}` : total(this.#rows);
  }

  #when(row) {
    const end = row.start + row.length;
    const to = row.length >= 86400 ? "" : `–${clock(end)}`;
    return `${day(row.start)}, ${clock(row.start)}${to}`;
  }

  #times(svg, start, end, inner, x) {
    const room = Math.max(Math.floor((inner.right - inner.left) / 56), 1);
    const each = STEPS.find((step) => (end - start) / step <= room) ?? STEPS.at(-1);
    // Steps start at midnight in the time zone of the browser.
    const zone = new Date(start * 1000).getTimezoneOffset() * 60;
    for (let at = Math.ceil((start - zone) / each) * each + zone; at <= end; at += each) {
      const here = x(at);
      if (here < inner.left || here > inner.right - 16) continue;
      const midnight = clock(at) === "00:00";
      svg.append(make("line", { x1: here, x2: here, y1: inner.bottom, y2: inner.bottom + 4, class: "base" }));
      svg.append(make("text", { x: here, y: inner.bottom + 17, class: midnight ? "hour midnight" : "hour" }, midnight ? day(at) : clock(at)));
    }
  }
}
