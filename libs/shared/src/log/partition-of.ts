const MULTIPLIER = 0x5bd1e995;
const SEED = 0x9747b28c;

/** The last one to three bytes, little end first. */
function tailOf(bytes: Buffer): number {
  const rest = bytes.length & 3;
  let tail = 0;
  for (let at = 0; at < rest; at += 1)
    tail |= (bytes[bytes.length - rest + at] as number) << (8 * at);
  return tail;
}

/** MurmurHash2, 32 bit, with the seed Kafka's Java client uses; as a signed integer, as there. */
export function murmur2(bytes: Buffer): number {
  let hash = SEED ^ bytes.length;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), MULTIPLIER);
    word = Math.imul(word ^ (word >>> 24), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ word;
  }
  if (bytes.length & 3) hash = Math.imul(hash ^ tailOf(bytes), MULTIPLIER);
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/**
 * The partition of a cluster: the one that the Java client's default partitioner would choose for
 * the cluster's name as the key. One cluster is one ordered stream in every topic, and the same
 * partition number in each.
 */
export const partitionOf = (cluster: string, partitions: number): number =>
  (murmur2(Buffer.from(cluster)) & 0x7fffffff) % partitions;
