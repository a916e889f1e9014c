// The page: the game step by step, and the verdict of the verifier beside it.

import { startCheck } from "./checking.js";
import { element, marked, only, own, showFaces } from "./elements.js";
import { drawChair, drawTable } from "./pictures.js";
import { showVerdict } from "./verdict.js";

const PLAY_MS = 1200;
const SWIPE = 40;

const data = JSON.parse(only("data").textContent);
const { steps, texts, tables } = data;
const players = marked(data.names, data.bots);
const last = steps.length - 1;
let now = 0;
let playing = null;

const text = (number) => texts[number];

/** Show a step, and say so in the address. */
function show(step, noted = true) {
  now = Math.min(Math.max(0, step), last);
  if (last < 0) return;
  const { kind, told, why, table, proven } = steps[now];
  only("slider").value = now;
  only("place").textContent = `Step ${now} of ${last}: ${kind}`;
  only("told").replaceChildren(...told.map((line) => element("p", {}, showFaces(text(line)))));
  only("why").replaceChildren(...why.map((line) => element("p", {}, showFaces(text(line)))));
  only("proven").textContent = proven.length ? `Proofs in its entries: ${proven.map(text).join("; ")}.` : "";
  showTable(tables[table]);
  markCurrent();
  if (noted) history.replaceState(null, "", `#step=${now}`);
}

const isNumeric = (cells) =>
  cells.some((cell) => cell !== "") && cells.every((cell) => /^[-+]?\d*$/.test(cell));

/** Columns of words that were set for a wide screen are told one after the other. */
const flowing = (words) => showFaces(words.trim().replace(/ {2,}/g, " \u00b7 "));

/** Whose turn it is, and whose chair is empty. */
const chair = (seat, turn, empty) => (empty.includes(seat) ? "empty" : seat === turn ? "turn" : "");

function showTable({ headline, middle, headings, rows, turn, empty, sets, tokens }) {
  const numbers = headings.map((_, at) => at > 0 && isNumeric(rows.map((row) => text(row[at]))));
  const cell = (tag) => (words, at) =>
    element(tag, { class: numbers[at] ? "number" : "" }, showFaces(text(words)));
  const head = element("tr", {}, headings.map(cell("th")));
  const body = rows.map((row, seat) =>
    element("tr", { class: `${own(seat)} ${chair(seat, turn, empty)}`.trim() }, row.map(cell("td"))),
  );
  for (const seat of empty) body[seat].firstChild.prepend(drawChair());
  const table = element("table", {}, [element("thead", {}, [head]), element("tbody", {}, body)]);
  only("table").replaceChildren(
    element("p", { class: "headline" }, flowing(text(headline))),
    element("div", { class: "felt" }, drawTable({ sets, tokens }, text, data.names)),
    // Discs that are drawn are not told as well.
    ...(tokens.length ? [] : middle.map((line) => element("p", {}, flowing(text(line))))),
    element("div", { class: "wide" }, [table]),
  );
}

/** The list of steps: all, or those that people look for. */
function showStory() {
  const some = only("marked").checked;
  const items = steps.flatMap(({ told, mark }, number) => {
    if (some && mark === null) return [];
    const line = element(
      "span",
      { class: mark ?? "" },
      told.flatMap((words, at) => [at ? " " : "", ...showFaces(text(words))]),
    );
    const link = element("a", { href: `#step=${number}`, "data-step": number }, [
      element("span", { class: "num" }, [`${number}`]),
      line,
    ]);
    return [element("li", {}, [link])];
  });
  only("steps").replaceChildren(...items);
  markCurrent();
}

function markCurrent() {
  const links = [...only("steps").querySelectorAll("a")];
  links.forEach((link) => link.removeAttribute("aria-current"));
  const current = links.filter((link) => Number(link.dataset.step) <= now).at(-1);
  if (current === undefined) return;
  current.setAttribute("aria-current", "step");
  const list = only("steps");
  const top = current.offsetTop;
  if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}

function play(on) {
  clearInterval(playing);
  playing =
    on && now < last
      ? setInterval(() => (now < last ? show(now + 1) : play(false)), PLAY_MS)
      : null;
  only("play").textContent = playing === null ? "Play" : "Pause";
}

const go = (step) => {
  play(false);
  show(step);
};

const KEYS = {
  ArrowLeft: () => go(now - 1),
  ArrowRight: () => go(now + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": () => play(playing === null),
};

function onKey(event) {
  const act = KEYS[event.key];
  const own =
    event.target instanceof Element && event.target.closest("summary, input[type=checkbox]");
  const pressed = event.key === " " && event.target instanceof HTMLButtonElement;
  if (!act || own || pressed || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  act();
}

/** A swipe over the table is a step. */
function watchSwipes(area) {
  let from = null;
  area.addEventListener(
    "touchstart",
    ({ touches: [touch] }) => {
      from = touch;
    },
    { passive: true },
  );
  area.addEventListener("touchend", ({ changedTouches: [touch] }) => {
    const [across, down] = [touch.clientX - from.clientX, touch.clientY - from.clientY];
    if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down))
      go(now - Math.sign(across));
  });
}

function fromAddress() {
  const asked = /^#step=(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) : 0, asked !== null);
}

function begin() {
  only("title").textContent = data.title;
  only("players").textContent = [players.join(", "), data.ending, ...data.gone].join(" \u00b7 ");
  only("maker").textContent = data.maker;
  only("slider").max = Math.max(0, last);
  if (!steps.some(({ mark }) => mark !== null)) only("marked").checked = false;
  const buttons = {
    first: () => go(0),
    back: () => go(now - 1),
    forward: () => go(now + 1),
    last: () => go(last),
    play: () => play(playing === null),
  };
  for (const [name, act] of Object.entries(buttons)) only(name).addEventListener("click", act);
  only("slider").addEventListener("input", ({ target }) => go(Number(target.value)));
  only("marked").addEventListener("change", showStory);
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", fromAddress);
  watchSwipes(only("table"));
  showStory();
  fromAddress();
}

begin();
// The check may wait until the game is on the screen.
requestAnimationFrame(() => setTimeout(() => startCheck(data, showVerdict)));
