// Records that were held between two seats without a link of their own: protocol.md section 5, "Races".

export const FLOOR = 100_000;
const HELD = 40_000;
const HELD_FOR_A_FRIEND = 80_000;
const HOP = 3_000;

/** The lower of the two middle values of an even number. */
export function lowerMedian(times) {
  const sorted = [...times].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/**
 * The pair whose records were latest, if without that another claimant is as early as the first;
 * null otherwise. `by` are the times by each witness, `times` the agreed ones.
 */
export function heldPair(table, race) {
  const late = table.unlinked.map((pair) => lateness(table, pair, race));
  const most = Math.max(0, ...late.map(({ latest }) => latest));
  if (most === 0) return null;
  const { claimants, times, first } = race;
  const least = Math.min(...first.map((seat) => floored(onTime(table, late, race, seat))));
  const asEarly = claimants.some(
    (seat, i) =>
      !first.includes(seat) && floored(byOwnWord(late, race, seat, times[i])) <= least,
  );
  return asEarly ? late.find(({ latest }) => latest === most).pair : null;
}

const floored = (time) => Math.max(FLOOR, time);

/** Of one pair: by how much its parts and its claims came too late, 0 where that is not much. */
function lateness(table, pair, { claimants, said, first, showed }) {
  const [i, j] = pair.seats;
  const least = pair.between.some((seat) => first.includes(seat)) ? HELD : HELD_FOR_A_FRIEND;
  const enough = (late) => (late > least ? late : 0);
  const [there, back] = [said[i].parts[j], said[j].parts[i]];
  const known = there !== null && back !== null && showed.some((seat) => pair.seats.includes(seat));
  const parts = enough(known ? there + back - 2 * table.credits[i][j] : 0);
  const claims = new Map(
    [[i, j], [j, i]]
      .filter(([seat]) => claimants.includes(seat))
      .map(([seat, other]) => [seat, enough(claimLate(claimants.indexOf(seat), said[seat], said[other]))]),
  );
  return { pair, parts, claims, latest: Math.max(parts, ...claims.values()) };
}

function claimLate(i, own, other) {
  const [word, { seen, credit }] = [own.claims[i].seen, other.claims[i]];
  return word === null || seen === null ? 0 : seen - credit - word;
}

/** The time of a claimant by its own word where its claim came late, if that is less. */
function byOwnWord(late, { claimants, said }, seat, time) {
  const own = said[seat].claims[claimants.indexOf(seat)].seen;
  const wasLate = late.some(({ claims }) => claims.get(seat) > 0);
  return wasLate && own !== null ? Math.min(own, time) : time;
}

/** The time of a claimant if no part that came late had made it look as if it saw the card late. */
function onTime(table, late, { claimants, said, by, showed }, seat) {
  const i = claimants.indexOf(seat);
  const others = by.map((row, witness) => [row[i], witness]).filter(([, witness]) => witness !== seat);
  return lowerMedian(
    others.map(
      ([time, witness]) => time + misled(table, late, said[witness].parts, showed, witness, seat),
    ),
  );
}

function misled({ credits }, late, parts, showed, witness, claimant) {
  const near = credits[witness][claimant];
  const came = showed.includes(witness) ? [{ there: near, by: 0 }] : [];
  for (const seat of showed) {
    if (seat === witness || seat === claimant || parts[seat] === null) continue;
    const onward = Math.min(near + HOP, credits[claimant][seat] - credits[witness][seat]);
    const pair = late.find(({ pair: { seats } }) => seats.includes(seat) && seats.includes(witness));
    came.push({ there: parts[seat] + onward, by: pair?.parts ?? 0 });
  }
  if (!came.length) return 0;
  const latest = (times) => Math.max(...times);
  return latest(came.map(({ there }) => there)) - latest(came.map(({ there, by }) => there - by));
}
