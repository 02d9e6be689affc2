import { createMeter } from '@ovn-steward/service/meter/meter';
import { ip, object } from '@ovn-steward/judgement/testing/builders';
import type { TestWorld } from '@ovn-steward/judgement/testing/world-builder';
import { world } from '@ovn-steward/judgement/testing/world-builder';
import { ANALYZER_SERVICE_METRICS, showPictures } from './metrics';
import { MOST_SUBNETS } from './subnet-metrics';

const subnet = (name: string, more: Record<string, unknown> = {}) => object('Subnet', name, {
  spec: { vpc: 'blue', cidrBlock: '10.17.0.0/24', protocol: 'IPv4', gateway: '10.17.0.1', excludeIps: ['10.17.0.1'], ...more },
  status: { v4usingIPs: 2, v4availableIPs: 251, conditions: [{ type: 'Ready', status: 'True' }, { type: 'Validated', status: 'False' }] },
});

const meter = createMeter(ANALYZER_SERVICE_METRICS);

/** The series of subnets after a scrape of that world. */
async function told(given: TestWorld): Promise<string[]> {
  const picture = { findings: () => [], unknowns: () => [], streams: () => [], world: given.fold() };
  showPictures(meter, new Map([['lab', { picture, sources: [], expected: [], now: 0 }]]));
  return (await meter.text()).split('\n').filter((it) => it.startsWith('steward_subnet'));
}

test('one subnet: conditions, addresses in status and truth, its VLAN', async () =>
  expect(await told(world(subnet('apps', { vlan: 'v1' }), ip('a.shop', {})))).toEqual([
    'steward_subnets{cluster="lab"} 1',
    'steward_subnet_ready{subnet="apps",vpc="blue",cluster="lab"} 1',
    'steward_subnet_validated{subnet="apps",vpc="blue",cluster="lab"} 0',
    'steward_subnet_terminating{subnet="apps",vpc="blue",cluster="lab"} 0',
    'steward_subnet_addresses_used{subnet="apps",vpc="blue",family="v4",cluster="lab"} 2',
    'steward_subnet_addresses_counted{subnet="apps",vpc="blue",family="v4",cluster="lab"} 1',
    'steward_subnet_addresses_available{subnet="apps",vpc="blue",family="v4",cluster="lab"} 252',
    'steward_subnet_vlan_present{subnet="apps",vpc="blue",cluster="lab"} 0',
  ].map((it) => it.replace(/\{(.*?),?cluster="lab"\}/, (_, rest: string) => (rest === '' ? '{cluster="lab"}' : `{cluster="lab",${rest}}`)))));

test('the series of a removed subnet go with it', async () => {
  await told(world(subnet('apps'), subnet('gone')));
  const now = await told(world(subnet('apps')));
  expect(now.filter((it) => it.includes('gone'))).toEqual([]);
  expect(now).toContain('steward_subnets{cluster="lab"} 1');
});

test('what is not known has no series', async () => {
  const series = await told(world(subnet('apps', { vlan: 'v1' })).unlisted('Vip', 'Vlan'));
  expect(series.filter((it) => /counted|available|vlan/.test(it))).toEqual([]);
});

test('a cluster with very many subnets has series for a bounded number', async () => {
  const many = await told(world(...Array.from({ length: MOST_SUBNETS + 5 }, (_, i) => subnet(`s${i}`))));
  expect(many.filter((it) => it.startsWith('steward_subnet_ready'))).toHaveLength(MOST_SUBNETS);
  expect(many).toContain(`steward_subnets{cluster="lab"} ${MOST_SUBNETS + 5}`);
});
