import { join } from 'node:path';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { startNorthd, type Northd } from '@ovn-steward/testbed/northd';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { observe, RECORDINGS } from './testing/truth';

const KUBERNETES = join(RECORDINGS, 'clean');
const PORT = 'vm-multi.vms.vm-lan.vms.ovn';
/** By the names of their nodes. */
const CHASSIS = {
  'cp-1': 'c08a59c0-f7cd-5860-871b-35497d09dae5',
  'worker-1': '60f4a89a-537d-5139-a70b-cb9eaec86327',
} as const;

describeWith(ovn, 'a Northbound and a Southbound with ovn-northd between them', () => {
  let nb: OvnServer;
  let sb: OvnServer;
  let northd: Northd;
  beforeEach(async () => {
    nb = await startOvnStandalone({ database: recording('clean', 'nb.db') });
    sb = await startOvnStandalone({ database: recording('clean', 'sb.db'), schema: 'sb' });
    northd = await startNorthd({ nb: nb.remote, sb: sb.remote });
  });
  afterEach(async () => {
    await northd.stop();
    await Promise.all([nb.stop(), sb.stop()]);
  });

  const found = async (southbound = sb.remote): Promise<string[]> => {
    const engine = await observe(nb.remote, KUBERNETES, southbound);
    return engine
      .findings()
      .map(({ rule, summary }) => `${rule}: ${summary}`)
      .sort();
  };

  test('nothing is found in a healthy cluster', async () => {
    expect(await found()).toEqual([]);
  });

  test('a port that another chassis took is found', async () => {
    await sb.nbctl('lsp-unbind', PORT, '--', 'lsp-bind', PORT, CHASSIS['cp-1']);
    expect(await found()).toEqual([
      `port-bound-elsewhere: port ${PORT} of pod vms/virt-launcher-vm-multi-wsjxr, which runs on worker-2, is bound on cp-1 (chassis ${CHASSIS['cp-1']})`,
    ]);
  });

  test('a node whose chassis was removed is found', async () => {
    await sb.nbctl('chassis-del', CHASSIS['worker-1']);
    expect(await found()).toContain(
      'node-without-chassis: Node worker-1 is ready and has no chassis in the Southbound',
    );
  });

  test('a Southbound of another network says nothing', async () => {
    const other = await startOvnStandalone({ schema: 'sb' });
    const others = await startOvnStandalone();
    const between = await startNorthd({ nb: others.remote, sb: other.remote });
    try {
      await others.nbctl('init');
      await others.nbctl('--wait=sb', 'sync');
      expect(await found(other.remote)).toEqual([]);
    } finally {
      await between.stop();
      await Promise.all([other.stop(), others.stop()]);
    }
  });
});
