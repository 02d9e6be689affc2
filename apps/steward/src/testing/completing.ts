import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellsAtHand } from '@ovn-steward/testbed/provision/shells';
import type { ShellSession } from './shell-session';

/** A folder with the built command line under its own name, for a PATH. */
export function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-completion-'));
  const bin = join(__dirname, '../../bin/steward.cjs');
  writeFileSync(join(folder, 'steward'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(folder, 'steward'), 0o755);
  return folder;
}

/** bash, without any file of the user's, that knows our completion. */
export const bashSession = (folder: string): ShellSession => ({
  command: 'bash --norc --noprofile -i',
  env: { PATH: `${folder}:${process.env['PATH']}` },
  setUp: ['source <(steward completion bash)'],
  allCompletions: '\x1b*',
});

/** zsh, likewise; `_all_matches` puts all of them into the line. */
export function zshSession(folder: string): ShellSession {
  const { zsh, zshFunctions, zshModules, env } = shellsAtHand()!;
  return {
    command: `${zsh} -f -i`,
    env: { PATH: `${folder}:${process.env['PATH']}`, ...env, HOME: folder },
    setUp: [
      `module_path=(${zshModules}); fpath=(${zshFunctions.join(' ')})`,
      'autoload -Uz compinit && compinit -u -D; unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste; bindkey -e',
      'source <(steward completion zsh)',
      "zle -C all-matches complete-word _generic; zstyle ':completion:all-matches:*' completer _all_matches _complete; zstyle ':completion:all-matches:*' insert true; bindkey '^Xa' all-matches",
    ],
    allCompletions: '\x18a',
  };
}
