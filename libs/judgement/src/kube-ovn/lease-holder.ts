import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';

/** As the world has a Lease, and a change. */
interface Lease {
  readonly kind: string;
  readonly name: string;
  readonly object: object;
}

export const isControllerLease = ({ kind, name }: Omit<Lease, 'object'>): boolean =>
  kind === 'Lease' && name === KUBE_OVN_CONTROLLER;

/** Who holds a Lease, `<pod>_<uuid>`; '' where nobody does, which it may say by leaving it out. */
export const holderOf = (lease: Pick<Lease, 'object'> | undefined): string =>
  String(
    (lease?.object as { spec?: { holderIdentity?: unknown } } | undefined)?.spec?.holderIdentity ??
      '',
  );

/** The pod of a holder, whose name has no underscore. */
export const podOfHolder = (holder: string): string => holder.split('_')[0]!;

/** Whether a controller took the lead: what it collects, it collects most of at its start. */
export const tookLead = (before: Lease | undefined, after: Lease | undefined): boolean =>
  after !== undefined &&
  isControllerLease(after) &&
  holderOf(after) !== '' &&
  holderOf(after) !== holderOf(before);
