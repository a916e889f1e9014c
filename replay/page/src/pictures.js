// Cards, piles and discs as pictures: SVG made here, nothing that would have to be fetched.

import { element, own } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDE, HIGH, EDGE] = [44, 60, 2];
/** The most edges of cards that show below a pile. */
const THICK = 2;

function shape(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

function drawing(name, label, [width, height], shapes) {
  const made = shape("svg", {
    class: name,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
  });
  made.append(...shapes);
  return made;
}

const sheet = (name, at = 0) =>
  shape("rect", {
    class: name,
    x: 1 + at,
    y: 1 + at,
    width: WIDE - 2,
    height: HIGH - 2,
    rx: 5,
  });

/** The size of letters with which a rank or a name fits on a card. */
const room = ({ length }) => (length > 4 ? "tiny" : length > 2 ? "small" : "");

function faceOf(text) {
  const [, rank, suit] = /^(.*?)([\u2660\u2663\u2665\u2666\u2605]?)\uFE0E?$/.exec(text);
  const ink = /[\u2665\u2666]/.test(suit) ? "hot" : "cold";
  const shapes = [
    sheet("face"),
    shape("text", { class: `${ink} rank ${room(rank)}`, x: 6, y: 19 }, rank),
  ];
  if (suit) shapes.push(shape("text", { class: `${ink} suit`, x: WIDE / 2, y: 48 }, suit));
  return shapes;
}

const backOf = () => [
  sheet("back"),
  shape("path", {
    class: "lines",
    d: "M8 10 36 38M8 24 36 52M22 10 36 24M8 38 22 52M36 10 8 38M36 24 8 52M22 10 8 24M36 38 22 52",
  }),
];

/** A card: its name, or null for one that lies face down; `below` are the cards under it. */
function drawCard(text, below = 0) {
  const edges = Math.min(THICK, below) * EDGE;
  const under = [];
  for (let at = edges; at > 0; at -= EDGE) under.push(sheet("edge", at));
  const label = text ?? "a card face down";
  return drawing("card", label, [WIDE + edges, HIGH + edges], [
    ...under,
    ...(text === null ? backOf() : faceOf(text)),
  ]);
}

/** Cards beside each other, or over each other, with what they are below. */
function drawSet({ cards, count, label, seat }, words, names) {
  const name = seat === null ? words(label) : [names[seat], words(label)].filter(Boolean).join(", ");
  const said = [name, count === null ? "" : `${count}`].filter(Boolean).join(" ");
  const last = cards.length - 1;
  const drawn = cards.map((card, at) =>
    drawCard(card < 0 ? null : words(card), at === last ? (count ?? cards.length) - cards.length : 0),
  );
  return element("figure", {}, [
    element("div", { class: "fan" }, drawn),
    ...(said ? [element("figcaption", { class: seat === null ? "" : own(seat) }, [said])] : []),
  ]);
}

function drawDisc({ label, good, current, owner }, words, names) {
  const text = words(label);
  const state = current ? "current" : owner === null ? "" : "taken";
  const disc = drawing(`disc ${state}`, state ? `${text}, ${state}` : text, [36, 36], [
    shape("circle", { class: good ? "plus" : "minus", cx: 18, cy: 18, r: 16 }),
    shape("text", { x: 18, y: 23 }, text),
  ]);
  const taker = owner === null ? [] : [names[owner]];
  return element("figure", {}, [
    disc,
    element("figcaption", { class: owner === null ? "" : own(owner) }, taker),
  ]);
}

/** An empty chair, seen from its side. */
export const drawChair = () =>
  drawing("chair", "empty chair", [14, 18], [shape("path", { d: "M3 1V17M3 10H11V17" })]);

/** All that lies on the table. */
export function drawTable({ sets, tokens }, words, names) {
  const rows = [
    ["discs", tokens.map((disc) => drawDisc(disc, words, names))],
    ["sets", sets.map((set) => drawSet(set, words, names))],
  ];
  return rows
    .filter(([, drawn]) => drawn.length)
    .map(([name, drawn]) => element("div", { class: name }, drawn));
}
