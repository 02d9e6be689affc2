const { dirname, basename } = require('node:path').posix;

/**
 * Files that stand at the edge of their folder: what composes or shows it. Nothing inside imports
 * them (rule `edge-files`).
 */
const EDGE = /^(index|main|program)\.ts$/;

/**
 * The folder of a file; an edge file is a folder of its own, since it stands above those that lie
 * beside it.
 */
const folderOf = (file) => (EDGE.test(basename(file)) ? file : dirname(file));

/**
 * Folders that import each other in a circle, each with the imports that tie it: `from` and `to`
 * are files. `imports` are pairs of files, relative to the root of the repository, with slashes. A
 * folder and one that lies in it are two folders. Circles come in order of their first folder's
 * name.
 */
function folderCircles(imports) {
  const above = new Map();
  for (const { from, to } of imports) {
    const [a, b] = [folderOf(from), folderOf(to)];
    if (a === b) continue;
    if (!above.has(a)) above.set(a, new Set());
    above.get(a).add(b);
  }
  return circlesIn(above).map((folders) => ({
    folders,
    imports: imports.filter(({ from, to }) => {
      const [a, b] = [folderOf(from), folderOf(to)];
      return a !== b && folders.includes(a) && folders.includes(b);
    }),
  }));
}

/** All that can be reached from a folder, the folder itself only when it is in a circle. */
function reachable(above, folder) {
  const reached = new Set();
  const open = [folder];
  while (open.length > 0)
    for (const next of above.get(open.pop()) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        open.push(next);
      }
  return reached;
}

function circlesIn(above) {
  const reach = new Map([...above.keys()].map((folder) => [folder, reachable(above, folder)]));
  const seen = new Set();
  const circles = [];
  for (const folder of [...above.keys()].sort()) {
    if (seen.has(folder) || !reach.get(folder).has(folder)) continue;
    const circle = [...reach.get(folder)].filter((other) => reach.get(other)?.has(folder)).sort();
    for (const member of circle) seen.add(member);
    circles.push(circle);
  }
  return circles;
}

module.exports = { folderCircles };
