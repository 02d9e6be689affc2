import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';

/** The VPC of a Subnet, by its spec: the default one where that names none (kube-ovn.md §7.1). */
export const vpcOfSubnet = (spec: { readonly vpc?: unknown } | undefined): string =>
  typeof spec?.vpc === 'string' && spec.vpc !== '' ? spec.vpc : DEFAULT_VPC;

/**
 * The VPC that a thing lies in: that of its subnet, else the one it names itself, else that of the
 * only router that holds it.
 *
 * @param scope what the thing, or its finding, says itself.
 * @param around the VPC of its subnet, where that subnet exists, and the name of its router, where
 *   there is one.
 * @returns null where none of these is known.
 */
export const vpcOf = (
  scope: Finding['scope'],
  around: { readonly ofSubnet?: string | undefined; readonly router?: string | undefined },
): string | null => around.ofSubnet ?? scope?.vpc ?? (around.router || null);
