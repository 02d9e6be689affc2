import { channelOf } from './decisions';

test('on Kafka a cluster is named, or nothing is told to anybody', () => {
  expect(() => channelOf({ kafkaBrokers: 'localhost:1' })).toThrow(/cluster must be named/);
  expect(channelOf({ kafkaBrokers: 'localhost:1', cluster: 'berlin-1' })).toMatchObject({
    cluster: 'berlin-1',
    stateDir: undefined,
  });
});
