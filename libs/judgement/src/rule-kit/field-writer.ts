import type { Entity } from '../world/entity';
import type { ManagedFields } from '../world/typed-object';

/** Managers of Kube-OVN's own programs: client-go names a manager after its executable. */
const KUBE_OVN = /^kube-ovn/;

/**
 * Who wrote a field of the object, by those managed fields that have it: programs of Kube-OVN only,
 * another too, or nobody, which no field can be. What kubectl dumps does not record it.
 */
export function fieldWriter(
  { object: { metadata } }: Entity<'Pod' | 'Vip' | 'OvnEip'>,
  owns: (fields: NonNullable<ManagedFields['fieldsV1']>) => boolean,
): 'kube-ovn' | 'another' | 'nobody' | 'not recorded' {
  if (metadata.managedFields === undefined) return 'not recorded';
  const writers = metadata.managedFields.filter(({ fieldsV1 }) => fieldsV1 && owns(fieldsV1));
  if (writers.length === 0) return 'nobody';
  return writers.every(({ manager }) => KUBE_OVN.test(manager)) ? 'kube-ovn' : 'another';
}
