import { AnswersByTopic } from './answers-by-topic';

test('queries each topic once', async () => {
  const queried: string[] = [];
  const sizes = new AnswersByTopic((topic) => {
    queried.push(topic);
    return Promise.resolve(topic.length);
  });
  await expect(Promise.all([sizes.of('a'), sizes.of('bb'), sizes.of('a')])).resolves.toEqual([
    1, 2, 1,
  ]);
  expect(queried).toEqual(['a', 'bb']);
});

test('queries again after a failure', async () => {
  let tries = 0;
  const answers = new AnswersByTopic(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('no broker')) : Promise.resolve(tries);
  });
  await expect(answers.of('a')).rejects.toThrow('no broker');
  await expect(answers.of('a')).resolves.toBe(2);
});

test('a failure that comes late does not forget what was learnt meanwhile', async () => {
  let fail: (error: Error) => void = () => undefined;
  const answers = new AnswersByTopic(
    () => new Promise<number>((_, reject) => (fail = (error) => reject(error))),
  );
  const asked = answers.of('a');
  answers.learn('a', 7);
  fail(new Error('no broker'));
  await expect(asked).rejects.toThrow('no broker');
  await expect(answers.of('a')).resolves.toBe(7);
});
