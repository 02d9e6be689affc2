import type { Command } from 'commander';
import { type AuditDifference, compareAudits } from '../diff/compare';
import { diffText } from '../diff/diff-text';
import { readAudit } from '../diff/read-audit';
import { requireComparable } from '../diff/require-comparable';
import { writePieces } from '../output/write-pieces';
import { EXIT } from '../process/exit-codes';
import { jsonPieces } from '../report/json-report';
import { reportOption } from '../inputs/report-option';

interface DiffOptions {
  readonly output: 'text' | 'json';
}

/** `steward diff <before> <after>`: what came, went and changed between two audits of a cluster. */
export function diffCommand(program: Command, done: (code: number) => void): void {
  program
    .command('diff')
    .argument('<before>', 'an audit document: steward audit, or report, with --output json')
    .argument('<after>', 'a later one of the same cluster')
    .description('compare two audits: what is new, what is resolved, what changed')
    .addOption(reportOption())
    .action(async (first: string, second: string, { output }: DiffOptions) => {
      const before = readAudit(first);
      const after = readAudit(second);
      requireComparable(before, after);
      const difference = compareAudits(before, after);
      await writePieces(output === 'json' ? jsonPieces(difference) : diffText(difference));
      done(codeOf(difference));
    });
}

/** Findings that are only resolved need no attention. */
function codeOf(difference: AuditDifference): number {
  if (difference.new.length > 0 || difference.changed.length > 0) return EXIT.findings;
  return difference.notJudged.length > 0 ? EXIT.couldNotKnow : EXIT.nothingFound;
}
