import { annotate, type Cluster, deleteObject } from '../cluster';
import type { GroupRule } from '../kube-ovn/security-group-rows';
import { networksOf } from '../kube-ovn/pod';
import { SYSTEM } from './people';

/** The names of two of them give one group in OVN. */
const GROUPS = ['web', 'web', 'web', 'back', 'back', 'back', 'sg-a', 'sg.a'] as const;
/** What pods say, most often of groups that are there; some with blanks, as people write. */
const SAID = ['web', 'web', 'back', 'web,back', 'web, back', 'sg.a', 'sg-a', 'nowhere', undefined];

const rule = { ipVersion: 'ipv4', policy: 'allow' } as const;
const RULES: readonly GroupRule[] = [
  {
    ...rule,
    priority: 10,
    protocol: 'tcp',
    portRangeMin: 80,
    portRangeMax: 80,
    remoteType: 'address',
    remoteAddress: '10.0.0.0/8',
  },
  {
    ...rule,
    priority: 10,
    protocol: 'udp',
    portRangeMin: 53,
    portRangeMax: 53,
    remoteType: 'address',
    remoteAddress: '192.168.7.0/24',
  },
  {
    ...rule,
    priority: 20,
    protocol: 'all',
    policy: 'drop',
    remoteType: 'address',
    remoteAddress: '172.16.0.0/12',
  },
  {
    ...rule,
    priority: 30,
    protocol: 'all',
    remoteType: 'securityGroup',
    remoteSecurityGroup: 'web',
  },
];

/** Security groups come, change and go, and pods name them or name them no more. */
export function changeSecurityGroup(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  if (random.chance(0.6)) return changeGroupsOfPod(cluster);
  const name = random.pick(GROUPS);
  const known = objects.get('SecurityGroup', undefined, name);
  if (known && random.chance(0.4)) return deleteObject(cluster, known, false);
  const [ingressRules, egressRules] = [0.4, 0.2].map((share) =>
    RULES.filter(() => random.chance(share)),
  );
  const spec = { ingressRules, egressRules, allowSameGroupTraffic: random.chance(0.3) };
  cluster.put({ ...known, kind: 'SecurityGroup', metadata: known?.metadata ?? { name }, spec });
  diary.push(`SecurityGroup ${name} ${known ? 'changed' : 'made'}: ${JSON.stringify(spec)}`);
}

function changeGroupsOfPod(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const pod = random.maybe(
    [...objects.all('Pod')].filter(({ metadata }) => !SYSTEM.includes(metadata.namespace ?? '')),
  );
  const said = random.pick(SAID);
  const network = pod && random.maybe(networksOf(cluster, pod));
  if (!pod || !network) return;
  annotate(cluster, pod, { [`${network.provider}.kubernetes.io/security_groups`]: said });
  diary.push(`pod ${pod.metadata.name} names ${said ?? 'no group'} for ${network.provider}`);
}
