import { field } from './addresses';
import type { Objects } from './objects';

const DEFAULT_SUBNET = 'ovn-default';
const KEY = 'ovn.kubernetes.io/logical_switch';

/**
 * Which subnets a namespace's pods get: those whose spec names it, else the default one; written to
 * its annotation (kube-ovn.md §8.1). Where a subnet names a Vpc that does not exist, the run ends
 * with an error and no namespace is annotated any more (row 42, #5028).
 */
export async function annotateNamespaces(objects: Objects): Promise<void> {
  const subnets = (await objects.list('Subnet')).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  const vpcs = new Set((await objects.list('Vpc')).map(({ metadata }) => metadata.name));
  if (subnets.some((it) => field(it, 'vpc') !== '' && !vpcs.has(field(it, 'vpc')))) return;
  for (const namespace of await objects.list('Namespace')) {
    const { name, annotations = {} } = namespace.metadata;
    const chosen = subnets
      .filter(({ spec }) => ((spec?.['namespaces'] ?? []) as string[]).includes(name))
      .map(({ metadata }) => metadata.name);
    const wanted = chosen.length === 0 ? DEFAULT_SUBNET : chosen.join(',');
    const written = new Set((annotations[KEY] ?? '').split(','));
    if (
      new Set([...written, ...wanted.split(',')]).size === written.size &&
      wanted.split(',').length === written.size
    )
      continue;
    await objects.write({
      ...namespace,
      metadata: { ...namespace.metadata, annotations: { ...annotations, [KEY]: wanted } },
    });
  }
}

/**
 * The first subnet of the namespace whose status shows a free address (kube-ovn.md §8.2); undefined
 * for none.
 */
export async function subnetFor(objects: Objects, namespace: string): Promise<string | undefined> {
  const list = (
    (await objects.get('Namespace', namespace))?.metadata.annotations?.[KEY] ?? ''
  ).split(',');
  for (const name of new Set(list)) {
    if (
      name !== '' &&
      Number((await objects.get('Subnet', name))?.status?.['v4availableIPs'] ?? 0) > 0
    )
      return name;
  }
  return undefined;
}
