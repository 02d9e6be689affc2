import { subnetReports } from '@ovn-steward/analyzer';
import { observeAt } from '../testing/truth';

test.each(['clean', 'leaky', 'shared-neutron'])(
  'of the recording %s, what is free agrees with the status wherever what is used does',
  async (name) => {
    const reports = subnetReports(await observeAt(name));
    expect(reports.length).toBe(14);
    for (const { addresses } of reports) {
      for (const { family, used, counted, available, free } of addresses) {
        // The status of a /64 is rounded: 18446744073709552000 for 18446744073709551611.
        if (used === counted)
          expect(Number(free) - Number(available)).toBeCloseTo(0, family === 'v6' ? -5 : 0);
      }
    }
  },
);

test('the findings of a subnet are those about it and about what lies in it', async () => {
  const engine = await observeAt('leaky');
  const apps = subnetReports(engine).find((it) => it.name === 'apps')!;
  expect(apps.findings.map((it) => it.id)).toEqual(
    engine
      .findings()
      .filter((it) => it.scope?.subnet === 'apps')
      .map((it) => it.id),
  );
  expect(apps.findings.length).toBeGreaterThan(0);
});
