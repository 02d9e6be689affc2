import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../message';
import { makeArchive } from '../kafka/archive';
import type { KafkaPrograms } from '../kafka/programs';
import { cacheFolder, makeCacheFolder, markComplete, newestComplete } from './cache';
import { findOnPath, runCommand } from './command';
import { javaAtHand, provisionJava, type Java } from './java';
import { withLock } from './lock';
import type { Progress } from './progress';

/**
 * The newest release whose Maven artifacts are complete (4.4.0 names one that was never published).
 */
export const KAFKA_VERSION = '4.3.1';

const FOLDER = `kafka-${KAFKA_VERSION}`;

/** Kafka as it is already here. Asks no network, starts nothing. */
export function kafkaAtHand(): KafkaPrograms | undefined {
  const java = javaAtHand();
  const lib = newestComplete(cacheFolder(), FOLDER);
  return java === undefined || lib === undefined ? undefined : programs(java, lib);
}

/**
 * Java (the one at hand, else the distribution's) and the broker's jars, fetched by Maven once: 44
 * MB, 10 to 20 s.
 */
export async function provisionKafka(progress: Progress): Promise<KafkaPrograms> {
  const atHand = kafkaAtHand();
  if (atHand !== undefined) return atHand;
  const mvn = findMaven();
  const java = await provisionJava(progress);
  return withLock(
    join(makeCacheFolder(), `${FOLDER}.lock`),
    () => progress('waiting for another process that fetches Kafka'),
    async () => {
      const meanwhile = kafkaAtHand();
      if (meanwhile !== undefined) return meanwhile;
      progress(`fetching Apache Kafka ${KAFKA_VERSION} with Maven, once`);
      return programs(java, await fetchJars(mvn, java));
    },
  );
}

/**
 * Kafka, and what Java keeps of its classes. Of another Java than the one that was here when Kafka
 * was fetched there is none yet: it is made then, too.
 */
export async function provisionQuickKafka(progress: Progress): Promise<void> {
  const found = await provisionKafka(progress);
  if (existsSync(found.archive)) return;
  await withLock(
    `${found.archive}.lock`,
    () => progress('waiting for another process that starts Kafka for its class-data archive'),
    async () => {
      if (existsSync(found.archive)) return;
      progress('making a class-data archive of Kafka, once for this Java');
      await makeArchive(found).catch((error: unknown) =>
        progress(`no class-data archive for Kafka, so brokers start slower: ${messageOf(error)}`),
      );
    },
  );
}

const programs = (java: Java, lib: string): KafkaPrograms => ({
  java,
  classpath: join(lib, '*'),
  archive: join(lib, `java-${java.version.replaceAll(/[^\w.+-]/g, '_')}.jsa`),
  bootstrap: join(lib, 'bootstrap.checkpoint'),
});

/** Kafka has no logging binding among its dependencies, and logs nothing without one. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.ovn-steward</groupId>
  <artifactId>testbed-kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

const INSTEAD = 'or give a broker by STEWARD_TEST_KAFKA=host:port, or start Docker';

function findMaven(): string {
  const mvn = findOnPath('mvn');
  if (mvn === undefined)
    throw new Error(
      `Apache Kafka ${KAFKA_VERSION} is fetched with Maven, and there is no mvn on the PATH; install maven, ${INSTEAD}`,
    );
  return mvn;
}

async function fetchJars(mvn: string, java: Java): Promise<string> {
  const work = mkdtempSync(join(makeCacheFolder(), '.fetching-'));
  try {
    writeFileSync(join(work, 'pom.xml'), POM);
    const lib = join(work, 'lib');
    const env = process.env['JAVA_HOME']
      ? {}
      : { ...java.env, JAVA_HOME: join(java.path, '..', '..') };
    await runCommand(
      mvn,
      ['-B', '-q', COPY, '-DincludeScope=runtime', `-DoutputDirectory=${lib}`],
      { cwd: work, env, timeout: 600_000 },
    ).catch((error: unknown) => {
      throw new Error(
        `Maven could not fetch Apache Kafka ${KAFKA_VERSION} (${reason(messageOf(error))}); check the network and Maven's settings, ${INSTEAD}`,
        { cause: error },
      );
    });
    if (!existsSync(join(lib, `kafka_2.13-${KAFKA_VERSION}.jar`)))
      throw new Error(`Maven brought no Kafka into ${lib}`);
    markComplete(lib);
    const folder = cacheFolder(FOLDER);
    rmSync(folder, { recursive: true, force: true });
    renameSync(lib, folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Maven speaks pages; its first error says what is wrong. */
const reason = (words: string): string => /^\[ERROR\] (.*)$/m.exec(words)?.[1] ?? words;
