// docs/mutation.md, out of what was measured and why each survivor may live.
const VERDICTS = {
  equivalent: 'the changed program does the same',
  unreachable: 'no input leads there; the types or a caller rule it out',
  elsewhere: 'the tests in the reason notice it; the test beside the file does not',
  accepted: 'it does something else, which is acceptable',
};

const INTRO = `# Faults planted by a machine

[Stryker](https://stryker-mutator.io) changes the code that decides and deletes in one place at a
time: a condition is always true, a comparison includes its border, a block is empty. It runs each
such mutant against the unit tests beside the file (\`x.test.ts\` for \`x.ts\`; for a file without
one, those in its folder). A mutant is noticed when a test fails or reaches the time limit. Otherwise
it survives: a test is missing, or the mutant does no harm. The reason of each survivor is below.

\`\`\`sh
npm run mutation -- services/executor/src/gate/holds.ts
npm run mutation -- libs/judgement/src/engine
\`\`\`

The first, 81 mutants, took two minutes on two busy cores. Without a path, the command measures every
folder that decides or deletes, which takes many hours. The results are in
\`tools/mutation/results\`, the reasons in \`tools/mutation/explanations.json\`.
\`npm run generate\` writes this page from both. It fails while a survivor has no reason, or a reason
no survivor. Nothing is measured again automatically: the commit is the last one that had changed the
file when it was measured.

Stryker leaves alone texts with a blank in them, which are for people (messages and descriptions), and
calls of a logger. It changes codes, keys and names like everything else.`;

const key = ({ file, original, replacement }) => JSON.stringify([file, original, replacement]);

/**
 * Each survivor with its reason.
 * @throws Error that names survivors without a reason and reasons without a survivor.
 */
function explained(folders, explanations) {
  const reasons = new Map(explanations.map((it) => [key(it), it]));
  const used = new Set();
  const wrong = [];
  const all = folders.flatMap(({ files }) =>
    files.flatMap(({ file, survivors }) =>
      survivors.map((survivor) => {
        const reason = reasons.get(key({ ...survivor, file }));
        if (reason) used.add(reason);
        else
          wrong.push(
            `${file}:${survivor.line}: no reason why ${quoted(survivor.original)} may become ${quoted(survivor.replacement)}`,
          );
        return { ...survivor, file, ...(reason && { verdict: reason.verdict, why: reason.why }) };
      }),
    ),
  );
  for (const explanation of explanations) {
    if (!Object.hasOwn(VERDICTS, explanation.verdict) || !explanation.why)
      wrong.push(
        `${explanation.file}: ${quoted(explanation.original)}: needs a verdict (${Object.keys(VERDICTS).join(', ')}) and why`,
      );
    if (!used.has(explanation))
      wrong.push(
        `${explanation.file}: nothing survived as ${quoted(explanation.replacement)}; take its reason away`,
      );
  }
  if (wrong.length > 0)
    throw new Error(`tools/mutation/explanations.json does not fit:\n  ${wrong.join('\n  ')}`);
  return all;
}

/** One line, short enough for a table, in a form that Markdown shows as it is. */
function quoted(text) {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
  const short = line.length > 90 ? `${line.slice(0, 87)}…` : line;
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``;
}

const sum = (files, of) => files.reduce((all, it) => all + of(it), 0);
const percent = (part, all) => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`);

function row(name, files, survivors, without) {
  const noticed = sum(files, (it) => it.killed + it.timeout);
  const harmless = survivors.filter(({ verdict }) =>
    ['equivalent', 'unreachable'].includes(verdict),
  ).length;
  const all = noticed + survivors.length;
  return `| ${[
    name,
    without === undefined ? files.length : `${files.length} of ${files.length + without}`,
    all,
    noticed,
    survivors.length,
    harmless,
    percent(noticed, all),
    percent(noticed, all - harmless),
  ].join(' | ')} |`;
}

/**
 * Faults that a person chose, in a section of their own: another choice gives another figure.
 * @param byHand one record for each folder.
 */
function byHandSection(byHand) {
  const total = (of) => byHand.reduce((all, it) => all + of(it), 0);
  const line = (name, files, planted, first, harmless, now) =>
    `| ${[name, files, planted, first, now, harmless, percent(first, planted - harmless), percent(now, planted - harmless)].join(' | ')} |`;
  const harmlessIn = ({ unnoticed }) =>
    unnoticed.filter(({ verdict }) => ['equivalent', 'unreachable'].includes(verdict)).length;
  const nowIn = ({ planted, unnoticed }) => planted - unnoticed.length;
  return [
    '## Planted by hand',
    `A reviewer planted these faults where Stryker would take days: a dropped or negated guard or
