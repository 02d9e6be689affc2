import type { Rule } from '../rule-kit/rule';
import { object, row } from './builders';
import { testRule } from './test-rule';
import { world } from './world-builder';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const router = row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } });
const tenant = object('Vpc', 'tenant');
const running = object('Deployment', 'kube-system/kube-ovn-controller');

/** What is made of an OvnFip or an OvnSnatRule: one NAT on the router of its Vpc. */
export interface StuckNat {
  readonly kind: 'OvnFip' | 'OvnSnatRule';
  readonly type: 'dnat_and_snat' | 'snat';
  readonly logical: string;
  /** The column of its status that holds the logical address. */
  readonly column: 'v4Ip' | 'v4IpCidr';
}

/** An object that is being deleted and its NAT, as both kinds have it. */
export function testStuckOvnNat({ kind, type, logical, column }: StuckNat, rule: Rule): void {
  const otherType = type === 'snat' ? 'dnat_and_snat' : 'snat';
  const given = { vpc: 'tenant', v4Eip: '198.51.100.9', [column]: logical };
  const terminating = (
    status: Record<string, unknown> = given,
    metadata: Record<string, unknown> = going,
  ) => object(kind, 'r', { metadata, spec: { ovnEip: 'e' }, status });
  const nat = (its: string = type, address = logical) =>
    row('NAT', '', {
      uid: 'nat',
      type: its,
      external_ip: '198.51.100.9',
      logical_ip: address,
      _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
    });
  const since = `${kind} r has been terminating since 2026-01-01T00:00:00Z:`;
  const lost = `${since} its Vpc tenant no longer exists, nor does the router of that name, on which the controller looks for what it made`;
  const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`;
  const left = `${since} its NAT has not been removed: NAT nat`;

  testRule(rule, {
    healthy: { 'it is not being deleted': world(tenant, router, terminating(given, {})) },
    unknown: { 'rows are not read': world(terminating()).unlisted('NAT') },
    violation: {
      'its VPC and router went first (row 43)': {
        given: world(running, terminating()),
        summary: lost,
        action: 'strip-finalizer',
      },
      'its VPC went, but its router is there': {
        given: world(running, router, nat(), terminating()),
        summary: left,
        noRemedy: true,
      },
      'its NAT is left': {
        given: world(running, tenant, router, nat(), terminating()),
        summary: left,
        noRemedy: true,
      },
      'its NAT is on another router than it says': {
        given: world(
          running,
          row('Logical_Router', 'other', {
            uid: 'Logical_Router:tenant',
            external_ids: { vendor: 'kube-ovn' },
          }),
          nat(),
          terminating(),
        ),
        summary: `${lost}; its NAT has not been removed: NAT nat`,
        noRemedy: true,
      },
      'Kube-OVN was taken away, and its NAT is left': {
        given: world(tenant, router, nat(), terminating()),
        summary: left,
        action: 'delete-nat',
      },
      'only a NAT of another sort has its address': {
        given: world(running, tenant, router, nat(otherType), terminating()),
        summary: nothing,
        action: 'strip-finalizer',
      },
      'only a NAT for another address has its': {
        given: world(running, tenant, router, nat(type, '10.9.0.9'), terminating()),
        summary: nothing,
        action: 'strip-finalizer',
      },
      'it does not say which address it has': {
        given: world(running, terminating({ vpc: 'tenant' })),
        summary: lost,
        noRemedy: true,
      },
      "its router is another vendor's": {
        given: world(
          tenant,
          row('Logical_Router', 'tenant', { external_ids: { 'neutron:router_name': 'x' } }),
          nat(),
          terminating(),
        ),
        summary: left,
        noRemedy: true,
      },
      'an old finalizer is all that is left': {
        given: world(
          running,
          terminating(given, { ...going, finalizers: ['ovn.kubernetes.io/fip'] }),
        ),
        summary: `${since} finalizer ovn.kubernetes.io/fip, which no controller removes any more; ${lost.slice(since.length + 1)}`,
        action: 'strip-finalizer',
      },
    },
  });
}
