import { vipKey } from '../kube-ovn/vips';
import { balancersByVip } from '../relations/balancers-by-vip';
import type { Entity } from '../world/entity';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unclaimed, value } from '../rule-kit/facts';

/**
 * A DNAT rule that Kube-OVN calls ready, whose vip is not in the load balancer of its name. That
 * balancer is garbage to v1.12.35, which does not make it again (kube-ovn.md §4.5, row 53); and a
 * ready rule is passed over at each start and edit (§7.3).
 */
export default defineRule({
  id: 'ovn-dnat-rule-without-vip',
  class: 'missing',
  severity: 'critical',
  subject: 'OvnDnatRule',
  reads: ['Load_Balancer'],
  about:
    'A ready OvnDnatRule whose external address and port are not in the load balancer of its name: connections to it are not answered. Kube-OVN skips a ready one at each start and edit: delete the OvnDnatRule and create it again.',

  check(rule, view) {
    const { metadata, status } = rule.object;
    if (metadata.deletionTimestamp !== undefined || status?.ready !== true) return healthy;
    const missing = desired(rule).filter(
      ({ key }) => !view.has(balancersByVip, `${rule.name} ${key}`),
    );
    if (missing.length === 0) return healthy;
    const list = missing.map(
      ({ address, to }) => `${address} port ${status.externalPort!} for ${to}`,
    );
    return violation({
      summary: `OvnDnatRule ${rule.name} is ready, and load balancer ${rule.name} does not answer ${list.join(', nor ')}`,
      proof: [
        present(rule),
        value(rule, 'status.ready', 'true'),
        value(rule, 'status.externalPort', status.externalPort!),
        ...missing.map(({ key }) => unclaimed('Load_Balancer', 'vips', key.replaceAll('|', ' '))),
      ],
    });
  },
});

/** The vips its status says it was given, in each family of which both sides are known. */
function desired({ object: { status } }: Entity<'OvnDnatRule'>): {
  readonly address: string;
  readonly to: string;
  readonly key: string;
}[] {
  const { v4Eip, v4Ip, v6Eip, v6Ip, externalPort = '', protocol = '' } = status ?? {};
  if (!/^[0-9]{1,5}$/.test(externalPort) || protocol === '') return [];
  return [
    { address: v4Eip ?? '', to: v4Ip ?? '' },
    { address: v6Eip ?? '', to: v6Ip ?? '' },
  ].flatMap(({ address, to }) => {
    const key = vipKey(address, Number(externalPort), protocol);
    return key === undefined || to === '' ? [] : [{ address, to, key }];
  });
}
