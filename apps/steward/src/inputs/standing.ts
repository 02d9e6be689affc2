import { existsSync } from 'node:fs';
import { type StandingDecisions, standingDecisions } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import { openDecided } from './decided';
import type { Channel } from './decisions';

/**
 * What people decided about the cluster, as far as it is in force: by the executor over HTTP where
 * one is named, else by the log.
 * @throws Failure `input-not-found`, and as reading does.
 */
export async function readStanding(channel: Channel): Promise<StandingDecisions> {
  const { server, stateDir, cluster } = channel;
  if (server !== undefined) return server.standing();
  if (stateDir !== undefined && !existsSync(stateDir))
    throw new Failure(
      'input-not-found',
      `There is no folder ${stateDir}: name that of a pipeline with --state-dir, or the brokers of Kafka with --kafka-brokers.`,
    );
  const decided = await openDecided(channel);
  const state = await decided.now().finally(() => decided.close());
  return standingDecisions(state, cluster, new Date());
}
