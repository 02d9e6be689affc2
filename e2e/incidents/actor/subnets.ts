import { countsOf, field, type Holders, isOvn } from './addresses';
import type { Northbound } from './northbound';
import { FINALIZER, type Objects, type Thing, unheld } from './objects';

const KEYS = 'external_ids:vendor=kube-ovn';
const CONDITIONS = ['Validated', 'Ready'].map((type) => ({
  type,
  status: 'True',
  reason: 'ResetLogicalSwitchAclSuccess',
}));

/**
 * `handleAddOrUpdateSubnet`, in its order: counts, finalizer, then what an OVN subnet needs
 * (kube-ovn.md §7.2).
 */
export async function reconcileSubnets(
  nb: Northbound,
  objects: Objects,
  holders: Holders,
): Promise<void> {
  for (const subnet of await objects.list('Subnet')) {
    const { metadata } = subnet;
    if (metadata.deletionTimestamp !== undefined) await release(subnet, objects, holders);
    else if (!metadata.finalizers?.includes(FINALIZER))
      await objects.write({
        ...subnet,
        metadata: { ...metadata, finalizers: [...(metadata.finalizers ?? []), FINALIZER] },
      });
    else {
      if (isOvn(subnet)) await ensureSwitch(nb, subnet);
      await recount(subnet, objects, holders, { conditions: CONDITIONS });
    }
  }
}

/** The finalizer goes when the status counts nothing in use; nothing else is waited for. */
async function release(subnet: Thing, objects: Objects, holders: Holders): Promise<void> {
  if (await recount(subnet, objects, holders)) return;
  if (subnet.status?.['v4usingIPs'] === 0 && subnet.metadata.finalizers?.includes(FINALIZER))
    await objects.write(unheld(subnet));
}

/** True when the status was another. */
async function recount(
  subnet: Thing,
  objects: Objects,
  holders: Holders,
  more: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const counts = countsOf(subnet, holders);
  const { status = {} } = subnet;
  const same =
    status['v4usingIPs'] === counts.v4usingIPs &&
    status['v4availableIPs'] === counts.v4availableIPs &&
    (status['conditions'] !== undefined || !('conditions' in more));
  if (!same)
    await objects.writeStatus({
      ...subnet,
      status: { v6usingIPs: 0, v6availableIPs: 0, ...more, ...status, ...counts },
    });
  return !same;
}

const pairOf = (
  name: string,
  vpc: string,
): { readonly port: string; readonly routerPort: string } => ({
  port: `${name}-${vpc}`,
  routerPort: `${vpc}-${name}`,
});

/** The switch, and its pair of ports to the router of its VPC (kube-ovn.md §3.1, §3.2). */
async function ensureSwitch(nb: Northbound, subnet: Thing): Promise<void> {
  const { name } = subnet.metadata;
  if ((await nb.rows('Logical_Switch')).some((it) => it.name === name)) return;
  const vpc = field(subnet, 'vpc');
  const { port, routerPort } = pairOf(name, vpc);
  await nb.nbctl('ls-add', name, '--', 'set', 'Logical_Switch', name, KEYS);
  if (!(await nb.rows('Logical_Router')).some((it) => it.name === vpc)) return;
  await nb.nbctl(
    'lrp-add',
    vpc,
    routerPort,
    '00:00:00:00:00:01',
    `${field(subnet, 'gateway')}/${field(subnet, 'cidrBlock').split('/')[1]}`,
    '--',
    'set',
    'Logical_Router_Port',
    routerPort,
    KEYS,
    `external_ids:lr=${vpc}`,
    '--',
    'lsp-add',
    name,
    port,
    '--',
    'lsp-set-type',
    port,
    'router',
    '--',
    'lsp-set-addresses',
    port,
    'router',
    '--',
    'lsp-set-options',
    port,
    `router-port=${routerPort}`,
    '--',
    'set',
    'Logical_Switch_Port',
    port,
    KEYS,
    `external_ids:ls=${name}`,
  );
}

/**
 * `handleDeleteSubnet`, once, from memory: the switch with all its ports, then the router's port.
 */
export async function forgetSubnet(nb: Northbound, subnet: Thing): Promise<void> {
  if (!isOvn(subnet)) return;
  const { name } = subnet.metadata;
  await nb.nbctl(
    '--if-exists',
    'ls-del',
    name,
    '--',
    '--if-exists',
    'lrp-del',
    pairOf(name, field(subnet, 'vpc')).routerPort,
  );
}
