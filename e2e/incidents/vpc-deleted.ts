import { waitFor } from '@ovn-steward/testbed/run/wait';
import { recording } from '@ovn-steward/testbed/recordings';
import { startController } from './actor/controller';
import { startUp } from './actor/garbage';
import type { Thing } from './actor/objects';
import type { Incident } from './incident';

const subnet = (name: string, third: number): Thing => ({
  kind: 'Subnet',
  metadata: { name },
  spec: {
    vpc: 'blue',
    protocol: 'IPv4',
    provider: 'ovn',
    cidrBlock: `10.90.${third}.0/24`,
    gateway: `10.90.${third}.1`,
    excludeIps: [`10.90.${third}.1`],
  },
});
const BLUE = { kind: 'Vpc', metadata: { name: 'blue' } };

/**
 * A VPC deleted under its subnets: the release has no finalizer, and the next start takes the
 * router.
 */
export const vpcDeleted: Incident = {
  name: 'vpc-deleted',
  happens:
    'Somebody deletes a VPC whose subnets are in use, with a release that sets no finalizer; later the controller restarts',
  source: 'kube-ovn.md §7.3, rows 41 and 42; #5068, #4104, #5028',
  answer: 'prevented',
  command: 'steward guard install vpc-with-subnets --yes',
  unprotected: [
    'the deletion is accepted',
    'Vpc blue is gone',
    'router blue is gone, and 2 subnets name its Vpc',
    'namespace late has no subnet',
  ],
  guarded: [
    'the deletion is refused: Vpc blue still has subnets: blue-a, blue-b. Delete them first.',
    'Vpc blue is there',
    'router blue has 2 ports',
    'namespace late has subnet ovn-default',
  ],
  database: recording('clean', 'nb.db'),
  cluster: recording('clean', 'kubernetes.json'),

  async play({ northbound, objects, run }, guarded) {
    const controller = startController(northbound, objects, { vpcFinalizer: false });
    await objects.create({ ...BLUE, spec: {} });
    await controller.settle();
    for (const it of [subnet('blue-a', 0), subnet('blue-b', 1)]) await objects.create(it);
    await controller.settle();
    if (guarded) await run(vpcDeleted.command);
    // A policy is in force within seconds: a person who wants to see it asks for the deletion as a
    // dry run.
    if (guarded)
      await waitFor(() => objects.refusalOf(BLUE), {
        what: 'the policy to be in force',
        timeoutMs: 20_000,
      });
    const refusal = await objects.refusalOf(BLUE);
    if (refusal === undefined) await objects.remove(BLUE);
    await controller.settle();
    await startUp(northbound, objects);
    await objects.create({ kind: 'Namespace', metadata: { name: 'late' } });
    await controller.settle();
    const router = (await northbound.rows('Logical_Router')).find(({ name }) => name === 'blue');
    const naming = (await objects.list('Subnet')).filter(
      ({ spec }) => spec?.['vpc'] === 'blue',
    ).length;
    const chosen = (await objects.get('Namespace', 'late'))?.metadata.annotations?.[
      'ovn.kubernetes.io/logical_switch'
    ];
    return [
      `the deletion is ${refusal === undefined ? 'accepted' : `refused: ${refusal}`}`,
      `Vpc blue is ${(await objects.get('Vpc', 'blue')) ? 'there' : 'gone'}`,
      router
        ? `router blue has ${[router.columns['ports']].flat().length} ports`
        : `router blue is gone, and ${naming} subnets name its Vpc`,
      `namespace late has ${chosen === undefined ? 'no subnet' : `subnet ${chosen}`}`,
    ];
  },
};
