import { existsSync } from 'node:fs';
import { type StandingDecisions, standingDecisions } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import { openDecided } from './decided';
import type { Channel } from './decisions';

/** What people decided that can be read again. */
export interface FollowedDecisions {
  /** @throws Failure as reading does. */
  read(): Promise<StandingDecisions>;
  close(): Promise<void>;
}

/**
 * What people decided about the cluster, as far as it is in force: by the executor over HTTP where
 * one is named, else by the log, of which each reading takes only what came since the last.
 * @throws Failure `input-not-found`, and as opening a log does.
 */
export async function followedDecisions(channel: Channel): Promise<FollowedDecisions> {
  const { server, stateDir, cluster } = channel;
  if (server !== undefined)
    return { read: () => server.standing(), close: () => Promise.resolve() };
  if (stateDir !== undefined && !existsSync(stateDir))
    throw new Failure(
      'input-not-found',
      `There is no folder ${stateDir}: name that of a pipeline with --state-dir, or the brokers of Kafka with --kafka-brokers.`,
    );
  const decided = await openDecided(channel);
  return {
    read: async () => standingDecisions(await decided.now(), cluster, new Date()),
    close: () => decided.close(),
  };
}
