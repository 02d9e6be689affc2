import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { createAnalyzer } from './analyze';
import { createCluster } from './create-cluster';
import { others } from './others';
import { changeKinds } from './outages';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';

/** Who reads all again has not seen when an owner went, and counts revisions anew. */
const asFoundAnew = ({ cause, ...finding }: Finding): Finding => ({
  ...finding,
  revision: 0,
  ...(cause && { cause: { kind: cause.kind, key: cause.key, text: cause.text } }),
});

test('who got each change finds what somebody finds who reads all again', async () => {
  const draws = random(7);
  const cluster = await createCluster(draws);
  const following = createAnalyzer(cluster);
  let found = 0;
  for (let round = 0; round < 40; round++) {
    for (let move = 0; move < 12; move++) others(cluster);
    if (round % 10 === 5) changeKinds(cluster);
    const reported = following.findings().map(asFoundAnew);
    const anew = createAnalyzer(cluster).findings();
    expect(reported).toEqual(anew.map(asFoundAnew));
    found += reported.length;
  }
  expect(found).toBeGreaterThan(100);
});
