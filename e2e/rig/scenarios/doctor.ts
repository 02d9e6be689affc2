import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Shell } from '../../support/shell';
import type { Thing } from '../../incidents/actor/objects';
import { podsOf, statefulSet, subnet } from '../cluster';
import type { Rig } from '../rig';
import { destroyLeftOf } from './left-of-vpc';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const VPC = { kind: 'Vpc', metadata: { name: 'hung' } };
const NET = { kind: 'Subnet', metadata: { name: 'hung-net' } };
const NAMESPACE = 'hung-pods';
const SET = { kind: 'StatefulSet', metadata: { namespace: NAMESPACE, name: 'lost' } };
/** The record of a pod that went while the controller was away: it keeps the Subnet. */
const LEAKED = { kind: 'IP', metadata: { name: `lost-0.${NAMESPACE}` } };
/** The controller outside a pod: the rig's has none, and then nothing shows that one is to run. */
const DEPLOYMENT: Thing = {
  kind: 'Deployment',
  metadata: { namespace: 'kube-system', name: 'kube-ovn-controller' },
  spec: {
    selector: { matchLabels: { app: 'kube-ovn-controller' } },
    template: {
      metadata: { labels: { app: 'kube-ovn-controller' } },
      spec: { containers: [{ name: 'main', image: 'registry.example/kube-ovn:1.0' }] },
    },
  },
};

/** A Subnet that is being deleted, and an address in it that nobody frees. */
async function hangChain({ objects, nbctl, restartController }: Rig): Promise<void> {
  const { name } = NET.metadata;
  await objects.create({ kind: 'Namespace', metadata: { name: NAMESPACE } });
  await objects.create({ ...VPC, spec: { namespaces: [NAMESPACE] } });
  const spec = { vpc: VPC.metadata.name, namespaces: [NAMESPACE] };
  await objects.create(subnet(name, '10.61.0.0/24', spec));
  await until(`namespace ${NAMESPACE} to have its subnet`, async () => {
    const { annotations } = (await objects.get('Namespace', NAMESPACE))!.metadata;
    return annotations?.['ovn.kubernetes.io/logical_switch'] === name;
  });
  const [lost] = await podsOf(objects, await objects.create(statefulSet(NAMESPACE, 'lost', 1)));
  await until('the Subnet to count the address', async () => {
    const is = await objects.get('Subnet', name);
    return is?.status?.['v4usingIPs'] === 1;
  });
  await restartController();
  await objects.remove(lost!, true);
  await objects.remove(SET);
  await until('its port to be down', async () => {
    const up = await nbctl('get', 'Logical_Switch_Port', LEAKED.metadata.name, 'up');
    return up.trim() === 'false';
  });
  // Without its collection, which takes such a record in the end.
  await restartController(0);
  // The Vpc stays meanwhile: it would go at once, whatever subnets name it (kube-ovn.md, row 41).
  await objects.remove(NET);
}

const until = (what: string, check: () => Promise<boolean>): Promise<unknown> =>
  waitFor(check, { what, timeoutMs: 60_000 });

/** What was removed beside the one that should be. */
async function removedBeside(shell: Shell, name: string): Promise<readonly string[]> {
  const { stdout } = await shell.run('steward actions --output json');
  const names = (JSON.parse(stdout) as { target: { name: string } }[]).map(
    ({ target }) => target.name,
  );
  return names.join() === name ? [] : [`removed was not ${name} alone: ${names.join(', ')}`];
}

export const doctor: Scenario = {
  name: 'doctor',
  about:
    'A Subnet that hangs in its deletion behind a leaked address is freed by the doctor, which deletes that address and nothing else: the controller does the rest.',
  async run({ rig, healthy, shell }) {
    const opened = shell(AT_ONCE);
    const wrong: string[] = [];
    await rig.objects.create(DEPLOYMENT);
    await hangChain(rig);
    const seen = await opened.run('steward doctor --output json');
    if (seen.code !== 2) wrong.push(`before, the doctor ended with ${seen.code}: ${seen.stdout}`);
    if (!seen.stdout.includes(`"name": "${NET.metadata.name}"`))
      wrong.push(`the doctor does not name the Subnet: ${seen.stdout}`);
    const freed = await opened.run('steward doctor subnet/hung-net --free --yes --by anna');
    if (freed.code !== 0)
      wrong.push(`the doctor ended with ${freed.code}: ${freed.stdout}${freed.stderr}`);
    else wrong.push(...(await removedBeside(opened, LEAKED.metadata.name)));
    await rig.objects.remove(DEPLOYMENT);
    for (const { kind, metadata } of [NET, LEAKED])
      if ((await rig.objects.get(kind, metadata.name)) !== undefined)
        wrong.push(`still there: ${kind} ${metadata.name}`);
    const after = await opened.run('steward doctor --output json');
    if (after.code !== 0) wrong.push(`after it, the doctor ended with ${after.code}`);
    opened.close();
    await rig.objects.remove(VPC);
    await rig.restartController(COLLECTS_EVERY);
    const left = await settles(rig, healthy, 'freed, and the controller started', 20_000);
    wrong.push(...(await destroyLeftOf(VPC.metadata.name, left, rig)));
    return wrong;
  },
};
