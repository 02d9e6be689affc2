/** Called with one line at each step of work that takes a while. */
export type Progress = (line: string) => void;

/** Progress on standard error, each line saying who speaks. */
export const progressToStderr: Progress = (line) => {
  process.stderr.write(`[testbed] ${line}\n`);
};
