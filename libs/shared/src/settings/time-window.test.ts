import { TimeWindow } from './time-window';

const read = (text: string) => TimeWindow.safeParse(text);
const wrong = (text: string): string => {
  const { success, error } = read(text);
  return success ? 'was accepted' : error.issues.map((it) => it.message).join();
};

test('are days, times and a zone; every day and UTC by default', () => {
  expect(read('Mon-Fri 22:00-06:00 Europe/Berlin').data).toEqual({
    text: 'Mon-Fri 22:00-06:00 Europe/Berlin',
    days: new Set([1, 2, 3, 4, 5]),
    from: 1320,
    to: 360,
    zone: 'Europe/Berlin',
  });
  expect(read(' 01:30-03:00 ').data).toMatchObject({
    days: new Set([0, 1, 2, 3, 4, 5, 6]),
    from: 90,
    to: 180,
    zone: 'UTC',
  });
  expect(read('Mon,Wed-Thu,Sat 00:00-24:00').data).toMatchObject({
    days: new Set([1, 3, 4, 6]),
    from: 0,
    to: 1440,
  });
  expect(read('Fri-Mon 20:00-00:00 America/St_Johns').data).toMatchObject({
    days: new Set([5, 6, 0, 1]),
    from: 1200,
    to: 1440,
  });
  expect(read('Sun 00:00-00:00').data).toMatchObject({ days: new Set([0]), from: 0, to: 1440 });
});

test.each([
  ['', /not a window/],
  ['Mon-Fri', /not a window/],
  ['Mon - Fri 22:00-06:00', /not a window/],
  ['22:00-06:00 Europe/Berlin really', /not a window/],
  ['Monday 22:00-06:00', /its days are none/],
  ['mon 22:00-06:00', /its days are none/],
  ['Mon-Wed-Fri 22:00-06:00', /its days are none/],
  ['Mon, 22:00-06:00', /its days are none/],
  ['22:00', /its times are none/],
  ['22:00-6:00', /its times are none/],
  ['24:00-06:00', /its times are none/],
  ['22:00-24:01', /its times are none/],
  ['22:60-23:00', /its times are none/],
  ['Mon 06:00-06:00', /ends when it begins/],
  ['22:00-06:00 Europe/Bonn', /its time zone is none/],
  ['22:00-06:00 +02:00', /its time zone is none/],
  ['22:00-06:00 constructor', /its time zone is none/],
])('%j is none', (text, message) => {
  expect(wrong(text)).toMatch(message);
});
