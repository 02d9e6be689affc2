import { attachmentsIn, DEFAULT_NETWORK, NETWORKS } from '../kube-ovn/attachments';
import { isAlive } from '../kube-ovn/pod-networks';
import type { Entity } from '../world/entity';

const ALLOCATED = '.kubernetes.io/allocated';

/** What decides which attachments the ports and addresses of one workload are for. */
export type AttachmentRequester = Entity<
  'Pod' | 'StatefulSet' | 'VirtualMachine' | 'VirtualMachineInstance'
>;

/**
 * The attachment behind `<owner>.<namespace>.` in the name of an address record (kube-ovn.md §2);
 * undefined for the default interface, and for a name somebody chose.
 */
export function attachmentOf({ name, object: { spec } }: Entity<'IP'>): string | undefined {
  const stem = `${spec?.podName ?? ''}.${spec?.namespace ?? ''}.`;
  return stem.length > 3 && name.startsWith(stem) && name.length > stem.length
    ? name.slice(stem.length)
    : undefined;
}

/**
 * Whether it requests the attachment, or Kube-OVN recorded on it that it has it; undefined where
 * its request cannot be read.
 */
export function requestsAttachment(
  requester: AttachmentRequester,
  attachment: string,
): boolean | undefined {
  const requested = definitionsOf(requester);
  if (
    isRecorded(requester, attachment) ||
    requested.some((it) => it !== undefined && isOf(it, attachment))
  )
    return true;
  const hidden = isTemplated(requester) && templateOf(requester.object) === undefined;
  return hidden || requested.includes(undefined) ? undefined : false;
}

/**
 * Whether the living pods of an owner, of which there are some, have as many interfaces of the
 * attachment's definition as anything requests, and none is that attachment. From v1.16 on Kube-OVN
 * names each of several after the interface; a single one has no such name
 * (pkg/controller/pod.go, getPodAttachmentNet). In earlier releases all were one.
 */
export function hasOthersInstead(
  requesters: readonly AttachmentRequester[],
  attachment: string,
): boolean {
  const pods = requesters.filter((it) => it.kind === 'Pod') as Entity<'Pod'>[];
  const living = pods.filter(isAlive);
  if (living.length === 0 || requesters.some((it) => isRecorded(it, attachment))) return false;
  const requested = requesters.map((it) => definitionsOf(it).filter((of) => mayBe(of, attachment)));
  const definitions = new Set(requested.flat());
  const most = Math.max(...requested.map((it) => it.length));
  return !definitions.has(undefined) && living.every((it) => servedOf(it, definitions) >= most);
}

/** How many interfaces of the definitions Kube-OVN says the pod has. */
const servedOf = (pod: Entity<'Pod'>, definitions: ReadonlySet<string | undefined>): number =>
  Object.entries(annotationsOf(pod)).filter(
    ([key, text]) =>
      text === 'true' &&
      key.endsWith(ALLOCATED) &&
      [...definitions].some((it) => mayBe(it, key.slice(0, -ALLOCATED.length))),
  ).length;

/** The definitions it requests, in all its forms; undefined for what cannot be read. */
const definitionsOf = (requester: AttachmentRequester): (string | undefined)[] =>
  requestedAttachments(requester).flatMap((it) => attachmentsIn(it, requester.namespace));

const mayBe = (definition: string | undefined, attachment: string): boolean =>
  definition === undefined || isOf(definition, attachment);

/** Whether Kube-OVN wrote on it that it has the attachment. */
const isRecorded = (requester: AttachmentRequester, attachment: string): boolean =>
  Object.keys(annotationsOf(requester)).some((it) => it.startsWith(`${attachment}.kubernetes.io/`));

/** The texts that name what it requests, in Multus' forms. */
export function requestedAttachments(requester: AttachmentRequester): string[] {
  const annotations = annotationsOf(requester);
  const texts = [annotations[NETWORKS], annotations[DEFAULT_NETWORK]];
  const networks =
    requester.kind === 'VirtualMachine'
      ? (requester as Entity<'VirtualMachine'>).object.spec?.template?.spec?.networks
      : requester.kind === 'VirtualMachineInstance'
        ? (requester as Entity<'VirtualMachineInstance'>).object.spec?.networks
        : [];
  return [...texts, ...(networks ?? []).map((it) => it.multus?.networkName)].filter(
    (it) => it !== undefined,
  );
}

interface Templated {
  readonly spec?: {
    readonly template?: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
    };
  };
}

/** A machine's instance has no template, nor has a pod: what they request is their own. */
const isTemplated = ({ kind }: Pick<AttachmentRequester, 'kind'>): boolean =>
  kind === 'StatefulSet' || kind === 'VirtualMachine';

const templateOf = (object: object) => (object as Templated).spec?.template;

const annotationsOf = ({ kind, object }: AttachmentRequester): Readonly<Record<string, string>> =>
  (isTemplated({ kind })
    ? templateOf(object)?.metadata?.annotations
    : object.metadata.annotations) ?? {};

/**
 * Whether the definition `<namespace>/<name>` may have made that attachment: of another CNI, of
 * Kube-OVN's, or one of several interfaces of it.
 */
function isOf(definition: string, attachment: string): boolean {
  const slash = definition.indexOf('/');
  const provider = `${definition.slice(slash + 1)}.${definition.slice(0, slash)}`;
  return attachment === provider || attachment.startsWith(`${provider}.`);
}
