import type { Database } from '@ovn-steward/shared/log/sqlite-database';
import { FILES } from '../inputs/state-files';

/** What becomes of a format when this version finds an older or a newer one. */
export type OtherFormat =
  /** It is built again from the log, at the next start. */
  | 'rebuilt'
  /** It is not opened. */
  | 'refused'
  /** It is read as it is: columns are only ever added. */
  | 'read';

/** A part of the state of `steward run` or of a service, with a format of its own. */
export interface StateFormat {
  readonly file: string;
  /** `file` where the whole file has one format. */
  readonly part: string;
  readonly version: number;
  readonly holds: string;
  readonly older: OtherFormat;
  readonly newer: OtherFormat;
}

/** Every format of this version. A test compares them with the files that a run makes. */
export const STATE_FORMATS: readonly StateFormat[] = [
  {
    file: FILES.log,
    part: 'file',
    version: 1,
    holds: 'the embedded log with all its topics; not there with Kafka',
    older: 'read',
    newer: 'refused',
  },
  {
    file: FILES.collector,
    part: 'file',
    version: 3,
    holds: 'what was last published of each object',
    older: 'rebuilt',
    newer: 'rebuilt',
  },
  {
    file: FILES.checkpoint,
    part: 'file',
    version: 5,
    holds:
      'the objects and the findings; one file a partition with Kafka (`analyzer-<partition>.db`)',
    older: 'rebuilt',
    newer: 'rebuilt',
  },
  {
    file: FILES.executor,
    part: 'findings',
    version: 2,
    holds: 'the findings that may be acted on, and what is in doubt',
    older: 'rebuilt',
    newer: 'rebuilt',
  },
  {
    file: FILES.executor,
    part: 'ledger',
    version: 2,
    holds: 'the actions, with what is not yet published of them',
    older: 'rebuilt',
    newer: 'rebuilt',
  },
  {
    file: FILES.executor,
    part: 'identity',
    version: 1,
    holds: 'which systems the ledger belongs to',
    older: 'read',
    newer: 'read',
  },
  {
    file: FILES.notifier,
    part: 'notifier',
    version: 1,
    holds: 'the findings, and what each sink was sent of them',
    older: 'rebuilt',
    newer: 'rebuilt',
  },
  {
    file: FILES.notifier,
    part: 'notifier-actions',
    version: 1,
    holds: 'the actions that each sink is to be sent; only where a sink is sent any',
    older: 'rebuilt',
    newer: 'rebuilt',
  },
  {
    file: FILES.control,
    part: 'file',
    version: 0,
    holds: 'decisions on their way to the embedded log',
    older: 'read',
    newer: 'read',
  },
];

/** The format of each part of an open state file, by the name of the part. */
export function formatsIn(db: Database): Record<string, number> {
  const parts = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE name = 'part'")
    .get();
  if (parts === undefined) return { file: db.pragma('user_version', { simple: true }) as number };
  return Object.fromEntries(
    db
      .prepare<[], { name: string; version: number }>(
        'SELECT name, version FROM part ORDER BY name',
      )
      .all()
      .map(({ name, version }) => [name, version]),
  );
}
