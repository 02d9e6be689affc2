/**
 * Numbers that look random and are the same for the same seed (mulberry32: 32 bits of state,
 * additions and multiplications).
 */
module.exports.chance = function (seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least, most) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    /** A whole number; both ends may come. */
    between,
    pick: (list) => list[between(0, list.length - 1)],
    /** Text as Kubernetes makes it for names: without vowels, so that no words come about. */
    letters: (length) =>
      Array.from({ length }, () => 'bcdfghjklmnpqrstvwxz2456789'[between(0, 26)]).join(''),
  };
};
