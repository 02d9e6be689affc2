import { createAnalyzer } from './analyze';
import { createCluster } from './create-cluster';
import { others } from './others';
import { changeKinds } from './outages';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';

test('who was told of each change finds what somebody finds who reads all anew', async () => {
  const draws = random(7);
  const cluster = await createCluster(draws);
  const following = createAnalyzer(cluster);
  let found = 0;
  for (let look = 0; look < 40; look++) {
    for (let move = 0; move < 12; move++) others(cluster);
    if (look % 10 === 5) changeKinds(cluster);
    const told = following.findings().map((it) => ({ ...it, revision: 0 }));
    const anew = createAnalyzer(cluster).findings();
    expect(told).toEqual(anew.map((it) => ({ ...it, revision: 0 })));
    found += told.length;
  }
  expect(found).toBeGreaterThan(100);
});
