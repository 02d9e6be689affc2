import type { Java } from '../provision/java';

/** Apache Kafka's broker as found on this machine. */
export interface KafkaPrograms {
  readonly java: Java;
  /** The class path: every jar of the broker. */
  readonly classpath: string;
  /**
   * Classes as this Java keeps them in memory (`-XX:SharedArchiveFile`): halves the time to start.
   * It need not be there.
   */
  readonly archive: string;
  /** What a formatted data folder of this release begins with. It need not be there. */
  readonly bootstrap: string;
}
