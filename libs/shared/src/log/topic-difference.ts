/** One setting of a topic that is not as its spec has it. */
export interface TopicDifference {
  readonly topic: string;
  /** What it is, and what it was to be. */
  readonly text: string;
  /** Whether it only keeps more, or for longer, than the promises of `Log` need. */
  readonly harmless: boolean;
  /** What Kafka is to be given to mend it; undefined for what a topic in use cannot be given. */
  readonly mend?: { readonly config: string; readonly value: string };
}

/** Of these settings a greater value keeps all that the spec promises. */
const MORE_IS_HARMLESS: ReadonlySet<string> = new Set([
  'minCompactionLagMs',
  'maxCompactionLagMs',
  'deleteRetentionMs',
  'retentionMs',
  'maxMessageBytes',
]);

/** How Kafka writes "for ever". */
const FOR_EVER = -1;

/** Whether a topic with `found` keeps what one with `desired` would. */
export function keepsMore(setting: string, desired: number, found: unknown): boolean {
  if (!MORE_IS_HARMLESS.has(setting)) return false;
  const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value > desired || (setting === 'retentionMs' && value === FOR_EVER);
}

const line = ({ topic, text }: TopicDifference): string => `${topic}: ${text}`;

/** Those that break a promise, as one line each. */
export const harmfulLines = (differences: readonly TopicDifference[]): string[] =>
  differences.filter((it) => !it.harmless).map(line);

/** The others, as a sentence each. */
export const harmlessNotes = (differences: readonly TopicDifference[]): string[] =>
  differences
    .filter((it) => it.harmless)
    .map((it) => `${line(it)}. It keeps more than is needed, which harms nothing.`);

/**
 * What to type to mend the harmful ones, a command of Kafka for each topic. A topic with other
 * partitions or another clean-up has lost what no command brings back.
 */
export function mendingOf(differences: readonly TopicDifference[], brokers: string): string[] {
  const harmful = differences.filter((it) => !it.harmless);
  const beyond = new Set(harmful.filter((it) => it.mend === undefined).map((it) => it.topic));
  const commands = new Map<string, string[]>();
  for (const { topic, mend } of harmful) {
    if (mend === undefined || beyond.has(topic)) continue;
    commands.set(topic, [...(commands.get(topic) ?? []), `${mend.config}=${mend.value}`]);
  }
  return [
    ...[...commands].map(
      ([topic, settings]) =>
        `kafka-configs.sh --bootstrap-server ${brokers} --alter --entity-type topics --entity-name ${topic} --add-config ${settings.join(',')}`,
    ),
    ...(beyond.size === 0
      ? []
      : [
          `no command corrects ${[...beyond].join(', ')}: set another kafka.topicPrefix, so that the services make topics of their own`,
        ]),
  ];
}
