import { Settings } from '@ovn-steward/shared/settings/settings';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { describeSourceType } from '../source-type.contract';
import { ovnServers } from './ovn-servers.source';

describeWith(ovn, 'a Northbound server', () => {
  let server: OvnServer;
  beforeAll(async () => {
    server = await startOvnStandalone({ database: recording('shared-neutron', 'nb.db') });
  });
  afterAll(() => server.stop());

  describeSourceType('the servers of an OVN database', ovnServers, async () => ({
    request: {
      system: 'ovn-nb',
      where: server.remote,
      settings: Settings.parse({ cluster: 'test' }),
      replay: 'final',
      unreachableAfterMs: 200,
    },
    unreadable: async () => 'unix:/nonexistent/nb.sock',
  }));
});
