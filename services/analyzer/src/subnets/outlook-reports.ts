import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { exhaustionOf } from '@ovn-steward/judgement/health/exhaustion';
import { type Outlook, outlookByVpc, outlookOf } from '@ovn-steward/judgement/health/outlook';
import { subnetsHealth } from '@ovn-steward/judgement/health/subnet-health';
import { type AsText, countText } from './subnet-reports';

/** What `steward subnets` reports of a VPC, or of the cluster. */
export interface OutlookReport extends Omit<Outlook, 'addresses'> {
  readonly addresses: readonly AsText<Outlook['addresses'][number]>[];
}

export interface OutlookReports {
  readonly vpcs: readonly (OutlookReport & { readonly vpc: string })[];
  readonly total: OutlookReport;
}

/** The sums of all subnets the engine's world holds. */
export function outlookReports({ world, now }: Pick<Engine, 'world' | 'now'>): OutlookReports {
  const foreseen = subnetsHealth(world).map((health) => ({
    health,
    exhaustion: exhaustionOf(health, world, now),
  }));
  return {
    vpcs: outlookByVpc(foreseen).map(({ vpc, ...it }) => ({ vpc, ...inText(it) })),
    total: inText(outlookOf(foreseen)),
  };
}

const inText = (outlook: Outlook): OutlookReport => ({
  ...outlook,
  addresses: outlook.addresses.map(({ family, held, free }) => ({
    family,
    held: countText(held),
    free: countText(free),
  })),
});
