import { portGroupOfSecurityGroup } from '../ownership/grammar/names';
import type { StringMap } from '../world/ovn-rows';

/**
 * Groups Kube-OVN makes for itself, whether or not a SecurityGroup object exists
 * (kube-ovn.md §3.4).
 */
export const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  'kubeovn_deny_all',
  'default-securitygroup',
]);

/** Where it drops all of a port's traffic that no security group lets through. */
export const DENY_ALL = 'ovn.sg.kubeovn_deny_all';

/** The key of a port that is in the group, with the value `true`; without blanks. */
export const keyOfMember = (group: string): string => `associated_sg_${group}`;

const MEMBER = keyOfMember('');

/** A key of a port that says it is in a group. */
interface MemberKey {
  readonly key: string;
  readonly group: string;
}

/**
 * The groups of which a port has the key. A new port has the blanks of its pod's annotation in it.
 */
export const memberKeysOf = (ids: StringMap): readonly MemberKey[] =>
  Object.keys(ids)
    .filter((key) => key.startsWith(MEMBER) && ids[key] === 'true')
    .map((key) => ({ key, group: key.slice(MEMBER.length).trim() }))
    .filter(({ group }) => group !== '');

/** The key of a port that lists its groups. */
export const LISTED_GROUPS = 'security_groups';

/** The groups that the port lists. */
export const listedGroupsOf = (ids: StringMap): readonly string[] =>
  Object.hasOwn(ids, LISTED_GROUPS)
    ? ids[LISTED_GROUPS]!.split('/')
        .map((it) => it.trim())
        .filter((it) => it !== '')
    : [];

/** A SecurityGroup that a port names, and the port group it has in OVN while it exists. */
interface NamedGroup {
  readonly name: string;
  readonly portGroup: string;
}

/** The groups that the port lists or has the key of, each once. */
export const groupsNamedBy = (ids: StringMap): readonly NamedGroup[] =>
  [...new Set([...listedGroupsOf(ids), ...memberKeysOf(ids).map(({ group }) => group)])].map(
    (name) => ({ name, portGroup: portGroupOfSecurityGroup(name) }),
  );
