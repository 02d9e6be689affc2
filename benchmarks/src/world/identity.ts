/** What an identity is for; each has numbers of its own. */
export type Space =
  | 'switch'
  | 'port'
  | 'router'
  | 'router-port'
  | 'policy'
  | 'group'
  | 'acl'
  | 'address-set'
  | 'balancer'
  | 'global'
  | 'node'
  | 'namespace'
  | 'workload'
  | 'owner'
  | 'pod'
  | 'ip'
  | 'subnet'
  | 'vpc'
  | 'service'
  | 'network-policy'
  | 'definition'
  | 'machine'
  | 'instance'
  | 'container';

const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/** 32 bits in which every bit of the input counts (the finaliser of MurmurHash3). */
function mix(number: number): number {
  let hash = number >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const spaceNumber = (space: Space): number =>
  [...space].reduce((sum, it) => Math.imul(sum, 31) + it.charCodeAt(0), 7);

const word = (seed: number, number: number, nth: number): string =>
  mix(
    mix(seed + Math.imul(number, PRIMES[nth % 4]!)) ^
      Math.imul(number + nth, PRIMES[(nth + 1) % 4]!),
  )
    .toString(16)
    .padStart(8, '0');

/**
 * Identities made up from numbers alone: the same seed, space and number always give the same one,
 * so none need be remembered.
 */
export interface Identities {
  uuid(space: Space, number: number): string;
  /** Letters and digits as Kubernetes puts at the end of generated names. */
  suffix(space: Space, number: number, length: number): string;
  mac(number: number): string;
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export function identities(seed: number): Identities {
  const hex = (space: Space, number: number): string => {
    const own = mix(seed ^ spaceNumber(space));
    return [0, 1, 2, 3].map((nth) => word(own, number, nth)).join('');
  };
  return {
    uuid(space, number) {
      const digits = hex(space, number);
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
    },
    suffix(space, number, length) {
      const digits = hex(space, number);
      return Array.from(
        { length },
        (_, nth) => ALPHABET[parseInt(digits.slice(nth * 2, nth * 2 + 2), 16) % ALPHABET.length],
      ).join('');
    },
    mac: (number) => `0a:${[...number.toString(16).padStart(10, '0').matchAll(/../g)].join(':')}`,
  };
}
