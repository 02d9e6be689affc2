/** How a broker's Java is run: small, quick to start, and content with one core. */
export interface JavaRun {
  readonly classpath: string;
  /** Flags before the class path. */
  readonly flags: readonly string[];
  /** Where what a formatted data folder begins with is kept for the next one, if it can be. */
  readonly bootstrap?: string;
}

const SMALL = ['-Xms64m', '-Xmx384m', '-Xss512k', '-XX:ReservedCodeCacheSize=48m'];
const QUICK = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];
/** The logger of what is allowed, which brokers with access control write at level DEBUG. */
export const AUDIT_LOGGER = 'kafka.authorizer.logger';

/**
 * slf4j-simple writes everything from INFO on to standard error; log4j 2, which the container image
 * has, needs to be set so.
 */
const TALKING = [
  '-Dlog4j2.level=INFO',
  `-Dorg.slf4j.simpleLogger.log.${AUDIT_LOGGER}=debug`,
  '-Djava.net.preferIPv4Stack=true',
];

/** Arguments of `java` that run a class of Kafka. */
export const javaArguments = (
  run: JavaRun,
  mainClass: string,
  ...args: readonly string[]
): string[] => [
  ...SMALL,
  ...QUICK,
  ...TALKING,
  ...run.flags,
  '-cp',
  run.classpath,
  mainClass,
  ...args,
];
