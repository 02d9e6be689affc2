import { existsSync } from 'node:fs';
import { containerSite } from '../docker/container';
import { containersAtHand } from '../docker/docker';
import { KAFKA_IMAGE } from '../docker/images';
import { provisionKafka } from '../provision/kafka';
import { progressToStderr } from '../provision/progress';
import { localSite } from '../run/local';
import type { Site } from '../run/server';
import type { JavaRun } from './java';

export interface KafkaSite extends Site {
  readonly java: JavaRun;
}

/** A place to run brokers in: containers where Docker answers, else this machine. */
export async function openKafkaSite(folder: string, ports: readonly number[]): Promise<KafkaSite> {
  if (await containersAtHand('kafka')) {
    const programs = {
      images: {},
      env: {},
      holder: { image: KAFKA_IMAGE, command: ['tail', '-f', '/dev/null'] },
    };
    return {
      ...(await containerSite(programs, folder, ports)),
      java: { classpath: '/opt/kafka/libs/*', flags: [] },
    };
  }
  const { java, classpath, archive } = await provisionKafka(progressToStderr);
  const flags = existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
  return {
    ...localSite({ paths: { java: java.path }, env: java.env }, folder),
    java: { classpath, flags },
  };
}
