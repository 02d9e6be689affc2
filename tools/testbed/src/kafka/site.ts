import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { containerSite } from '../docker/container';
import { containersAtHand } from '../docker/docker';
import { KAFKA_IMAGE } from '../docker/images';
import { provisionKafka } from '../provision/kafka';
import { progressToStderr } from '../provision/progress';
import { localSite } from '../run/local';
import type { Site } from '../run/server';
import { AUDIT_LOGGER, type JavaRun } from './java';

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
      java: {
        classpath: '/opt/kafka/libs/*',
        flags: [`-Dlog4j2.configurationFile=${writeLogging(folder)}`],
      },
    };
  }
  const { java, classpath, archive, bootstrap } = await provisionKafka(progressToStderr);
  const flags = existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
  return {
    ...localSite({ paths: { java: java.path }, env: java.env }, folder),
    java: { classpath, flags, bootstrap },
  };
}

/** Settings of log4j 2: everything from INFO on to standard error, and what is allowed. */
function writeLogging(folder: string): string {
  const file = join(folder, 'log4j2.properties');
  const lines = [
    'appender.stderr.type = Console',
    'appender.stderr.name = stderr',
    'appender.stderr.target = SYSTEM_ERR',
    'appender.stderr.layout.type = PatternLayout',
    'appender.stderr.layout.pattern = %p %c - %m%n',
    'rootLogger.level = INFO',
    'rootLogger.appenderRef.stderr.ref = stderr',
    `logger.audit.name = ${AUDIT_LOGGER}`,
    'logger.audit.level = DEBUG',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
