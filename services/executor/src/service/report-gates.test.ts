import { reportGates } from './report-gates';

test('says of a pod that it is held and let go, and warns of one that is let go too early', () => {
  const said: string[] = [];
  const say =
    (level: string) =>
    (text: string, fields: object): void =>
      void said.push(`${level} ${text} ${JSON.stringify(fields)}`);
  const report = reportGates({ info: say('info'), warn: say('warn') } as unknown as Parameters<
    typeof reportGates
  >[0]);
  for (const did of ['held', 'lifted', 'timed-out'] as const)
    report({
      type: 'pod-gate',
      did,
      pod: { namespace: 'shop', name: 'web-0', uid: 'p', heldMs: 1 },
      reason: 'why',
    });
  const fields = '{"pod":"shop/web-0","reason":"why"}';
  expect(said).toEqual([
    `info pod held ${fields}`,
    `info pod let go ${fields}`,
    `warn pod no longer held ${fields}`,
  ]);
});
