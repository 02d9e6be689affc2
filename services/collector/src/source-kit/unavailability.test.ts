import { Unavailability } from './unavailability';

let now: number;
let unavailability: Unavailability;
beforeEach(() => {
  now = 0;
  unavailability = new Unavailability(() => now);
});

test('a reason is news once, and again after the stream was read', () => {
  expect(unavailability.isPublished).toBe(false);
  expect(unavailability.isNews('unreachable', 'refused')).toBe(true);
  expect(unavailability.isPublished).toBe(true);
  now = 3_600_000;
  expect(unavailability.isNews('unreachable', 'refused')).toBe(false);
  unavailability.end();
  expect(unavailability.isPublished).toBe(false);
  expect(unavailability.isNews('unreachable', 'refused')).toBe(true);
});

test('another reason is news at once, another detail of the same one after a minute', () => {
  expect(unavailability.isNews('unreachable', 'refused')).toBe(true);
  expect(unavailability.isNews('forbidden', 'no token')).toBe(true);
  expect(unavailability.isNews('forbidden', 'token expired')).toBe(false);
  now = 59_999;
  expect(unavailability.isNews('forbidden', 'token expired')).toBe(false);
  now = 60_000;
  expect(unavailability.isNews('forbidden', 'token expired')).toBe(true);
  expect(unavailability.isNews('forbidden', 'no token')).toBe(false);
});
