import { channelOf } from './decisions';

test('on Kafka a cluster is named, or nothing is published', async () => {
  await expect(channelOf({ kafkaBrokers: 'localhost:1' })).rejects.toThrow(
    /cluster must be named.*The clusters there cannot be listed/,
  );
  expect(await channelOf({ kafkaBrokers: 'localhost:1', cluster: 'berlin-1' })).toMatchObject({
    cluster: 'berlin-1',
    stateDir: undefined,
  });
});

test('over HTTP nobody names who decides: the token does', async () => {
  await expect(channelOf({ server: 'https://127.0.0.1:1', by: 'anna' })).rejects.toThrow(
    'leave --by out. Nothing was decided.',
  );
});
