// Parts of the page.

/** The one element of that id. */
export const only = (id) => document.getElementById(id);

/** A new element; text in it is text, never markup. */
export function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== "") made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Words in which cards of red suits are red. */
export function showFaces(words) {
  return words
    .split(/(\S*[\u2665\u2666]\uFE0E?)/)
    .filter((part) => part !== "")
    .map((part) =>
      /[\u2665\u2666]/.test(part) ? element("span", { class: "red" }, [part]) : part,
    );
}

/** Names with what stands beside them: who says of itself that it is a bot. */
export const marked = (names, bots) =>
  names.map((name, seat) => (bots.includes(seat) ? `${name} (bot)` : name));

/** The class of a player's colour: there are eight, as at the table. */
export const own = (seat) => `own p${seat % 8}`;
