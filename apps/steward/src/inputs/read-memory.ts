import { join } from 'node:path';
import { readChange, restoreWorld } from '@ovn-steward/analyzer';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { Failure } from '@ovn-steward/shared/errors';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import type { Channel } from './decisions';
import { engineFor } from './engine-for';
import { knownFindings } from './known-findings';
import { changesOnLog } from './changes-on-log';
import { FILES } from './state-files';

/**
 * The world and the findings of a cluster as its pipeline knows them, with their ages: from the
 * memory of a state folder, beside a pipeline that runs, or from the topics on Kafka. Nothing is
 * written anywhere.
 *
 * @throws Failure `input-not-found` where nothing is known of the cluster, and as reading does.
 */
export async function readMemory(channel: Channel): Promise<Engine> {
  const { cluster, stateDir, config } = channel;
  const engine = engineFor(config, false);
  const { now, findings } =
    stateDir === undefined
      ? { now: await foldLog(channel, engine), findings: undefined }
      : restoreWorld(join(stateDir, FILES.checkpoint), cluster, engine.world);
  if (now === '')
    throw new Failure(
      'input-not-found',
      `Nothing is known of the cluster ${cluster}: name the one that is meant with --cluster, and see whether its collector runs.`,
    );
  engine.restore(findings ?? (await knownFindings(channel)), now);
  return engine;
}

async function foldLog(channel: Channel, engine: Engine): Promise<string> {
  for await (const record of changesOnLog(channel)) {
    const read = readChange(record, { topic: CHANGES, partition: channel.partition });
    if (!('input' in read) || read.input === undefined || read.cluster !== channel.cluster)
      continue;
    engine.foldUnjudged([read.input], { checked: false }); // compaction took what later changes replaced
  }
  return engine.now;
}
