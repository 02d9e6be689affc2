import { mapping, Mismatch, type Shape } from './shape';

/** Annotations by which a subnet is chosen, and by which Kube-OVN says which it chose. */
const SUBNET_KEY = /^f:[a-z0-9.-]+\.kubernetes\.io\/logical_switch$/;

/** A part of `fieldsV1`: the fields that a manager owns, in Kubernetes' own form. */
type OwnedFields = Readonly<Record<string, unknown>>;

const within = (value: unknown, key: string): OwnedFields => {
  const inner = value === undefined ? undefined : mapping(value)[key];
  return inner === undefined ? {} : mapping(inner);
};

/**
 * Of `metadata.managedFields` (Kubernetes, server-side apply) the entries whose manager owns what
 * `owned` keeps of its fields. An admission webhook's writing belongs to the manager that made the
 * request, so what was there from the beginning is not Kube-OVN's.
 */
const writers =
  (owned: (fieldsV1: unknown) => OwnedFields | undefined): Shape =>
  (value) => {
    if (!Array.isArray(value)) throw new Mismatch('a list', value);
    return value.flatMap((entry: unknown) => {
      const { manager, fieldsV1 } = mapping(entry);
      const fields = owned(fieldsV1);
      if (fields === undefined) return [];
      return [{ manager: typeof manager === 'string' ? manager : '', fieldsV1: fields }];
    });
  };

/** Who wrote which subnet a pod is in. */
export const podSubnetWriters = writers((fieldsV1) => {
  const annotations = within(within(fieldsV1, 'f:metadata'), 'f:annotations');
  const keys = Object.keys(annotations).filter((key) => SUBNET_KEY.test(key));
  if (keys.length === 0) return undefined;
  const kept = Object.fromEntries(keys.map((key) => [key, {}]));
  return { 'f:metadata': { 'f:annotations': kept } };
});

const specWriters = (field: string): Shape =>
  writers((fieldsV1) =>
    Object.hasOwn(within(fieldsV1, 'f:spec'), field) ? { 'f:spec': { [field]: {} } } : undefined,
  );

/** Who wrote `spec.subnet`: who made the object, as nobody changes that field. */
export const specSubnetWriters = specWriters('f:subnet');

/** Who wrote `spec.externalSubnet`, which nobody changes either. */
export const externalSubnetWriters = specWriters('f:externalSubnet');
