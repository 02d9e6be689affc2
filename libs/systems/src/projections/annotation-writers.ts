import { mapping, Mismatch, type Shape } from './shape';

/** Annotations by which a subnet is chosen, and by which Kube-OVN says which it chose. */
const SUBNET_KEY = /^f:[a-z0-9.-]+\.kubernetes\.io\/logical_switch$/;

const within = (value: unknown, key: string): Record<string, unknown> => {
  const inner = value === undefined ? undefined : mapping(value)[key];
  return inner === undefined ? {} : mapping(inner);
};

/**
 * Of `metadata.managedFields` (Kubernetes, server-side apply) the entries whose manager wrote which
 * subnet a pod is in, in Kubernetes' own form. An admission webhook's writing belongs to the
 * manager that made the request, so what was there from the beginning is not Kube-OVN's.
 */
export const subnetWriters: Shape = (value) => {
  if (!Array.isArray(value)) throw new Mismatch('a list', value);
  return value.flatMap((entry: unknown) => {
    const { manager, fieldsV1 } = mapping(entry);
    const owned = within(within(fieldsV1, 'f:metadata'), 'f:annotations');
    const keys = Object.keys(owned).filter((key) => SUBNET_KEY.test(key));
    if (keys.length === 0) return [];
    const annotations = Object.fromEntries(keys.map((key) => [key, {}]));
    return [
      {
        manager: typeof manager === 'string' ? manager : '',
        fieldsV1: { 'f:metadata': { 'f:annotations': annotations } },
      },
    ];
  });
};
