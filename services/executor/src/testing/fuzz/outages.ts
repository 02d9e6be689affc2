import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Cluster } from './cluster';
import type { Missing } from './schema-view';

const VERBS = ['get', 'list', 'delete', 'patch', 'create', 'serves', 'count'] as const;
/** Custom kinds somebody may uninstall with all that is of them. */
const UNINSTALLED = [
  'VirtualMachine',
  'VirtualMachineInstance',
  'SecurityGroup',
  'Vip',
  'OvnEip',
  'IPPool',
  'NetworkAttachmentDefinition',
] as const;

/** Columns by which owners and users of a row are known, besides references. */
const REPORTING: ReadonlySet<string> = new Set([
  'name',
  'external_ids',
  'options',
  'addresses',
  'up',
  'type',
  'match',
  'vips',
  'nexthop',
]);

/** A right is taken from this client's account, or all that were taken are given back. */
export function changeRights({ random }: Cluster, kubernetes: MemoryKubernetes): void {
  const { forbidden } = kubernetes;
  if (forbidden.size > 0 && random.chance(0.6)) forbidden.clear();
  else forbidden.add(`${random.pick(VERBS)} ${random.pick(KUBERNETES_KINDS).kind}`);
}

/** A CustomResourceDefinition goes, and all objects of it; or it is there again, without them. */
export function changeKinds({ random, kubernetes }: Cluster): void {
  const kind = random.pick(UNINSTALLED);
  if (kubernetes.notInstalled.delete(kind)) return;
  for (const { metadata } of kubernetes.objects(kind))
    kubernetes.remove(kind, metadata.namespace, metadata.name);
  kubernetes.notInstalled.add(kind);
}

/**
 * The database is led by another server: all locks are lost, and whoever writes is refused until it
 * has taken over again.
 */
export async function changeLeader({ northbound }: Cluster): Promise<void> {
  const signal = new AbortController().signal;
  const usurper = northbound.peer();
  await usurper.takeOver(signal);
  await usurper.close();
}

/**
 * The servers show another schema, as after a downgrade: a table or a column is missing, or all
 * that was missing is there again.
 * @param about a table somebody is about.
 */
export function changeSchema(
  { random, northbound, shown }: Cluster,
  about: string | undefined,
): void {
  const { version, missing } = shown.view;
  const tables = [...northbound.database.schema.tables.values()];
  const filled = tables.filter(({ name }) => northbound.database.rows(name).size > 0);
  const its = filled.filter(({ name }) => name === about);
  const table = random.pick(its.length > 0 && random.chance(0.5) ? its : filled);
  const columns = [...table.columns.values()];
  const reporting = columns.filter(
    ({ name, key }) => REPORTING.has(name) || key.refTable !== undefined,
  );
  const absence: Missing = random.chance(0.3)
    ? { table: table.name }
    : {
        table: table.name,
        column: random.pick(reporting.length > 0 && random.chance(0.7) ? reporting : columns).name,
      };
  shown.view = {
    version: version + 1,
    missing: missing.length > 0 && random.chance(0.6) ? [] : [...missing, absence],
  };
}

/** Every table and column is there again. */
export function restoreSchema({ shown }: Cluster): void {
  if (shown.view.missing.length > 0) shown.view = { version: shown.view.version + 1, missing: [] };
}

/**
 * Lists come in pages, and others write meanwhile: of the torn one what lies before a name is as it
 * was before the request, and what lies behind as it is when the answer comes. Now and then a page
 * fails after the first, and all of it with it.
 */
export function tearLists(
  kubernetes: MemoryKubernetes,
  { random }: Cluster,
  isQuiet: () => boolean,
  share: number,
): void {
  const { list } = kubernetes;
  kubernetes.list = async (kind, namespace, signal, only) => {
    if (isQuiet() || only !== undefined || !random.chance(share))
      return list(kind, namespace, signal, only);
    const before = kubernetes.objects(kind);
    const answer = await list(kind, namespace, signal, only);
    const from = random.int(before.length + 1);
    const first = before
      .slice(0, from)
      .filter((it) => namespace === undefined || it.metadata.namespace === namespace);
    const pages = new Set(before.slice(0, from).map((it) => keyOf(it.metadata)));
    return [...first, ...answer.filter((it) => !pages.has(keyOf(it.metadata)))];
  };
}

const keyOf = ({ namespace = '', name }: { namespace?: string; name: string }): string =>
  `${namespace}/${name}`;
