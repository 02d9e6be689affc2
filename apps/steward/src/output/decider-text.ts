import type { Decider } from '@ovn-steward/contracts/control/decided-by';
import { safeText } from '@ovn-steward/shared/safe-text';

/**
 * Who decided, how that was proven and from where: `paul (proven by kubernetes, from 10.0.0.9,
 * signed by http)`.
 */
export function deciderText({ by, authenticated, signedBy }: Decider): string {
  if (authenticated === undefined) return safeText(by);
  const { method, issuer, from } = authenticated;
  const how = [
    `proven by ${method}${issuer === undefined ? '' : ` of ${issuer}`}`,
    `from ${from}`,
    ...(signedBy === undefined ? [] : [`signed by ${signedBy}`]),
  ];
  return safeText(`${by} (${how.join(', ')})`);
}
