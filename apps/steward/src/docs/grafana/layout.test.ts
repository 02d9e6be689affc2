import type { DashboardPanel } from './dashboard';
import { COLUMNS, type GridPosition, layout } from './layout';

const panel = (type: DashboardPanel['type'], width: number): DashboardPanel => ({
  title: `${type} ${width}`,
  answers: '?',
  type,
  width,
  queries: [{ expr: '1', legend: 'one' }],
});

const overlap = (a: GridPosition, b: GridPosition): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test('panels stand side by side, then in the next line, below their heading and nowhere twice', () => {
  const placed = layout([
    { title: 'one', panels: [panel('stat', 12), panel('timeseries', 12), panel('stat', 4)] },
    { title: 'two', panels: [panel('table', 24)] },
  ]);
  const at = placed.map((it) => it.at);
  expect(at.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [0, 1],
    [12, 1],
    [0, 9],
    [0, 13],
    [0, 14],
  ]);
  expect(at.map(({ h }) => h)).toEqual([1, 8, 8, 4, 1, 10]); // no hole below the low one
  expect(at.filter((it) => it.x + it.w > COLUMNS)).toEqual([]);
  expect(at.filter((it) => at.some((other) => other !== it && overlap(it, other)))).toEqual([]);
});
