import { messageOf } from './errors';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | null)?.code;

/**
 * Why a file or folder cannot be read, as the rest of a sentence, in place of the system's error.
 */
export function whyUnreadable(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'it does not exist; check the path';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not read it; check its owner and mode';
    case 'EISDIR':
      return 'it is a folder; name a file';
    case 'ENOTDIR':
      return 'it, or a part of its path, is not a folder; check the path';
    default:
      return messageOf(error);
  }
}

/** Why nothing can be written on its disk; undefined for other reasons. */
function whyDiskRefuses(code: unknown): string | undefined {
  switch (code) {
    case 'EROFS':
      return 'its file system is mounted read-only; name another folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'its disk has no space left; free some, or name another folder';
    default:
      return undefined;
  }
}

/** Why a file cannot be written, and what to do, as the rest of a sentence. */
export function whyUnwritable(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      return 'its folder does not exist; make it, or name another';
    case 'EEXIST':
      return 'it exists, and no file is replaced; name another, or move it away';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there; check the owner and mode of its folder';
    case 'ENOTDIR':
      return 'a part of its path is a file; name another';
    case 'EISDIR':
      return 'it is a folder; name a file';
    default:
      return whyDiskRefuses(code) ?? messageOf(error);
  }
}

/** Why a folder cannot be made, and what to do, as the rest of a sentence. */
export function whyNoFolder(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it, or a part of its path, is a file; name another folder, or move that file away';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not make it; check the owner and mode of the folder above it';
    case 'ENOENT':
      return 'the file system there takes no new folder; name another folder';
    default:
      return whyDiskRefuses(code) ?? `${messageOf(error)}; name another folder`;
  }
}
