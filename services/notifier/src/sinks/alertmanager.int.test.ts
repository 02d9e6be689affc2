import { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { type AlertmanagerServer, startAlertmanager } from '@ovn-steward/testbed/alertmanager';
import { alertmanager, describeWith } from '@ovn-steward/testbed/fixture';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { compose } from '../deliver/compose';
import type { Pending } from '../store/notifier-store';
import { finding } from '../testing/findings';
import { startSink, type SinkServer } from '../testing/sink-server';
import { SINKS } from './registry';

interface Sent {
  readonly status: string;
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>> }[];
}

describeWith(alertmanager, 'a real Alertmanager', () => {
  let server: AlertmanagerServer;
  let hook: SinkServer;
  beforeAll(async () => {
    hook = await startSink();
    server = await startAlertmanager(hook.url);
  });
  afterAll(async () => {
    await server?.stop();
    hook?.close();
  });

  const send = (pending: Pending) =>
    SINKS.alertmanager(
      SinkSettings.parse({ type: 'alertmanager', url: server.url }),
      Settings.parse({}),
    ).send(
      { about: 'findings', notification: pending.last, before: undefined },
      AbortSignal.timeout(10_000),
    );
  /** What whoever is on call was sent last about a group: its status and severity. */
  const lastSentOf = (group: string): string | undefined =>
    hook.received
      .flatMap(({ body }) => {
        const { status, alerts } = body as Sent;
        return alerts
          .filter(({ labels }) => group.startsWith(labels['group']!))
          .map(({ labels }) => `${status} ${labels['severity']}`);
      })
      .at(-1);
  const sent = (group: string, what: string): Promise<unknown> =>
    waitFor(() => Promise.resolve(lastSentOf(group) === what), {
      what: `${what} to be sent, not ${lastSentOf(group)}`,
      timeoutMs: 30_000,
    });
  const standing = async (group: string) =>
    (await server.alerts()).filter(({ labels }) => group.startsWith(labels['group']!));

  const DUE = { sink: 'on-call', delivered: undefined };
  const FINDINGS = [finding('a'.repeat(64)), finding('b'.repeat(64))];

  test('has one alert of a group, however often it is sent, and ends it when the group is over', async () => {
    const group = 'c'.repeat(64);
    const open = compose({ ...DUE, group }, FINDINGS, new Date())!;
    expect(await send(open)).toEqual({ delivered: true });
    await sent(group, 'firing warning');
    const [alert] = await standing(group);
    expect(alert).toMatchObject({
      labels: { alertname: 'OvnStewardFindings', cluster: 'berlin-1', severity: 'warning' },
      annotations: { open: '2', findings: `${'a'.repeat(12)} ${'b'.repeat(12)}` },
    });
    const delivered = { ...open, at: Date.now() };
    const again = compose({ ...DUE, group, delivered }, FINDINGS, new Date(), true)!;
    expect(await send(again)).toEqual({ delivered: true });
    const later = await standing(group);
    expect(later).toHaveLength(1);
    expect(Date.parse(later[0]!.endsAt)).toBeGreaterThan(Date.parse(alert!.endsAt));
    const over = compose({ ...DUE, group, delivered }, [], new Date())!;
    expect(await send(over)).toEqual({ delivered: true });
    await sent(group, 'resolved warning');
    expect(await standing(group)).toEqual([]);
  });

  test('gets a worse severity by a second alert', async () => {
    const group = 'd'.repeat(64);
    const open = compose({ ...DUE, group }, FINDINGS, new Date())!;
    await send(open);
    await sent(group, 'firing warning');
    const worse = FINDINGS.map((it) => ({ ...it, severity: 'critical' as const }));
    await send(
      compose({ ...DUE, group, delivered: { ...open, at: Date.now() } }, worse, new Date())!,
    );
    await sent(group, 'firing critical');
    expect((await standing(group)).map(({ labels }) => labels['severity']).sort()).toEqual([
      'critical',
      'warning',
    ]);
  });

  test('that refuses an alert is an error of this notification alone', async () => {
    const open = compose({ ...DUE, group: 'e'.repeat(64) }, FINDINGS, new Date())!;
    expect(await send({ ...open, last: { ...open.last, at: 'never', state: 'resolved' } })).toEqual(
      { delivered: false, ofSink: false, why: 'it answered 400' },
    );
  });
});
