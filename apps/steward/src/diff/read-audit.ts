import { readFileSync } from 'node:fs';
import { AuditDocument } from '@ovn-steward/contracts/audit';
import { checkDocument } from '@ovn-steward/contracts/record/read-document';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { whyUnreadable } from '@ovn-steward/shared/file-trouble';

const HOW =
  'Make one with steward audit --output json, or with steward report --output json, and compare that.';

/**
 * Reads an audit document from a file; a report as JSON is one, too. Words of later versions of v1
 * are taken as they are.
 * @throws Failure `input-not-found`, `input-unreadable`, also for a document of another version.
 */
export function readAudit(path: string): AuditDocument {
  const read = checkDocument(AuditDocument, 'an audit document', parsed(path));
  if ('poison' in read)
    throw new Failure('input-unreadable', `${path} cannot be compared: ${read.poison}. ${HOW}`);
  return read.document;
}

function parsed(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure(
      missing ? 'input-not-found' : 'input-unreadable',
      missing
        ? `${path} does not exist. ${HOW}`
        : `${path} cannot be read: ${whyUnreadable(error)}. ${HOW}`,
      { cause: error },
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(
      'input-unreadable',
      `${path} is not JSON, or only a part of it (${messageOf(error)}). ${HOW}`,
      { cause: error },
    );
  }
}
