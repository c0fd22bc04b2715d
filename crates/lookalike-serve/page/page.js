// The page: how many documents came, and which were duplicates.

import { Feed, token } from "./feed.js";
import { Columns, bytes, clock, count, day } from "./charts.js";
import { el, later, named, open, similarity, stretch } from "./pair.js";

const $ = (id) => document.getElementById(id);
const share = (part, all) => (all === 0 ? "–" : `${((100 * part) / all).toFixed(1)} %`);
const stopped = (came) => came.exact + came.near;
const all = (came) => came.new + came.exact + came.near + came.old;
const many = (number, one, more) => `${count(number)} ${number === 1 ? one : more}`;

// -- Numbers

const timeChart = new Columns($("time-chart"), $("time-told"), {
  series: ["new", "near", "exact"],
  least: 3,
  value: (row, name) => row[name],
  label: (amount) => (Number.isInteger(amount) ? count(amount) : ""),
  tell: (row) => `${many(all(row), "document", "documents")}, ${count(row.near)} near-duplicates and ${count(row.exact)} exact copies`,
  total: (rows) => {
    const most = rows.reduce((most, row) => (all(row) > all(most) ? row : most));
    return `Busiest from ${clock(most.start)} to ${clock(most.start + most.length)}: ${many(all(most), "document", "documents")}, ${many(stopped(most), "duplicate", "duplicates")}.`;
  },
});
let memory = null;
const memoryChart = new Columns($("memory-chart"), $("memory-told"), {
  series: ["bytes"],
  least: 1000,
  value: (row) => row.bytes,
  label: bytes,
  tell: (row) => `${bytes(row.bytes)} for ${many(row.documents, "document", "documents")}`,
  total: (rows) => {
    const held = bytes(rows.reduce((sum, row) => sum + row.bytes, 0));
    return `The documents take ${held}${memory === null ? "" : `, and the whole service ${bytes(memory)}`}.`;
  },
});

function showStats(stats) {
  const { came, window } = stats;
  const isEmpty = all(came) === 0 && stats.documents === 0;
  const refused = stats.refusing === null ? "" : `Documents are refused: ${stats.refusing}`;
  $("refusing").hidden = refused === "";
  if ($("refusing").textContent !== refused) $("refusing").textContent = refused;
  $("empty").hidden = !isEmpty;
  $("board").hidden = isEmpty;
  document.title = isEmpty ? "lookalike" : `${many(stopped(came), "duplicate", "duplicates")} · lookalike`;
  $("f-came").textContent = count(all(came));
  $("f-came-more").textContent = `documents in ${stretch(window.length)}${came.old > 0 ? `, ${count(came.old)} of them older` : ""}`;
  $("f-stopped").textContent = count(stopped(came));
  $("f-stopped-more").textContent = `${count(came.near)} near, ${count(came.exact)} exact`;
  $("f-share").textContent = share(stopped(came), all(came));
  $("f-share-more").textContent = `${window.measure} ≥ ${window.threshold} on ${stats.tokens}`;
  $("settings").textContent =
    `All times are those of the documents. Window: ${stretch(window.length)} in segments of ${stretch(window.segment)}, ` +
    `with ${many(stats.in_window, "document", "documents")}. Log: ${bytes(stats.log_bytes)}.`;
  memory = stats.memory_bytes;
  const unit = stats.segments[0]?.length;
  $("time-unit").textContent = unit === undefined ? "" : `documents in each ${unit === 3600 ? "hour" : stretch(unit)}`;
  timeChart.show(stats.segments, window);
  memoryChart.show(stats.segments, window);
  showSources(stats.sources, stats.other_sources);
}

/** Sources that are listed by name; the others share a row. */
const NAMED = 10;

function showSources(sources, others) {
  const most = sources[0]?.documents ?? 1;
  const rows = sources.slice(0, NAMED).map((of) => sourceRow(of.source === null ? el("span", "soft", "none") : named(of.source), of, most));
  const rest = sources.slice(NAMED);
  const sum = (name) => rest.reduce((sum, of) => sum + of[name], others[name]);
  const all = { documents: sum("documents"), duplicates: sum("duplicates") };
  if (all.documents > 0) rows.push(sourceRow(el("span", "soft", many(rest.length + others.sources, "other", "others")), all, null));
  $("sources").replaceChildren(...rows);
}

/** A row of the table; with a bar, unless `most` is null. */
function sourceRow(name, { documents, duplicates }, most) {
  const bar = most === null ? "" : el("span", "bar");
  if (bar !== "") {
    bar.style.setProperty("--volume", documents / most);
    bar.style.setProperty("--share", duplicates / documents);
  }
  const head = el("th", "", name);
  head.scope = "row";
  return el("tr", "", head, el("td", "", bar), el("td", "", count(documents)), el("td", "", share(duplicates, documents)));
}

// -- The rate: documents in the last seconds, from their sequence numbers

const WITHIN = 10;
let seen = [];

function showRate() {
  const now = performance.now() / 1000;
  while (seen.length > 1 && seen[1].at < now - WITHIN) seen.shift();
  const [first, last] = [seen[0], seen.at(-1)];
  const rate = first === undefined ? 0 : (last.next - first.next) / Math.max(now - first.at, 1);
  const isFast = rate >= 1;
  $("f-rate").textContent = rate === 0 ? "0" : isFast ? count(Math.round(rate * 10) / 10) : count(Math.round(rate * 600) / 10);
  $("f-rate-more").textContent = `documents per ${isFast ? "second" : "minute"}, over the last ${WITHIN} s`;
}
setInterval(showRate, 1000);