condition, a missing \`wait\` in a transaction, a missing precondition of a request, another uid, a
failed answer treated as an empty one. Each ran against the test beside the file, then against those
of its folder, then against those of the rules or actions that use it. Tests were added for what
nothing noticed. The figures are not comparable with those above.`,
    [
      '| Folder | Files | Faults | Noticed at first | Noticed now | of the others harmless | At first | Now |',
      '|---|---|---|---|---|---|---|---|',
      ...byHand.map((review) =>
        line(
          `\`${review.folder}\``,
          review.files,
          review.planted,
          review.noticedAtFirst,
          harmlessIn(review),
          nowIn(review),
        ),
      ),
      line(
        'all',
        total((it) => it.files),
        total((it) => it.planted),
        total((it) => it.noticedAtFirst),
        total(harmlessIn),
        total(nowIn),
      ),
    ].join('\n'),
    'Both scores exclude the harmless. Planted on ' +
      `${[...new Set(byHand.map(({ at }) => at))].sort().join(', ')}. These are not noticed by a test now; those with the verdict open lack a test:`,
    [
      '| File | From | To | Verdict | Why |',
      '|---|---|---|---|---|',
      ...byHand.flatMap(({ unnoticed }) =>
        unnoticed.map(
          (it) =>
            `| \`${it.file}\` | ${quoted(it.original)} | ${it.replacement === '' ? '(left out)' : quoted(it.replacement)} | ${it.verdict} | ${it.why.replaceAll('|', '\\|')} |`,
        ),
      ),
    ].join('\n'),
  ];
}

/**
 * The page.
 * @param folders the records of each folder that was measured.
 * @param listed the folders that ought to be.
 * @param byHand what was
 * planted by hand.
 */
function mutationPage(folders, explanations, listed, byHand = []) {
  const survivors = explained(folders, explanations);
  const within = (files) => survivors.filter(({ file }) => files.some((it) => it.file === file));
  const every = folders.flatMap(({ files }) => files);
  const unmeasured = listed.filter((it) => !folders.some(({ folder }) => folder === it));
  return `${[
    INTRO,
    '## The score',
    [
      '| Folder | Files measured | Mutants | Noticed | Survived | of these harmless | Score | Score without the harmless |',
      '|---|---|---|---|---|---|---|---|',
      ...folders.map(({ folder, files, without }) =>
        row(`\`${folder}\``, files, within(files), without.length),
      ),
      row('all', every, survivors),
    ].join('\n'),
    'Equivalent and unreachable survivors are harmless (see below). A reached time limit counts as noticed: ' +
      `${sum(every, (it) => it.timeout)} of ${sum(every, (it) => it.killed + it.timeout)}. ` +
      `${sum(every, (it) => it.invalid)} mutants could not be run, ${sum(every, (it) => it.leftAlone)} texts and log lines were left alone; neither counts.`,
    '## Not measured',
    [
      ...unmeasured.map((it) => `- \`${it}\`: none of it`),
      ...folders.flatMap(({ folder, without }) =>
        without.length === 0
          ? []
          : [
              `- \`${folder}\`: ${without.map((it) => `\`${it.slice(folder.length + 1)}\``).join(', ')}`,
            ],
      ),
    ].join('\n') || 'Nothing: every folder was measured.',
    '## The files',
    [
      '| File | Measured | Commit | Mutants | Noticed | Survived |',
      '|---|---|---|---|---|---|',
      ...every.map(
        (it) =>
          `| \`${it.file}\` | ${it.at} | \`${it.commit}\` | ${it.killed + it.timeout + it.survivors.length} | ${it.killed + it.timeout} | ${it.survivors.length} |`,
      ),
    ].join('\n'),
    '## The survivors',
    Object.entries(VERDICTS)
      .map(([name, what]) => `- ${name}: ${what}`)
      .join('\n'),
    ...every
      .filter(({ survivors: of }) => of.length > 0)
      .map(({ file }) =>
        [
          `### ${file}`,
          '',
          '| Line | From | To | Verdict | Why |',
          '|---|---|---|---|---|',
          ...survivors
            .filter((it) => it.file === file)
            .map(
              (it) =>
                `| ${it.line} | ${quoted(it.original)} | ${quoted(it.replacement)} | ${it.verdict} | ${it.why.replaceAll('|', '\\|')} |`,
            ),
        ].join('\n'),
      ),
    ...(byHand.length > 0 ? byHandSection(byHand) : []),
  ].join('\n\n')}\n`;
}

module.exports = { mutationPage };
