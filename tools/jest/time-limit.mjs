// Ends a test or a hook that does not end (`setupFilesAfterEnv`): the runner itself knows no limit.

/** Generous, in milliseconds: a busy machine is no failure, and no test asserts a time. */
const LIMIT = 300_000;

/** Those of Node: a test may put others in their place before it ends. */
const { setTimeout, clearTimeout } = globalThis;

const within =
  (run, ms) =>
  async (...given) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It did not end in ${ms / 1000} seconds.`)), ms);
    });
    try {
      return await Promise.race([run(...given), late]);
    } finally {
      clearTimeout(timer);
    }
  };

const limitedTest =
  (define) =>
  (name, run, ms = LIMIT) =>
    define(name, within(run, ms));

const limitedHook =
  (define) =>
  (run, ms = LIMIT) =>
    define(within(run, ms));

/** As jest's `test`, with what of it our tests use. */
function limited(test) {
  const own = limitedTest(test);
  own.each = (...table) => limitedTest(test.each(...table));
  own.only = limitedTest(test.only);
  own.skip = test.skip;
  return own;
}

globalThis.test = globalThis.it = limited(globalThis.test);
for (const hook of ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'])
  globalThis[hook] = limitedHook(globalThis[hook]);