// -- The latest duplicates

const MOST = 50;
const list = $("latest");
let latest = [];
let waiting = [];
let isPointedAt = false;

function showNews(news) {
  // Smaller numbers than before: the service was restarted with another data folder.
  if (seen.length > 0 && news.next < seen.at(-1).next) [latest, waiting, seen] = [[], [], []];
  seen.push({ at: performance.now() / 1000, next: news.next });
  showRate();
  const known = new Set([...latest, ...waiting].map((brief) => brief.number));
  waiting = [...news.latest.filter((brief) => !known.has(brief.number)).reverse(), ...waiting].slice(0, MOST);
  if (isLookedAt()) tellWaiting();
  else showLatest();
}

// The list must not move while the user points at it.
const isLookedAt = () => isPointedAt || $("pair").open || list.contains(document.activeElement);

function tellWaiting() {
  $("newer").hidden = waiting.length === 0;
  $("newer").textContent = `Show ${waiting.length >= MOST ? `${MOST} or more` : waiting.length} newer`;
}

function showLatest() {
  if (waiting.length > 0) {
    list.prepend(...waiting.map(row));
    latest = [...waiting, ...latest].slice(0, MOST);
    waiting = [];
  }
  while (list.children.length > latest.length) list.lastElementChild.remove();
  [...list.children].forEach((item, at) => (item.firstElementChild.tabIndex = at === 0 ? 0 : -1));
  $("none").hidden = latest.length > 0;
  tellWaiting();
}

function row(brief) {
  const like = el("span", "like", el("span", `swatch ${brief.verdict}`), brief.verdict === "exact" ? "exact" : similarity(brief.similarity ?? 0));
  const when = el("time", "when", clock(brief.time));
  when.dateTime = new Date(brief.time * 1000).toISOString();
  when.title = day(brief.time);
  const ids = el("span", "ids", named(brief.id, "id"), el("span", "soft", " of "), named(brief.of ?? "", "id"));
  const about = el("span", "about", later(brief.age ?? 0), brief.source ? " · " : "", brief.source ? named(brief.source) : "");
  const button = el("button", "row", when, ids, about, like);
  button.type = "button";
  button.addEventListener("click", () => open(brief.id, brief.of));
  return el("li", "", button);
}

list.addEventListener("keydown", (event) => {
  const rows = [...list.querySelectorAll("button")];
  const at = rows.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || rows.length === 0) return;
  event.preventDefault();
  const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
  for (const row of rows) row.tabIndex = row === next ? 0 : -1;
  next.focus();
});
list.addEventListener("pointerenter", (event) => (isPointedAt = event.pointerType === "mouse"));
list.addEventListener("pointerleave", () => {
  isPointedAt = false;
  if (!isLookedAt()) showLatest();
});
$("newer").addEventListener("click", () => {
  showLatest();
  list.querySelector("button")?.focus();
});

// -- Searching

$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const id = $("search-id").value.trim();
  if (id !== "") open(id);
});

// -- The state of the connection, and the token

const STATES = { live: "live", waiting: "connecting", token: "waiting for a token" };

function showState(name, seconds) {
  document.body.dataset.state = name;
  $("state").dataset.state = name;
  const told = name === "lost" ? "connection lost, trying again" : STATES[name];
  // Change the text only once, so that screen readers do not repeat it every second.
  if ($("state-text").textContent !== told) $("state-text").textContent = told;
  $("retry").hidden = name !== "lost";
  if (name === "lost") $("retry").textContent = `Try now (${seconds} s)`;
}

let isAsking = false;

function askForToken() {
  isAsking = true;
  if (token.get() !== null) $("token-told").textContent = "This is not the token of the service.";
  token.set(null);
  $("token").showModal();
  return new Promise((done) => {
    $("token-form").onsubmit = (event) => {
      event.preventDefault();
      token.set($("token-field").value.trim());
      $("token-field").value = "";
      isAsking = false;
      $("token").close();
      showCurl();
      done();
    };
  });
}
// The dialog cannot be dismissed without a token.
$("token").addEventListener("close", () => isAsking && $("token").showModal());

// -- The empty page

function showCurl() {
  const guarded = token.get() === null ? "" : ' \\\n  -H "Authorization: Bearer $TOKEN"';
  const body = JSON.stringify({ id: "a1", source: "Harbour News", text: "The ferry to the island leaves at nine." });
  $("curl").textContent = `curl ${location.origin}/v1/documents${guarded} \\\n  --json '${body}'`;
}
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText($("curl").textContent);
    $("copy-told").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren($("curl"));
    $("copy-told").textContent = "Selected. Copy it with your keyboard.";
  }
});

showCurl();
const feed = new Feed({
  state: showState,
  token: askForToken,
  event: (kind, data) => (kind === "stats" ? showStats(data) : kind === "judged" && showNews(data)),
});
$("retry").addEventListener("click", () => feed.again());
addEventListener("online", () => feed.again());
feed.run();
