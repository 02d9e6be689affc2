import { nearest } from './nearest';

describe('nearest', () => {
  const known = ['cluster', 'stateDir', 'grace', 'ovnNb', 'kubernetes', 'protect'];

  it.each([
    ['clsuter', 'cluster'],
    ['clusters', 'cluster'],
    ['state_dir', 'stateDir'],
    ['STATEDIR', 'stateDir'],
    ['kuberentes', 'kubernetes'],
    ['ovn-nb', 'ovnNb'],
    ['garce', 'grace'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearest(typed, known)).toBe(meant);
  });

  it.each(['', 'zookeeper', 'x'.repeat(100_000)])('guesses nothing for %.20s', (typed) => {
    expect(nearest(typed, known)).toBeUndefined();
    expect(nearest(typed, [])).toBeUndefined();
  });
});
