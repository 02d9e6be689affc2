// Loaded before everything else in an image. Process 1 of a container gets only the signals it
// listens for: without this a SIGTERM in the second in which a program loads would be lost, and the
// container killed half a minute later. Here it is kept until there is somebody who listens; where
// nobody does, such as in an audit, the process ends as it would have outside of a container.
const { constants } = require('node:os');

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
