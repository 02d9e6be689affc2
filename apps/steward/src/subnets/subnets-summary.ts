import type { SubnetReport } from '@ovn-steward/analyzer';
import { colours as pc } from '../output/colours';
import { subnetVerdict } from './subnet-verdict';

/** From so many on a list begins with how many there are of what. */
const MANY = 20;

/** How many subnets need attention, before a list of many; nothing where few are listed. */
export function subnetsSummary(subnets: readonly SubnetReport[]): string {
  if (subnets.length < MANY) return '';
  const count = (verdict: ReturnType<typeof subnetVerdict>): number =>
    subnets.filter((it) => subnetVerdict(it) === verdict).length;
  const words = [
    [count('wrong'), 'need attention'],
    [count('unknown'), 'not known in full'],
    [count('well'), 'well'],
  ] as const;
  const parts = words.filter(([some]) => some > 0).map(([some, what]) => `${some} ${what}`);
  return `${pc.bold(`${subnets.length} subnets: ${parts.join(', ')}`)}\n\n`;
}
