const UNNOTICED = new Set(['Survived', 'NoCoverage']);

/** The text a mutant stands in for; positions of Stryker's results count from one. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

/**
 * What is kept of the mutants of one file: how many met which end, and those nobody noticed, by
 * their place.
 */
function record({ file, source, commit, at, tests, mutants }) {
  const count = (...ends) => mutants.filter(({ status }) => ends.includes(status)).length;
  return {
    file,
    commit,
    at,
    tests,
    killed: count('Killed'),
    timeout: count('Timeout'),
    invalid: count('CompileError', 'RuntimeError'),
    leftAlone: count('Ignored'),
    survivors: mutants
      .filter(({ status }) => UNNOTICED.has(status))
      .map(({ location, mutatorName, replacement, status }) => ({
        line: location.start.line,
        column: location.start.column,
        mutator: mutatorName,
        reached: status === 'Survived',
        original: textAt(source, location),
        replacement,
      }))
      .sort(
        (a, b) =>
          a.line - b.line || a.column - b.column || (a.replacement < b.replacement ? -1 : 1),
      ),
  };
}

/**
 * The records of a folder with those of a new run in place of older ones, and without files that
 * are no more.
 */
const merged = (before, now, present) =>
  present.flatMap((file) => {
    const recorded = now.find((a) => a.file === file) ?? before.find((a) => a.file === file);
    return recorded === undefined ? [] : [recorded];
  });

module.exports = { merged, record };
