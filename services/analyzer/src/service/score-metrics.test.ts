import type { Change } from '@ovn-steward/contracts/changes/change';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import {
  type Built,
  logicalSwitch,
  object,
  pod,
  port,
} from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { createMeter } from '@ovn-steward/service/meter/meter';
import { GRACE } from '@ovn-steward/judgement/testing/grace';
import { ANALYZER_SERVICE_METRICS, showPictures } from './metrics';
import { Scorecards } from './scorecards';

const UNCHECKED = { checked: false };
const RELEASE = object('Deployment', 'kube-system/kube-ovn-controller', {
  spec: { replicas: 1, template: { spec: { release: 'v1.16.2', flags: [] } } },
});

/** A cluster whose changes an analyzer judges one by one, and what its metrics say of the score. */
function judged(...given: readonly Built[]) {
  const history = new History();
  const meter = createMeter(ANALYZER_SERVICE_METRICS);
  const engine = createEngine({ cluster: 'lab', grace: GRACE });
  let cards = new Scorecards((it) => GRACE[it.class]);
  const apply = (...changes: readonly Change[]): void =>
    cards.observe(engine, engine.apply(changes, UNCHECKED));
  apply(
    ...[object('Subnet', 'apps'), logicalSwitch(), ...given].map((it) => history.put(it)),
    ...history.listEverything(),
    ...history.heartbeats(0),
  );
  return {
    put: (...built: readonly Built[]) => apply(...built.map((it) => history.put(it))),
    remove: (...built: readonly Built[]) => apply(...built.flatMap((it) => history.remove(it))),
    at: (minutes: number) => apply(...history.heartbeats(minutes)),
    /** The process ends, and another takes up what is known. */
    restart: () => (cards = new Scorecards((it) => GRACE[it.class])),
    async shown(): Promise<Record<string, number>> {
      showPictures(
        meter,
        new Map([
          [
            'lab',
            { picture: engine, sources: [], expected: [], now: 0, score: cards.score(engine) },
          ],
        ]),
      );
      const lines = (await meter.text()).split('\n').filter((it) => it.startsWith('steward_score'));
      return Object.fromEntries(
        lines.map((line) => {
          const [series, value] = line.split('} ') as [string, string];
          const when = /when="([^"]+)"/.exec(series)?.[1];
          expect(series).toMatch(/cluster="lab",release="v1\.16\.2"/);
          const name = series.slice('steward_score_'.length, series.indexOf('{'));
          return [when === undefined ? name : `${name} ${when}`, Number(value)];
        }),
      );
    },
  };
}

const NOTHING = {
  missed: 0,
  pending: 0,
  'collected_total in-time': 0,
  'collected_total late': 0,
  removed_alive_total: 0,
  damaged_total: 0,
  controller_starts_total: 0,
};

test('a clean cluster has every count at 0, and no seconds', async () =>
  expect(await judged(RELEASE).shown()).toEqual(NOTHING));

test('what dies is pending, then missed with its age, then collected late by how long it was dead', async () => {
  const cluster = judged(RELEASE, port(), pod('shop/web-0'));
  cluster.at(1);
  cluster.remove(pod('shop/web-0'));
  expect(await cluster.shown()).toEqual({ ...NOTHING, pending: 1 });
  cluster.at(31);
  expect(await cluster.shown()).toEqual({ ...NOTHING, missed: 1, missed_oldest_seconds: 30 * 60 });
  cluster.remove(port());
  const late = {
    ...NOTHING,
    'collected_total late': 1,
    late_median_seconds: 1800,
    late_longest_seconds: 1800,
  };
  expect(await cluster.shown()).toEqual(late);
  // Read twice, counted once.
  expect(await cluster.shown()).toEqual(late);
});

test('a process that takes over knows what is dead, and since when', async () => {
  const cluster = judged(RELEASE, port(), pod('shop/web-0'));
  cluster.remove(pod('shop/web-0'));
  cluster.restart();
  cluster.at(20);
  expect(await cluster.shown()).toEqual({ ...NOTHING, missed: 1, missed_oldest_seconds: 20 * 60 });
  cluster.remove(port());
  expect(await cluster.shown()).toMatchObject({ missed: 0, 'collected_total late': 1 });
});

test('nothing is shown of a cluster that is not judged yet', async () => {
  const cluster = judged(RELEASE);
  cluster.restart();
  expect(await cluster.shown()).toEqual({});
});
