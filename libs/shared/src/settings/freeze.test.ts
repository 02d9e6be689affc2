import { Freeze } from './freeze';

test('have a beginning and an end, each with its zone', () => {
  expect(Freeze.parse('2026-12-20T00:00Z/2027-01-03T00:00:30+01:00')).toEqual({
    text: '2026-12-20T00:00Z/2027-01-03T00:00:30+01:00',
    from: Date.UTC(2026, 11, 20),
    to: Date.UTC(2027, 0, 2, 23, 0, 30),
  });
});

test.each([
  ['', /with a beginning and an end/],
  ['2026-12-20T00:00Z', /with a beginning and an end/],
  ['2026-12-20/2027-01-03', /with a beginning and an end/],
  ['2026-12-20T00:00/2027-01-03T00:00', /with a beginning and an end/],
  ['2026-02-30T00:00Z/2027-01-03T00:00Z', /with a beginning and an end/],
  ['2026-13-20T00:00Z/2027-01-03T00:00Z', /with a beginning and an end/],
  ['2026-12-20T00:00Z/2027-01-03T00:00Z/2028-01-01T00:00Z', /with a beginning and an end/],
  ['2027-01-03T00:00Z/2026-12-20T00:00Z', /ends before/],
  ['2026-12-20T00:00Z/2026-12-20T01:00+01:00', /ends before/],
])('%j is none', (text, message) => {
  const { success, error } = Freeze.safeParse(text);
  expect(success ? 'was accepted' : error.issues[0]?.message).toMatch(message);
});
