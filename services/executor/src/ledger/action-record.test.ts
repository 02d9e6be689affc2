import { encodeAction, encodeActionText } from '@ovn-steward/contracts/actions/action-codec';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import { ACTIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { action } from '../testing/actions';
import { fitsTopic, isTaken } from './action-record';

const MOST = TOPICS.find(({ name }) => name === ACTIONS)!.maxMessageBytes;
const bytesOf = (text: string): number => batchBytes([encodeActionText('id', text, 0)]);
/** A text whose record takes that many bytes. */
const textOf = (bytes: number): string => {
  const near = 'x'.repeat(bytes - 1024);
  return near + 'x'.repeat(bytes - bytesOf(near));
};

test('what is taken leaves room for its signature, to the byte', () => {
  const last = textOf(MOST - 256);
  expect(bytesOf(last)).toBe(MOST - 256);
  expect([isTaken('id', last), isTaken('id', `${last}x`)]).toEqual([true, false]);
});

test('a claim that fits leaves room for its end', () => {
  const large = (characters: number) => action('a', { reason: 'x'.repeat(characters) });
  const bytes = (characters: number): number => {
    const record = large(characters);
    return batchBytes([encodeAction(record, 0)]);
  };
  const characters = MOST - 64 * 1024 - (bytes(MOST - 128 * 1024) - (MOST - 128 * 1024));
  expect(bytes(characters)).toBe(MOST - 64 * 1024);
  expect([fitsTopic(large(characters)), fitsTopic(large(characters + 1))]).toEqual([true, false]);
});
