import type { Mutation } from './testing/mutate';
import { auditOf } from './testing/mutate';
import { deletePod, doomedIn, foundIn } from './testing/scenario';

const key = ({
  metadata: { namespace, name },
}: {
  metadata: { namespace?: string; name: string };
}): string => (namespace ? `${namespace}/${name}` : name);
/**
 * As in a cluster where the kinds were never installed: no definition, and nobody could list them.
 */
function uninstall(recording: Mutation, group: string, ...kinds: string[]): void {
  for (const kind of kinds) recording.forget(kind);
  for (const definition of recording
    .all('CustomResourceDefinition')
    .filter((one) => one.spec.group === group && kinds.includes(one.spec.names.kind)))
    recording.remove('CustomResourceDefinition', key(definition));
}
const KUBEVIRT = ['VirtualMachine', 'VirtualMachineInstance'];
const dropRows = (
  recording: Mutation,
  table: string,
  doomed: (row: Record<string, unknown>) => boolean,
): void => recording.nb.rows(table).filter(doomed).forEach(recording.nb.drop);
/** Takes what stands for machines out of the recording. */
function withoutMachines(recording: Mutation): void {
  for (const pod of recording.all('Pod').filter((one) => one.metadata.namespace === 'vms'))
    deletePod(recording, key(pod));
  for (const kind of ['VirtualMachine', 'VirtualMachineInstance'])
    for (const one of [...recording.all(kind)]) recording.remove(kind, key(one));
  for (const ip of recording.all('IP').filter((one) => one.spec.namespace === 'vms'))
    recording.remove('IP', key(ip));
  dropRows(recording, 'Logical_Switch_Port', (row) =>
    ((row['external_ids'] as Record<string, string>)['pod'] ?? '').startsWith('vms/'),
  );
}
const deadly = (it: string): boolean => /^(leaked|orphaned|stale-load)/.test(it);

test('where KubeVirt is not installed every rule works', async () => {
  const before = await foundIn('leaky', withoutMachines);
  const engine = await auditOf('leaky', (recording) => {
    withoutMachines(recording);
    uninstall(recording, 'kubevirt.io', ...KUBEVIRT);
  });
  expect(engine.unknowns()).toEqual([]);
  expect(before.filter(deadly).length).toBeGreaterThan(30);
  expect(
    await foundIn('leaky', (recording) => {
      withoutMachines(recording);
      uninstall(recording, 'kubevirt.io', ...KUBEVIRT);
    }),
  ).toEqual(before);
});

test('where Kube-OVN has not all kinds yet every rule works', async () => {
  const older = (recording: Mutation): void => {
    uninstall(recording, 'kubeovn.io', 'RouterLBRule', 'VpcEgressGateway');
    dropRows(recording, 'Address_Set', (row) => String(row['name']).startsWith('VEG.'));
  };
  expect((await auditOf('leaky', older)).unknowns()).toEqual([]);
  expect((await foundIn('leaky', older)).filter(deadly)).toEqual(
    (await foundIn('leaky', () => undefined)).filter(deadly),
  );
});

test('where KubeVirt is installed but its machines were not listed, no port and no address is judged', async () => {
  const found = await foundIn('leaky', (recording) => {
    for (const kind of KUBEVIRT) recording.forget(kind);
  });
  expect(found.filter((it) => /^(leaked-ip|orphaned-logical-switch-port)/.test(it))).toEqual([]);
});

test('an empty database makes nothing garbage of a living cluster', async () => {
  const emptied = (recording: Mutation): void => {
    for (const table of Object.keys(recording.nb.schema.tables))
      if (table !== 'NB_Global') dropRows(recording, table, () => true);
  };
  expect(await doomedIn('clean', emptied)).toEqual([]);
  expect(
    (await foundIn('clean', emptied)).every((it) => it.startsWith('missing-logical-switch-port ')),
  ).toBe(true);
});

test('an empty list of pods makes no port garbage that a chassis holds', async () => {
  const found = await foundIn('clean', (recording) => {
    for (const pod of [...recording.all('Pod')]) recording.remove('Pod', key(pod));
  });
  expect(found.filter((it) => it.startsWith('orphaned-'))).toEqual([]);
});

test.each(['nothing', 'some'])(
  'a list that says other counts than it holds is no list: %s of the pods',
  async (part) => {
    const engine = await auditOf('leaky', (recording) => {
      recording.forget('Pod');
      if (part === 'some') recording.add('Pod', 'shop/one', { spec: {}, status: {} });
      recording.all('Pod').forEach((pod) => {
        delete pod.metadata.uid;
      });
    });
    expect(
      engine
        .findings()
        .filter((it) => ['leaked-ip', 'orphaned-logical-switch-port'].includes(it.rule)),
    ).toEqual([]);
  },
);
