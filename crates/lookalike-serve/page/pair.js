// Two texts side by side. They are only inserted as text, never as markup.

import { ask } from "./feed.js";
import { clock, count, day } from "./charts.js";

const dialog = document.getElementById("pair");
const title = document.getElementById("pair-title");
const note = document.getElementById("pair-note");
const others = document.getElementById("pair-others");
const texts = document.getElementById("pair-texts");

/** Runs of a text that are added in one frame. */
const TOGETHER = 400;

/** Invisible characters with an effect: controls, and those that change the direction of text. */
const ACTS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A name from a document, with such characters escaped. */
export const plain = (name) => name.replace(ACTS, (acts) => `\\u${acts.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** An element with a class and children. */
export function el(name, kind, ...children) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children);
  return element;
}

/** A name from a document, isolated from the text around it. */
export function named(name, kind) {
  const element = el("bdi", kind, plain(name));
  element.title = plain(name);
  return element;
}

/** Rounded down, so that only equal texts show 1. */
export const similarity = (value) => (value === 1 ? "1" : (Math.floor(value * 1000) / 1000).toFixed(3));

/** A duration in its two largest units. */
export function stretch(seconds) {
  if (seconds === 86400) return "24 h";
  const exact = Math.round(Math.abs(seconds));
  const whole = exact < 600 ? exact : Math.round(exact / 60) * 60;
  const parts = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]].map(([unit, of], at, all) => [
    Math.floor((at === 0 ? whole : whole % all[at - 1][1]) / of),
    unit,
  ]);
  const first = parts.findIndex(([many]) => many > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).filter(([many]) => many > 0).map(([many, unit]) => `${many} ${unit}`).join(" ");
}

/** How much later a document is than the other. */
export const later = (age) => (age === 0 ? "at the same time" : `${stretch(age)} ${age < 0 ? "earlier" : "later"}`);

// Counts what was shown, so that a response that comes too late is ignored.
let shown = 0;
let marks = [];
let mark = -1;

/** Shows a document beside the most similar one, or beside another. */
export async function open(id, beside) {
  const mine = (shown += 1);
  [marks, mark] = [[], -1];
  title.textContent = "Loading …";
  note.textContent = "";
  others.replaceChildren();
  texts.replaceChildren();
  if (!dialog.open) dialog.showModal();
  title.focus();
  try {
    const document = await ask(`/v1/documents/${encodeURIComponent(id)}`);
    if (mine === shown) await show(document, beside ?? document.of, mine);
  } catch (error) {
    if (mine !== shown) return;
    title.textContent = error.status === 404 ? "Not in the window" : "An error occurred";
    note.replaceChildren(named(id), error.status === 404 ? " is unknown or has expired." : `: ${error.message}`);
  }
}

async function show(document, of, mine) {
  const pair = of === null ? null : await ask(`/v1/compare?a=${encodeURIComponent(of)}&b=${encodeURIComponent(document.id)}`).catch(() => null);
  if (mine !== shown) return;
  tellMatches(document, of);
  if (pair === null) {
    title.textContent = { new: "New: no similar document", old: "Older than the window" }[document.verdict] ?? "A duplicate";
    if (of !== null) note.replaceChildren("The similar document, ", named(of), ", has expired.");
    const side = { id: document.id, time: document.time, source: document.source, runs: [{ same: document.text }], cut: 0 };
    texts.classList.add("single");
    texts.replaceChildren(column(side, "the document", "ins", mine));
    return;
  }
  const match = document.matches.find((match) => match.id === of);
  const exact = document.verdict === "exact" && pair.similarity === 1;
  title.textContent = exact ? "An exact copy" : `A near-duplicate, ${similarity(pair.similarity)} similar`;
  const own = (side) => side.runs.filter((run) => run.only !== undefined).length;
  const places = Math.max(own(pair.a), own(pair.b));
  const said = [match ? `It came ${later(match.age)}. ` : ""];
  if (pair.by === "shingles") said.push("The texts differ a lot, so whole passages are marked. ");
  else if (places === 0) said.push("Both texts have the same words in the same order. ");
  else said.push(places === 1 ? "They differ in one place. " : `They differ in ${count(places)} places. `);
  note.replaceChildren(...said);
  if (places > 0) {
    const next = el("button", "plain", "Next difference");
    next.type = "button";
    next.id = "pair-next";
    next.addEventListener("click", nextMark);
    note.append(next);
  }
  texts.classList.remove("single");
  texts.replaceChildren(column(pair.a, "original", "del", mine), column(pair.b, "duplicate", "ins", mine));
}

/** Lists the other similar documents, as buttons that compare with them. */
function tellMatches(document, of) {
  const rest = document.matches.filter((match) => match.id !== of).slice(0, 12);
  if (rest.length === 0) return;
  others.append(el("span", "", "Also similar: "));
  for (const match of rest) {
    const button = el("button", "plain", named(match.id, "id"), ` ${similarity(match.similarity)}`);
    button.type = "button";
    button.addEventListener("click", () => open(document.id, match.id));
    others.append(button);
  }
  const more = document.matches.length - rest.length - (of === null ? 0 : 1);
  if (more > 0) others.append(el("span", "", `and ${count(more)} more`));
}

function column(side, what, tag, mine) {
  const heading = el("h3", "", named(side.id, "id"));
  const when = `${day(side.time)}, ${clock(side.time)}`;
  const about = el("p", "about", `${what} · ${when}`);
  if (side.source) about.append(" · ", named(side.source));
  const text = el("div", "text");
  text.dir = "auto";
  pour(side.runs, text, tag, mine);
  const article = el("article", "", heading, about, text);
  if (side.cut > 0) article.append(el("p", "reading", `The last ${count(side.cut)} bytes are not shown.`));
  return article;
}

/** Adds the runs of a text, a few per frame, so that a long text does not block the page. */
function pour(runs, text, tag, mine, from = 0) {
  if (mine !== shown) return;
  const pieces = runs.slice(from, from + TOGETHER).map((run) => (run.only === undefined ? run.same : el(tag, "", run.only)));
  text.append(...pieces);
  if (from + TOGETHER < runs.length) requestAnimationFrame(() => pour(runs, text, tag, mine, from + TOGETHER));
  else text.dataset.whole = "";
}

/** Scrolls to the next difference, from top to bottom. */
function nextMark() {
  if (marks.length === 0) {
    const top = (element) => element.getBoundingClientRect().top;
    marks = [...texts.querySelectorAll("del, ins")].map((element) => [top(element), element]).sort((a, b) => a[0] - b[0]);
  }
  marks[mark]?.[1].classList.remove("here");
  mark = (mark + 1) % marks.length;
  marks[mark][1].classList.add("here");
  marks[mark][1].scrollIntoView({ block: "center" });
}

document.getElementById("pair-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => {
  shown += 1;
  texts.replaceChildren();
});
// A click beside the dialog closes it.
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
