import type { Repair, RepairStep } from '@ovn-steward/judgement/doctor/order';
import type { DiagnosisNode, Wait } from '@ovn-steward/judgement/doctor/tree';
import { describeEntity } from '@ovn-steward/judgement/kube-ovn/deletion';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import { safeText } from '@ovn-steward/shared/safe-text';
import { type Diagnosis, missingText } from './diagnosis';
import { colours as pc } from '../output/colours';

const WHO = { 'kube-ovn': 'Kube-OVN', executor: 'steward', person: 'a person' } as const;
const CONTROLLER = {
  there: "Kube-OVN's controller is there: what it can finish, it finishes by itself.",
  gone: 'No Kube-OVN controller is there (neither a workload nor a pod of that name): nothing finishes by itself.',
  unknown: 'Whether a Kube-OVN controller is there is not known.',
} as const;

/**
 * A tree of what each waits for, with the order in which it goes.
 * @param now for ages; of a recording, when it was taken.
 */
export function doctorText(
  { repairs, controller, well, missing, unknown }: Diagnosis,
  now: Date,
): string {
  const lines = [
    ...well.map((it) => `${capital(it)}: nothing is stuck.`),
    ...[...missing.map(missingText), ...unknown].map(capital),
  ].map((it) => safeText(it, 500));
  if (repairs.length === 0)
    return [...(lines.length > 0 ? lines : ['Nothing is stuck.']), ''].join('\n');
  const numbers = new Map(
    repairs.flatMap(({ steps }) => steps).map((step, index) => [step, index + 1]),
  );
  return [
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    CONTROLLER[controller],
    '',
    ...repairs.flatMap((it) => [...drawn(it.root, now), '', ...ordered(it, numbers), '']),
  ].join('\n');
}

/** The steps of one tree, numbered over all of them, and what is gone then. */
function ordered(
  { root, steps, after, frees }: Repair,
  numbers: ReadonlyMap<RepairStep, number>,
): string[] {
  const before = after.map((it) => numbers.get(it)!).join(', ');
  return [
    pc.bold(`What to do for ${safeText(describeEntity(root.entity))}, in this order`),
    ...(before === '' ? [] : [`     first step ${before} above`]),
    ...steps.flatMap((step) => {
      const { who, what, run } = step;
      return [
        `${String(numbers.get(step)!).padStart(3)}. ${pc.bold(WHO[who])} ${who === 'kube-ovn' ? '' : '· '}${safeText(what, 500)}`,
        ...(run === undefined ? [] : [`       ${safeText(run, 2000)}`]),
      ];
    }),
    ...(frees.length === 0 ? [] : [`     Gone then: ${goneText(frees)}`]),
  ];
}

const MOST_NAMED = 5;

function goneText(frees: readonly Entity[]): string {
  const named = frees.slice(0, MOST_NAMED).map((it) => safeText(describeEntity(it)));
  const rest = frees.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function drawn(root: DiagnosisNode, now: Date): string[] {
  const lines: string[] = [];
  const node = (node: DiagnosisNode, first: string, rest: string): void => {
    lines.push(first + titled(node, now));
    node.waits.forEach((wait, index) => {
      const isLast = index === node.waits.length - 1;
      waiting(wait, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
    });
  };
  const waiting = ({ because, of, more }: Wait, first: string, rest: string): void => {
    const behind = more > 0 ? 1 : 0;
    lines.push(
      `${first}${safeText(of.length > 0 ? because.replace(/: [^:]*$/, '') : because, 300)}`,
    );
    of.forEach((entry, index) => {
      const isLast = index === of.length - 1 + behind;
      node(entry, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
    });
    if (more > 0) lines.push(`${rest}└─ and ${more} more`);
  };
  node(root, '', '');
  return lines;
}

function titled(node: DiagnosisNode, now: Date): string {
  const name = pc.bold(safeText(describeEntity(node.entity)));
  if (node.again) return `${name} (see above)`;
  const about =
    node.state === 'terminating'
      ? `terminating since ${safeText(node.since!, 40)} (${age(node.since!, now)})`
      : node.state === 'row'
        ? 'still in OVN'
        : 'it is not being deleted';
  const left =
    node.state === 'terminating' && node.waits.length === 0 && node.unknown === undefined
      ? '; waits for nothing that can be seen'
      : '';
  const leaked =
    node.state === 'there' && node.summary !== undefined ? `; ${safeText(node.summary, 300)}` : '';
  return `${name}, ${about}${left}${leaked}${node.unknown === undefined ? '' : `; what it waits for is not known: ${safeText(node.unknown, 300)}`}`;
}

/** In the largest two units, never of the future. */
export function age(since: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days}d${hours > 0 ? ` ${hours}h` : ''}`;
  if (hours > 0) return `${hours}h${minutes > 0 ? ` ${minutes}m` : ''}`;
  return minutes > 0 ? `${minutes}m` : `${seconds}s`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
