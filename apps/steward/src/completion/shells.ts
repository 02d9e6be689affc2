import type { Candidates } from './candidates';

/** A shell that can complete: the script that it loads, and how a line of an answer looks there. */
interface Shell {
  /** `{program}` stands for the name that is completed. */
  readonly script: string;
  readonly line: (word: string, about: string, option: string) => string;
}

const BASH = `# Completion of {program} for bash. For this shell: source <({program} completion bash)
# For all: {program} completion bash > ~/.local/share/bash-completion/completions/{program}
_{program}_completion() {
  local rest=$COMP_LINE words=() at=0 i line
  # bash splits words at = and : too; what no blank divides is one word.
  for i in "\${!COMP_WORDS[@]}"; do
    if ((i == 0)) || [[ -z $rest || $rest == [[:space:]]* ]]; then
      words+=("\${COMP_WORDS[i]}")
      rest=\${rest#"\${rest%%[![:space:]]*}"}
    else
      words[\${#words[@]}-1]+=\${COMP_WORDS[i]}
    fi
    rest=\${rest#"\${COMP_WORDS[i]}"}
    ((i == COMP_CWORD)) && at=$((\${#words[@]} - 1))
  done
  COMPREPLY=()
  local kind=
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <("$1" completion bash --at "$at" -- "\${words[@]}" 2>/dev/null)
  local typed=\${COMP_WORDS[COMP_CWORD]}
  [[ $typed == = ]] && typed=
  case $kind in
    files) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$typed") ;;
    folders) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$typed") ;;
  esac
}
complete -F _{program}_completion {program}
`;

const ZSH = `#compdef {program}
# Completion of {program} for zsh. For this shell, after compinit: source <({program} completion zsh)
# For all: {program} completion zsh > a folder of $fpath/_{program}
_{program}() {
  local -a lines
  local kind
  lines=("\${(@f)$("\${(Q)words[1]}" completion zsh --at $((CURRENT - 1)) -- "\${(@)words}" 2>/dev/null)}")
  kind=$lines[1]
  shift lines
  [[ $words[CURRENT] == --*=* ]] && compset -P '*='
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
    words) (( $#lines )) && _describe -V {program} lines ;;
  esac
}
if [[ $funcstack[1] == _{program} ]]; then _{program} "$@"; else compdef _{program} {program}; fi
`;

const FISH = `# Completion of {program} for fish. For this shell: {program} completion fish | source
# For all: {program} completion fish > ~/.config/fish/completions/{program}.fish
function __{program}_completion
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l lines ($before[1] completion fish --at (count $before) -- $before "$typed" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$typed"
        case folders
            __fish_complete_directories "$typed"
        case words
            printf '%s\\n' $lines[2..-1]
    end
end
complete -c {program} -f -a '(__{program}_completion)'
`;

export const SHELLS: Readonly<Record<string, Shell>> = {
  bash: { script: BASH, line: (word) => word },
  zsh: {
    script: ZSH,
    line: (word, about) => (about === '' ? colons(word) : `${colons(word)}:${about}`),
  },
  // fish replaces the whole word, the name of the option included.
  fish: { script: FISH, line: (word, about, option) => `${option}${word}\t${about}` },
};

const colons = (word: string): string => word.replaceAll(':', String.raw`\:`);

/**
 * The answer to a shell: what kind it is, then a line for each candidate. `option` is what stands
 * before the typed value in its word, such as `--output=`.
 */
export function shellAnswer(shell: string, { kind, words }: Candidates, option: string): string {
  const lines = words.map(({ word, about }) =>
    SHELLS[shell]!.line(word, about.replaceAll(/\s+/g, ' '), option),
  );
  return [kind, ...lines, ''].join('\n');
}
