import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT_ARGUMENTS } from '../../testing/typescript-arguments';

/**
 * Runs our TypeScript in a process of its own, which can be killed and paused; prints each key it
 * was handed, and each partition.
 */
const SCRIPT = `
  const { follow, openLog } = require(process.argv[1] + '/follower.ts');
  const [brokers, topic, group] = process.argv.slice(2);
  const say = (word) => process.stdout.write(word + '\\n');
  const log = openLog({ brokers: brokers.split(',') });
  const commit = ({ partition, next }) => log.commit(group, [{ topic, partition, offset: next }]).then(() => say('committed ' + partition), (error) => say('refused ' + error.code));
  const reader = follow(log, topic, group, {
    onBatch: async (batch) => {
      for (const { key } of batch.records) say('saw ' + key);
      await commit(batch);
    },
    onRevoked: (_, partition) => say('revoked ' + partition),
  });
  reader.ended.then((error) => say('ended ' + error));
`;

export interface FollowingChild {
  readonly process: ChildProcess;
  /**
   * Every line it printed: \`saw KEY\`, \`committed PARTITION\`, \`refused CODE\`, \`revoked
   * PARTITION\`.
   */
  readonly lines: string[];
  kill(): Promise<void>;
}

/**
 * A member of the group in another process, which begins at 0 wherever it is asked, and commits
 * after each batch.
 */
export function followInChild(
  brokers: readonly string[],
  topic: string,
  group: string,
): FollowingChild {
  const child = spawn(
    process.execPath,
    [...TYPESCRIPT_ARGUMENTS, '-e', SCRIPT, __dirname, brokers.join(','), topic, group],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return {
    process: child,
    lines,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
