import type { Northbound } from './northbound';
import type { Objects, Thing } from './objects';

/**
 * Up to v1.14.4 an empty Multus annotation dropped a machine's networks from those kept
 * (kube-ovn.md §0.3, #5556).
 */
export interface PortCollection {
  readonly forgetsMachineNetworks: boolean;
}

/**
 * `markAndCleanLSP`: each pass deletes the plain ports that were not to be kept in this pass and
 * the last, and the IP object of the same name, unless that is reserved (kube-ovn.md §4.17). No
 * vendor is asked for. With `--gc-interval=0` there are no passes.
 */
export function portCollector(
  nb: Northbound,
  objects: Objects,
  { forgetsMachineNetworks }: PortCollection,
): { pass(): Promise<void> } {
  let marked = new Set<string>();
  return {
    async pass() {
      if (await isEnded(objects)) return;
      const kept = await keptPorts(objects, forgetsMachineNetworks);
      const unkept = (await nb.rows('Logical_Switch_Port')).filter(
        ({ name, columns }) => columns['type'] === '' && !kept.has(name),
      );
      const doomed = unkept.filter(({ name }) => marked.has(name));
      marked = new Set(unkept.filter((it) => !doomed.includes(it)).map(({ name }) => name));
      await nb.release('Logical_Switch', 'ports', doomed);
      for (const { name } of doomed) {
        const ip = await objects.get('IP', name);
        if (ip && ip.metadata.labels?.['ovn.kubernetes.io/ip_reserved'] !== 'true')
          await objects.remove({ kind: 'IP', metadata: { name } });
      }
    },
  };
}

async function isEnded(objects: Objects): Promise<boolean> {
  const { spec } = (await objects.get('Deployment', 'kube-ovn-controller', 'kube-system')) ?? {};
  const template = spec?.['template'] as
    { spec: { containers: readonly { readonly args?: readonly string[] }[] } } | undefined;
  return template?.spec.containers.some(({ args }) => args?.includes('--gc-interval=0')) === true;
}

const OVN = 'ovn';
const ALLOCATED = '.kubernetes.io/allocated';

async function keptPorts(
  objects: Objects,
  forgetsMachineNetworks: boolean,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  for (const pod of await objects.list('Pod')) for (const name of portsOfPod(pod)) kept.add(name);
  for (const { metadata } of await objects.list('Node')) kept.add(`node-${metadata.name}`);
  for (const { metadata } of await objects.list('OvnEip')) kept.add(metadata.name);
  for (const machine of await objects.list('VirtualMachine'))
    for (const name of portsOfMachine(machine, forgetsMachineNetworks)) kept.add(name);
  for (const { metadata, spec } of await objects.list('Vip'))
    if ((spec?.['type'] ?? '') !== '')
      kept.add(`${metadata.name}.${String(spec?.['namespace'] ?? '')}`);
  return kept;
}

/**
 * One name for each network the pod was given an address of; a machine's pod has the machine's
 * name.
 */
function portsOfPod({ metadata: { name, namespace, annotations = {} } }: Thing): string[] {
  return Object.keys(annotations)
    .filter((it) => it.endsWith(ALLOCATED) && annotations[it] === 'true')
    .map((annotation) => {
      const provider = annotation.slice(0, -ALLOCATED.length);
      return portName(
        annotations[`${provider}.kubernetes.io/virtualmachine`] ?? name,
        namespace!,
        provider,
      );
    });
}

export const portName = (owner: string, namespace: string, provider: string): string =>
  provider === OVN ? `${owner}.${namespace}` : `${owner}.${namespace}.${provider}`;

type Network = { readonly multus?: { readonly networkName: string; readonly default?: boolean } };

function portsOfMachine(
  { metadata: { name, namespace }, spec }: Thing,
  forgetsNetworks: boolean,
): string[] {
  const networks = (
    (spec?.['template'] as { spec?: { networks?: readonly Network[] } } | undefined)?.spec
      ?.networks ?? []
  ).flatMap((it) => it.multus ?? []);
  const attached = networks.map(({ networkName }) =>
    portName(name, namespace!, `${networkName.split('/').reverse().join('.')}.ovn`),
  );
  if (forgetsNetworks) return [`${name}.${namespace}`];
  return networks.some((it) => it.default) ? attached : [`${name}.${namespace}`, ...attached];
}
