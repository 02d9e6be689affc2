import type { Rule } from '../rule-kit/rule';
import type { Kind } from '../world/entity';
import { object } from './builders';
import { type Cases, testRule } from './test-rule';
import { world } from './world-builder';

/** Tries a rule about changes that were not carried out, by one of the fields that it compares. */
export function testUnappliedChange(
  rule: Rule<never, never> | Rule,
  { kind, field, wanted, has }: { kind: Kind; field: string; wanted: string; has: string },
  more: Partial<Cases> = {},
): void {
  const changed = (spec = wanted, status = has, ready = true, metadata = {}) =>
    world(
      object(kind, 'web', {
        metadata,
        spec: { [field]: spec },
        status: { [field]: status, ready },
      }),
    );
  testRule(rule, {
    healthy: {
      'it is as it asks to be': changed(has),
      'it is not ready yet': changed(wanted, has, false),
      'it is being deleted': changed(wanted, has, true, {
        deletionTimestamp: '2026-01-01T00:00:00Z',
      }),
      'its spec does not say it': changed(''),
      'its status does not say it': changed(wanted, ''),
      ...more.healthy,
    },
    violation: {
      'it was changed': {
        given: changed(),
        summary: `${kind} web asks for ${field} ${wanted} and still has ${has}: Kube-OVN has not carried out the change`,
      },
      ...more.violation,
    },
  });
}
