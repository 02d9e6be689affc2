import { DASHBOARDS } from '../dashboards/registry';
import { dashboardJson } from './dashboard-json';
import { COLUMNS, type GridPosition } from './layout';

const FROM_GRAFANA = ['datasource', '__rate_interval', '__all'];

test.each(DASHBOARDS.map((it) => [it.name, dashboardJson(it)] as const))(
  '%s has ids once, panels that do not overlap, and only variables that are there',
  (name, json) => {
    expect(json.uid).toBe(`ovn-steward-${name}`);
    const ids = json.panels.map((it) => it.id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = json.panels.flatMap((it) => cellsOf(it.gridPos));
    expect(new Set(cells).size).toBe(cells.length);
    expect(json.panels.filter(({ gridPos: { x, w } }) => x + w > COLUMNS)).toEqual([]);
    const declared = json.templating.list.map((it) => it.name);
    const used = [...JSON.stringify(json).matchAll(/\$\{?(\w+)/g)].map((it) => it[1]!);
    expect(used.filter((it) => ![...declared, ...FROM_GRAFANA].includes(it))).toEqual([]);
    expect(declared.filter((it) => !used.includes(it))).toEqual([]);
  },
);

const cellsOf = ({ x, y, w, h }: GridPosition): string[] =>
  Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`);
