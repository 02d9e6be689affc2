import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Channel } from './decisions';
import { followedFindings } from './followed-findings';

/**
 * The findings of a cluster as its log or its pipeline's memory has them, resolved ones among them.
 * @throws Failure `input-not-found`, and as reading a log does.
 */
export async function knownFindings(channel: Channel): Promise<readonly Finding[]> {
  const followed = followedFindings(channel);
  try {
    const { findings } = await followed.read();
    return findings.filter((it) => it.cluster === channel.cluster);
  } finally {
    await followed.close();
  }
}
