import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LedgerIdentity, openInbox } from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import { Failure } from '@ovn-steward/shared/errors';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { channelOf } from '../inputs/decisions';
import { FILES } from '../inputs/state-files';
import { actHere, takeLog } from './act-here';

const A: ClusterIdentity = { northbound: 'nb:a', kubernetes: 'kube-a' };
const B: ClusterIdentity = { northbound: 'nb:b', kubernetes: 'kube-b' };

let stateDir: string;
let requested: string[];
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'act-here-'));
  requested = [];
});
afterEach(() => rmSync(stateDir, { recursive: true }));

/** Systems that say they are this pair, and record in which order they are asked. */
const answering = ({ northbound, kubernetes }: ClusterIdentity): Systems =>
  ({
    northbound: {
      identity: async () => {
        requested.push('identity');
        return northbound;
      },
      connections: () => 1,
      takeOver: async () => void requested.push('lock'),
    },
    kubernetes: { identity: async () => kubernetes },
  }) as unknown as Systems;

async function acted(systems: Systems): Promise<string> {
  const channel = await channelOf({ stateDir });
  const options = {
    channel,
    systems,
    signal: new AbortController().signal,
    onAction: () => undefined,
    report: () => undefined,
  };
  return actHere(takeLog(stateDir)!, stateDir, options, async () => 'acted').catch(
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );
}

async function ownedBy(identity: ClusterIdentity): Promise<void> {
  const { cluster } = await channelOf({ stateDir });
  const file = openStateFile(join(stateDir, FILES.executor));
  new LedgerIdentity(file).set(cluster, { identity, unnamed: false, adopted: null });
  file.close();
}

async function adopt(to: ClusterIdentity, where: 'log' | 'inbox'): Promise<void> {
  const { cluster, partition } = await channelOf({ stateDir });
  const control: Control = {
    type: 'adopt',
    version: 1,
    id: '7d6f2a0e-58a5-4c52-9d8f-2f0c6c0b1a11',
    cluster,
    by: 'anna',
    at: '2026-03-02T10:20:00.000Z',
    to,
    unnamed: false,
    reason: 'rebuilt',
  };
  if (where === 'inbox') {
    const inbox = openInbox(stateDir);
    inbox.add(control, new Date());
    return inbox.close();
  }
  const log = takeLog(stateDir)!;
  await log.ensureTopics(TOPICS);
  await log.append(CONTROL, partition, [encodeControl(control, Date.now())]);
  await log.close();
}

test('who they are is asked before the lock', async () => {
  await ownedBy(A);
  expect(await acted(answering(A))).toBe('acted');
  expect(requested).toEqual(['identity', 'lock']);
});

test('a folder that belongs to nobody yet is no obstacle', async () => {
  expect(await acted(answering(A))).toBe('acted');
});

test('on other systems not even the lock is asked for', async () => {
  await ownedBy(A);
  expect(await acted(answering(B))).toBe('other-cluster');
  expect(requested).not.toContain('lock');
});

test.each(['log', 'inbox'] as const)(
  'what a person adopted counts where it lies in the %s',
  async (where) => {
    await ownedBy(A);
    await adopt(B, where);
    expect(await acted(answering(B))).toBe('acted');
  },
);
