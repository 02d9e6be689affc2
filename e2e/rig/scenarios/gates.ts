import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Thing } from '../../incidents/actor/objects';
import { openShell } from '../../support/shell';
import { audited } from '../audited';
import { addressOf, ownerOf, pod, statefulSet, subnet } from '../cluster';
import type { Rig } from '../rig';
import { AT_ONCE, type Scenario } from './scenario';
import { settles } from './settles';

const HELD = { namespace: 'early', name: 'held', net: 'early-net', cidr: '10.62.0.0/24' } as const;
const FREE = {
  namespace: 'hasty',
  name: 'free-0',
  net: 'hasty-net',
  cidr: '10.63.0.0/24',
} as const;
/** Long enough for the controller to give an address, which takes it under a second. */
const GIVES_MS = 8_000;

type Pair = typeof HELD | typeof FREE;

const podOf = (rig: Rig, { namespace, name }: Pair): Promise<Thing | undefined> =>
  rig.objects.get('Pod', name, namespace);

/** A pod that no node has yet: one with a node cannot be held. */
function podBeforeItsNode({ namespace, name }: Pair, more: Partial<Thing['metadata']> = {}): Thing {
  const made = pod(namespace, name, '', more);
  const { nodeName: _, ...spec } = made.spec!;
  return { ...made, spec };
}

const createNet = ({ objects }: Rig, { net, cidr, namespace }: Pair) =>
  objects.create(subnet(net, cidr, { namespaces: [namespace] }));

/** Namespaces that Kube-OVN has bound to its default subnet, one of them with the label. */
async function addNamespaces(rig: Rig): Promise<void> {
  const { objects } = rig;
  const labels = { 'ovn-steward.dev/subnet': HELD.net };
  await objects.create({ kind: 'Namespace', metadata: { name: HELD.namespace, labels } });
  await objects.create({ kind: 'Namespace', metadata: { name: FREE.namespace } });
  for (const { namespace } of [HELD, FREE]) await untilBound(rig, namespace, 'ovn-default');
}

const untilBound = ({ objects }: Rig, namespace: string, net: string): Promise<unknown> =>
  waitFor(
    async () => {
      const { annotations = {} } = (await objects.get('Namespace', namespace))!.metadata;
      return annotations['ovn.kubernetes.io/logical_switch'] === net;
    },
    { what: `namespace ${namespace} to be bound to ${net}`, timeoutMs: 60_000 },
  );

const isHeld = (it: Thing | undefined): boolean =>
  JSON.stringify(it?.spec?.['schedulingGates'] ?? []).includes('ovn-steward.dev/subnet-ready');

/** That the policy respects the label may take the API server seconds. */
const untilPolicyHolds = ({ objects }: Rig): Promise<unknown> =>
  waitFor(async () => isHeld(await objects.tried(podBeforeItsNode(HELD))), {
    what: 'the policy to hold pods',
    timeoutMs: 60_000,
  });

/** What is wrong with the two while their subnets do not exist. */
async function before(rig: Rig): Promise<readonly string[]> {
  const set = await rig.objects.create(statefulSet(FREE.namespace, 'free', 1));
  await rig.objects.create(podBeforeItsNode(HELD));
  await rig.objects.create(podBeforeItsNode(FREE, { ownerReferences: [ownerOf(set)] }));
  await sleep(GIVES_MS);
  const held = await podOf(rig, HELD);
  const free = await podOf(rig, FREE);
  return [
    ...(isHeld(held) ? [] : ['the pod of the labelled namespace is not held']),
    ...(addressOf(held!) === '' ? [] : [`the held pod has ${addressOf(held!)}`]),
    // Why pods are held: this is what Kube-OVN does otherwise.
    ...(addressOf(free!).startsWith('10.16.') ? [] : [`the other has ${addressOf(free!)}`]),
  ];
}

export const gates: Scenario = {
  name: 'gates',
  about:
    'A pod that was created before its Subnet is held without an address, and gets one of that Subnet once it is ready; one that nothing held has one of the default subnet, and is found misplaced.',
  async run({ rig, healthy, shell }) {
    const administrator = openShell(rig.settings);
    await administrator.run('steward guard install pod-gate --yes');
    await addNamespaces(rig);
    await untilPolicyHolds(rig);
    const lifting = administrator.runBeside('steward guard gates');
    const wrong = [...(await before(rig))];
    for (const one of [HELD, FREE]) await createNet(rig, one);
    const pair = `--pod ${HELD.namespace}/${HELD.name} --timeout 60s`;
    const as = `--kubernetes ${rig.kubeconfigs.executor}`;
    const waited = await administrator.run(
      `steward wait subnet/${HELD.net} --for pod-addressed ${pair} ${as}`,
    );
    if (waited.code !== 0) wrong.push(`wait ended with ${waited.code}: ${waited.stderr}`);
    const held = await podOf(rig, HELD);
    if (isHeld(held)) wrong.push('the pod is still held');
    if (!addressOf(held!).startsWith('10.62.0.')) wrong.push(`the pod has ${addressOf(held!)}`);
    await untilBound(rig, FREE.namespace, FREE.net);
    const opened = shell(AT_ONCE);
    const { findings } = await audited(opened);
    opened.close();
    const misplaced = findings.filter(({ rule }) => rule === 'misplaced-pod');
    if (misplaced.map(({ subject }) => subject.name).join() !== FREE.name)
      wrong.push(`misplaced are ${JSON.stringify(misplaced.map(({ subject }) => subject.name))}`);

    await lifting.stop();
    await administrator.run('steward guard remove --yes');
    administrator.close();
    const free = { namespace: FREE.namespace, name: 'free' };
    await rig.objects.remove({ kind: 'StatefulSet', metadata: free });
    for (const { name, namespace } of [HELD, FREE])
      await rig.objects.remove({ kind: 'Pod', metadata: { namespace, name } }, true);
    for (const { net } of [HELD, FREE])
      await rig.objects.remove({ kind: 'Subnet', metadata: { name: net } });
    wrong.push(...(await settles(rig, healthy, 'pods and subnets are deleted')));
    return wrong;
  },
};
