// Makes a process believe another time: the file that STEWARD_TEST_CLOCK names holds how many
// milliseconds its clock is ahead. `node --require` this. Timers and process.hrtime go on as they
// were, as they do when an administrator sets the clock.
const { readFileSync } = require('node:fs');

const RealDate = Date;
let ahead = 0;
const readOffset = () => {
  try {
    ahead = Number(readFileSync(process.env.STEWARD_TEST_CLOCK, 'utf8')) || 0;
  } catch {
    ahead = 0;
  }
};
readOffset();
setInterval(readOffset, 50).unref();

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
