import { type SubnetReport, subnetReports } from '@ovn-steward/analyzer';
import { observeAt } from '../testing/truth';
import { chosenSubnets, type SubnetsFilter } from './chosen-subnets';

let all: readonly SubnetReport[];
let now: Date;
beforeAll(async () => {
  const engine = await observeAt('leaky');
  all = subnetReports(engine);
  now = new Date(engine.now);
});

const names = (filter: SubnetsFilter, ...chosen: string[]): string[] =>
  chosenSubnets(all, chosen, filter, now).map((it) => it.name);

test('without a filter all, by name', () => {
  expect(names({})).toEqual(all.map((it) => it.name));
  expect(names({}).length).toBeGreaterThan(5);
});

test('by VPC and namespace those that have them', () => {
  const { vpc, namespaces } = all.find((it) => it.name === 'apps')!;
  const namespace = [...namespaces.named, ...(namespaces.annotated ?? [])][0]!;
  expect(names({ vpc })).toEqual(all.filter((it) => it.vpc === vpc).map((it) => it.name));
  expect(names({ namespace })).toContain('apps');
  expect(names({ vpc: 'no-such-vpc' })).toEqual([]);
});

test('by rule, class, severity and age those with such a finding', () => {
  const leaking = all.filter((it) => it.findings.some(({ rule }) => rule === 'leaked-ip'));
  expect(leaking.length).toBeGreaterThan(0);
  expect(names({ rule: 'leaked-ip' })).toEqual(leaking.map((it) => it.name));
  expect(names({ rule: 'leaked-ip', severity: 'critical' })).toEqual([]);
  expect(names({ class: 'leak' })).toEqual(expect.arrayContaining(leaking.map((it) => it.name)));
  expect(names({ since: '2999-01-01T00:00:00Z' })).toEqual([]);
  expect(() => names({ rule: 'leaked-ips' })).toThrow(/leaked-ip/);
});

test('by name or the only beginning of one; of none or several is an error', () => {
  expect(names({ subnet: 'apps' })).toEqual(['apps']);
  expect(names({}, 'app')).toEqual(['apps']);
  expect(() => names({}, 'o')).toThrow(/Subnets begin with/);
  expect(() => names({}, 'apsp')).toThrow(/did you mean apps/);
});

test('sorted by what is worst first', () => {
  const sorted = chosenSubnets(all, [], { sortBy: 'findings' }, now);
  expect(sorted.map((it) => it.findings.length)).toEqual(
    all.map((it) => it.findings.length).sort((a, b) => b - a),
  );
  const free = chosenSubnets(all, [], { sortBy: 'free' }, now).map(({ addresses }) =>
    Math.min(...addresses.map((it) => Number(it.free ?? Infinity))),
  );
  expect(free).toEqual([...free].sort((a, b) => a - b));
});
