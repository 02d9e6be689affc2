import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';

const EXAMPLE = Finding.parse(
  JSON.parse(
    readFileSync(
      join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'),
      'utf8',
    ),
  ),
);

export const NOW = new Date('2026-03-02T10:30:00Z');
export const PARTITION = partitionOf(EXAMPLE.cluster, PARTITIONS);

/** The published sample of a confirmed finding, under this id and with these changes. */
export const finding = (id: string, changes: Partial<Finding> = {}): Finding => ({
  ...EXAMPLE,
  id,
  ...changes,
});

/** The same without a cause. */
export function causeless(id: string, changes: Partial<Finding> = {}): Finding {
  const { cause: _, ...rest } = EXAMPLE;
  return { ...rest, id, ...changes };
}

export const published = (found: Finding): NewRecord => ({
  ...encodeFinding(found, { analyzer: 'a', changes: 'c' }),
  timestamp: NOW.getTime(),
});
