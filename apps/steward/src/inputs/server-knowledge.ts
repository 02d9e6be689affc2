import {
  type ClusterStatus,
  documentOf,
  type Sources,
  type SubnetAddresses,
  type SubnetsPage,
} from '@ovn-steward/analyzer';
import type { SourceKnowledge } from '@ovn-steward/client';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import { answer, answerIfServed, pages } from './http-answers';
import type { HttpClient } from './http-client';

/**
 * What a server knows of a cluster. An executor does not judge: it has only the findings it may act
 * on.
 */
export interface ServerKnowledge {
  /** Resolved and suppressed ones among them; of an executor the confirmed ones with a remedy. */
  findings(): Promise<readonly Finding[]>;
  /**
   * How far each source is known, as of now; none of a cluster that a judging server does not know,
   * undefined where the server does not say it.
   */
  sources(): Promise<readonly SourceKnowledge[] | undefined>;
  /**
   * As `steward audit` writes it.
   * @throws Failure `config-invalid` for a server that does not judge.
   */
  document(): Promise<AuditDocument>;
  /**
   * All subnets, with the sums.
   * @throws Failure `config-invalid` for a server that does not judge.
   */
  subnets(): Promise<SubnetsPage>;
  addresses(subnet: string): Promise<SubnetAddresses>;
}

/** @throws Failure as requests do. */
export function serverKnowledge(client: HttpClient, cluster: string): ServerKnowledge {
  const listed = <T>(path: string, member: string, filter: Readonly<Record<string, string>> = {}) =>
    pages<T>(client, path, member, { cluster, ...filter });
  const openFindings = async (): Promise<readonly Finding[] | undefined> => {
    const open = await listed<Finding>('/findings', 'findings');
    return (
      open && [
        ...open,
        ...((await listed<Finding>('/findings', 'findings', { state: 'suppressed' })) ?? []),
      ]
    );
  };
  return {
    async findings() {
      const unresolved = await openFindings();
      if (unresolved === undefined)
        return (await isJudge(client))
          ? [] // it knows nothing of this cluster
          : ((await listed<Finding>('/proposals', 'proposals')) ?? []);
      const resolved = await listed<Finding>('/findings', 'findings', { state: 'resolved' });
      return [...unresolved, ...(resolved ?? [])];
    },
    async sources() {
      const answered = await answerIfServed(client, `/sources?${of(cluster)}`);
      if (answered === undefined) return (await isJudge(client)) ? [] : undefined;
      return (answered as Sources).sources.map((it) => ({ ...it, ...OF_NOW }));
    },
    async document() {
      const findings = (await openFindings()) ?? (await unknownCluster(client, cluster));
      const unknowns =
        (await listed<Unknown>('/unknowns', 'unknowns')) ?? (await unknownCluster(client, cluster));
      const { asOf, sources, pairing } = statusOf(
        (await answer(client, 'GET', '/status')) as ClusterStatus & ServiceStatus,
        cluster,
        client,
      );
      const known = { sources, pairing, findings: [...findings], unknowns: [...unknowns] };
      return documentOf({ cluster, asOf: asOf ?? '', ...known });
    },
    async subnets() {
      const page = await answerIfServed(client, `/subnets?${of(cluster)}&limit=1`);
      const { subnets: _, ...sums } =
        (page as SubnetsPage | undefined) ?? (await unknownCluster(client, cluster));
      const all = await listed<SubnetsPage['subnets'][number]>('/subnets', 'subnets');
      return { ...sums, next: null, subnets: [...(all ?? [])] };
    },
    addresses: async (subnet) =>
      (await answer(
        client,
        'GET',
        `/subnets/${encodeURIComponent(subnet)}/addresses?${of(cluster)}`,
      )) as SubnetAddresses,
  };
}

/**
 * Whether a server judges, so that it knows all findings; an executor on Kafka knows only what it
 * may act on.
 */
export const isJudge = async (client: HttpClient): Promise<boolean> =>
  (await client.send('GET', '/findings?limit=1')).status !== 404;

const of = (cluster: string): string => `cluster=${encodeURIComponent(cluster)}`;

/** What the server answers is of this moment: who reads it has all findings that it is about. */
const OF_NOW = {
  version: 1,
  findingsThrough: '0',
  analyzer: { version: '', id: '' },
  writtenAt: '',
  caughtUp: true,
} as const;

interface ServiceStatus {
  readonly clusters?: readonly ClusterStatus[];
}

function statusOf(
  status: ClusterStatus & ServiceStatus,
  cluster: string,
  client: HttpClient,
): ClusterStatus {
  if (status.clusters === undefined) return status;
  return status.clusters.find((it) => it.cluster === cluster) ?? notJudging(client);
}

/** @throws Failure why there is nothing of a cluster. */
async function unknownCluster(client: HttpClient, cluster: string): Promise<never> {
  if (!(await isJudge(client))) return notJudging(client);
  throw new Failure(
    'input-not-found',
    `${client.url} knows nothing of the cluster ${safeText(cluster)}: check --cluster, and that its collector has published something. GET /status there lists the clusters it knows.`,
  );
}

const notJudging = ({ url }: HttpClient): never => {
  throw new Failure(
    'config-invalid',
    `${url} does not judge this cluster, or is of an earlier version: name an analyzer or a steward run with --server, or the brokers with --kafka-brokers.`,
  );
};
