import { until } from './until';

const answers = (...given: readonly (number | undefined | false)[]) => {
  const left = [...given];
  return { check: () => left.shift(), left };
};

test.each([0, 7])('gives the first answer (%d), and does not check again', async (answer) => {
  const { check, left } = answers(undefined, false, answer, 8);
  expect(await until(check, 'an answer', { pauseMs: 1 })).toBe(answer);
  expect(left).toEqual([8]);
});

test('says what did not come about', async () => {
  const never = { pauseMs: 1, timeoutMs: 5 };
  await expect(until(() => false, 'the group to be joined', never)).rejects.toThrow(
    'Waited in vain: the group to be joined',
  );
  await expect(until(() => 1 > 2, undefined, never)).rejects.toThrow(/in vain: .*1 > 2/);
  const stands = () => Promise.resolve('2 of 3 are gone');
  await expect(until(() => undefined, stands, never)).rejects.toThrow('in vain: 2 of 3 are gone');
});

test('ends with what a check throws', async () => {
  const check = () => Promise.reject(new Error('it ended'));
  await expect(until(check, 'an answer')).rejects.toThrow('it ended');
});
