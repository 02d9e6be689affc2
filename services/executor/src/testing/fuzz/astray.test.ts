import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { type Compass, createCompass, forbidKubernetesAbroad } from './astray';
import { type Cluster, STEADY } from './cluster';
import { createCluster } from './create-cluster';
import { gateKubernetes } from './gates';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { createReferee, type Referee } from './referee';
import { type SteadyClock, takeSteadyClock } from './steady-clock';

const never = new AbortController().signal;

let clock: SteadyClock;
let home: Cluster;
let referee: Referee;
let compass: Compass;
let abroad: Cluster;
let client: MemoryKubernetes;
beforeEach(async () => {
  clock = takeSteadyClock();
  home = await createCluster(random(1));
  referee = createReferee(home);
  abroad = await createCluster(random(2));
  compass = createCompass();
  client = abroad.kubernetes.peer();
  const watched = forbidKubernetesAbroad(client, compass, referee);
  gateKubernetes(client, () => Promise.resolve(), watched, undefined);
});
afterEach(() => clock.restore());

const make = (): Promise<unknown> =>
  client.create(
    'IP',
    {
      apiVersion: 'kubeovn.io/v1',
      kind: 'IP',
      metadata: { name: 'web-0.shop', annotations: { [PUT_BACK]: 'abc' } },
      spec: {},
    },
    never,
  );

test('what is made again in another cluster is counted apart while nobody could know, and then a wrong deletion', async () => {
  compass.turn('kubernetes');
  clock.pass(2000);
  await make();
  expect(referee.tally).toMatchObject({ strayed: 1, wrongDeletions: 0 });
  abroad.kubernetes.remove('IP', undefined, 'web-0.shop');
  clock.pass(1);
  await make();
  expect(referee.tally).toMatchObject({ strayed: 1, wrongDeletions: 1 });
});

test('of what strayed nobody can say how it ended', async () => {
  const { kubernetes } = home;
  kubernetes.put({ kind: 'IP', metadata: { name: 'web-0.shop' }, spec: {} });
  const { name, uid, resourceVersion } = kubernetes
    .objects('IP')
    .find((it) => it.metadata.name === 'web-0.shop')!.metadata;
  const target = { source: 'kubernetes', kind: 'IP', name, uid };
  const action = { id: 'abc', revision: 1, rule: 'r', target, state: 'claimed' } as ActionRecord;
  referee.read(action);
  const ours = kubernetes.peer();
  const watched = referee.watch(ours, { about: () => action, now: () => 0 });
  gateKubernetes(ours, () => Promise.resolve(), watched, undefined);
  await ours.delete({ kind: 'IP', name, uid, resourceVersion }, never);
  expect(referee.committed().get('abc')).toMatchObject({ removals: 1, overtaken: false });
  compass.turn('both');
  await make();
  expect(referee.committed().get('abc')).toMatchObject({ removals: 1, overtaken: true });
});

test('whatever is removed there is a wrong deletion at once', async () => {
  const ip = abroad.kubernetes.objects('IP').find((it) => it.metadata.name.startsWith(STEADY[0]!))!;
  const { name, uid, resourceVersion } = ip.metadata;
  compass.turn('kubernetes');
  await client.delete({ kind: 'IP', name, uid, resourceVersion }, never);
  expect(referee.tally).toMatchObject({ strayed: 0, wrongDeletions: 1 });
});
