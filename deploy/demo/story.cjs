// What happens in the demo cluster: an endless list of steps, the same for the same seed and the
// same ports. It knows no time; whoever plays it decides how long a step is (a second, by default).

const { chance } = require('./chance.cjs');
const { castOf } = require('./cast.cjs');
const events = require('./events.cjs');

/** The step in which each trouble comes first, so that nobody waits for chance to show it. */
const OPENING = new Map([
  [2, 'leak'],
  [6, 'lost'],
  [10, 'stray'],
  [14, 'twin'],
]);

/**
 * How often of a hundred a step is which. The rest are restarts of living pods, which no rule may
 * take for anything.
 */
const ODDS = [
  ['guest', 25],
  ['leak', 3],
  ['lost', 2],
  ['stray', 2],
  ['twin', 2],
];

function drawn(luck) {
  let left = luck.between(1, 100);
  return ODDS.find(([, odds]) => (left -= odds) <= 0)?.[0] ?? 'restart';
}

/**
 * Each step: a sentence, and the arguments of one call of ovn-nbctl.
 *
 * @param {{ seed: number, ports: { name: string, addresses: string, externalIds: Record<string,
 *   string>, groups: string[] }[] }} cluster the ports of living pods
 */
module.exports.story = function* ({ seed, ports }) {
  const luck = chance(seed);
  const due = new Map();
  let step = 0;
  const cast = castOf({
    ports,
    luck,
    /** One thing a step: what falls on a taken one comes after it. */
    later: (steps, event) => {
      let at = step + steps;
      while (due.has(at) || OPENING.has(at)) at++;
      due.set(at, event);
    },
  });
  for (; ; step++) {
    const event = due.get(step) ?? events[OPENING.get(step) ?? drawn(luck)];
    due.delete(step);
    yield event(cast);
  }
};
