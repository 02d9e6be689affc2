import { DENY_ALL, groupsNamedBy, LISTED_GROUPS } from '../kube-ovn/security-groups';
import { aclsByDirection } from '../relations/acls-by-direction';
import { absent, absentRow, present, value } from '../rule-kit/facts';
import { podsOfPort } from '../rule-kit/pods-of-port';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';

/**
 * The port of a living pod in the group whose ACLs drop everything, none of whose own security
 * groups exists in OVN.
 *
 * The controller lists the members of that group anew whenever the ports of some SecurityGroup are
 * set, and at its start, and leaves out a port of whose groups none has a port group
 * (`updateDenyAllSgPorts`). The deletion of a SecurityGroup takes its port group and its ACLs, and
 * does neither (`handleDeleteSg`, both pkg/controller/security_group.go, v1.12 to master). A port group
 * that is lost while its SecurityGroup stands is `security-group-without-acls`'s.
 */
export default defineRule({
  id: 'denied-port-without-security-group',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Switch_Port',
  reads: ['Pod', 'SecurityGroup', 'Port_Group', 'ACL'],
  about:
    'All traffic of a living pod is dropped: its port is in the group that drops what no SecurityGroup lets through, and none of the SecurityGroups that the port names exists any more. A restart of the controller takes the port out, and so does a change of the rules of any other SecurityGroup; then everything passes.',

  check(port, view) {
    const ids = port.object.external_ids ?? {};
    const memberOf = port.object._port_groups ?? [];
    if (memberOf.length === 0) return healthy;
    const denying = view
      .identities('Port_Group', DENY_ALL)
      .find(({ uid }) => memberOf.includes(uid));
    if (!denying || !view.has(aclsByDirection, `${denying.uid} to-lport drop`)) return healthy;
    const named = groupsNamedBy(ids);
    const mayExist = named.some(
      ({ name, portGroup }) =>
        view.presence('SecurityGroup', name) !== 'absent' ||
        view.presence('Port_Group', portGroup) !== 'absent',
    );
    if (mayExist) return healthy;
    const pods = podsOfPort(port, view);
    if (pods.length === 0) return healthy;
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;
    const why =
      named.length === 0
        ? 'it names no SecurityGroup'
        : `no SecurityGroup that it names exists (${named.map(({ name }) => name).join(', ')})`;
    return violation({
      summary: `all traffic of port ${port.name} of pod ${pods.map(keyOf).sort().join(' and ')} is dropped: it is in port group ${DENY_ALL}, and ${why}`,
      owner,
      concerns: pods,
      proof: [
        present(port),
        value(port, `external_ids[${LISTED_GROUPS}]`, ids[LISTED_GROUPS] ?? ''),
        ...named.flatMap(({ name, portGroup }) => [
          absent('SecurityGroup', name),
          absentRow('Port_Group', portGroup),
        ]),
        ...pods.map(present),
      ],
    });
  },
});
