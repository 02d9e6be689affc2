import { roundTo } from '../round-to';
import { measureLatency } from './latency';
import { type CpuMicros, measureThroughput } from './throughput';

/** What the goals are about. */
interface PipelineFigures {
  readonly kafkaEventsPerSecond: number;
  readonly embeddedEventsPerSecond: number;
  readonly rawKafkajsPerSecond: number;
  /** Through Kafka with all our work, over kafkajs alone with the same bytes. */
  readonly ratio: number;
  readonly p99Seconds: number;
  /** Processor time of one record, in microseconds, by who spends it. */
  readonly cpuMicros: CpuMicros;
}

const FOR_SECONDS = 20;

/** Throughput first, then, on a broker of its own, the time from a change to its finding. */
export async function benchPipeline({
  ports,
}: {
  readonly ports: number;
}): Promise<PipelineFigures> {
  const { kafka, embedded, raw, cpuMicros } = await measureThroughput(ports);
  const latency = await measureLatency(FOR_SECONDS);
  process.stderr.write(
    `from change to finding, ${latency.changes} changes: median ${latency.p50.toFixed(3)} s, p99 ${latency.p99.toFixed(3)} s, longest ${latency.max.toFixed(3)} s\n`,
  );
  return {
    kafkaEventsPerSecond: Math.round(kafka),
    embeddedEventsPerSecond: Math.round(embedded),
    rawKafkajsPerSecond: Math.round(raw),
    ratio: Number((kafka / raw).toFixed(2)),
    p99Seconds: Number(latency.p99.toFixed(3)),
    cpuMicros: {
      collector: roundTo(cpuMicros.collector, 1),
      analyzer: roundTo(cpuMicros.analyzer, 1),
      embedded: roundTo(cpuMicros.embedded, 1),
      raw: roundTo(cpuMicros.raw, 1),
    },
  };
}
