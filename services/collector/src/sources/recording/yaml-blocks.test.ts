import { yamlBlocks } from './yaml-blocks';

const MOST_CHARACTERS = 64 * 1024 * 1024;

async function blocksOf(...chunks: string[]): Promise<number> {
  let count = 0;
  const bytes = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  for await (const blocks of yamlBlocks('pods.yaml', bytes)) count += blocks.length;
  return count;
}

test('an object beyond all measure is refused, however many lines came before it', async () => {
  const manyLines = `- a: 1\n${'  b: 1\n'.repeat(5000)}`;
  const large = `- a: ${'x'.repeat(MOST_CHARACTERS)}\n`;
  expect(await blocksOf('items:\n', manyLines, manyLines)).toBe(3);
  await expect(blocksOf('items:\n', manyLines, large)).rejects.toMatchObject({
    code: 'input-not-a-dump',
    message: expect.stringContaining(`larger than ${MOST_CHARACTERS} characters`),
  });
});
