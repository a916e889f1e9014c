// How far apart seats are, and the cap of a table's races (protocol section 3). Microseconds.

const CAP_LEAST = 1_000;

/** delays(pings)[j][i]: between seats j and i, null where nothing tells. */
export function delays(pings) {
  const seats = pings.map((_, seat) => seat);
  const direct = seats.map((here) => seats.map((there) => stated(pings, here, there)));
  const relayed = shortest(direct);
  return seats.map((here) => seats.map((there) => direct[here][there] ?? relayed[here][there]));
}

function stated(pings, here, there) {
  if (here === there) return 0;
  const known = [pings[here][there], pings[there][here]].filter((ping) => ping !== null);
  return known.length ? Math.floor(Math.min(...known) / 2) : null;
}

function shortest(direct) {
  const least = direct.map((row) => [...row]);
  const seats = least.map((_, seat) => seat);
  for (const relay of seats)
    for (const here of seats)
      for (const there of seats) {
        const [first, second] = [least[here][relay], least[relay][there]];
        if (first === null || second === null) continue;
        if (least[here][there] === null || first + second < least[here][there])
          least[here][there] = first + second;
      }
  return least;
}

/** The most delay that a seat is credited with at this table. */
export function raceCap(agreed, apart) {
  const pairs = apart.flatMap((row, here) => row.slice(here + 1)).map((delay) => delay ?? agreed);
  return Math.max(CAP_LEAST, Math.min(agreed, Math.max(0, ...pairs)));
}
