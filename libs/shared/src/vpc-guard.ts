/** Our finalizer on a Vpc: it holds the deletion until no Subnet names the Vpc (docs/guard.md). */
export const VPC_GUARD = 'ovn-steward.dev/vpc-guard';
