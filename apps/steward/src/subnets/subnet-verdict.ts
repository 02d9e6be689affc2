import type { SubnetReport } from '@ovn-steward/analyzer';

/**
 * Whether a subnet needs attention: `wrong` where a finding stands, the controller says No, nothing
 * is free, its Vlan or ProviderNetwork is absent, or no node is its gateway; `unknown` where one of
 * these is not known. One that is being deleted is neither: the rules say when that hangs.
 */
export function subnetVerdict({
  findings,
  ready,
  validated,
  exhaustion,
  vlan,
  providerNetwork,
  activeGateway,
  addresses,
}: SubnetReport): 'well' | 'wrong' | 'unknown' {
  const presences = [vlan?.presence, providerNetwork?.presence];
  if (
    findings.length > 0 ||
    ready === false ||
    validated === false ||
    exhaustion.is === 'full' ||
    activeGateway === '' ||
    presences.includes('absent')
  )
    return 'wrong';
  return ready === null ||
    validated === null ||
    presences.includes('unknown') ||
    addresses.some(({ free }) => free === null)
    ? 'unknown'
    : 'well';
}
