// Waits until every process of the named services is ready, and says what is missing of those that
// are not. node check.cjs <host or host:port>… ; CHECK_SECONDS is how long, 300 unless set. Exit
// code 1 when the time is over.
const { lookup } = require('node:dns/promises');
const { request } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

const PORT = 9470;
const WITHIN_MS = Number(process.env.CHECK_SECONDS ?? 300) * 1000;
const AGAIN_MS = 2000;

const get = (host, port) =>
  new Promise((resolve, reject) => {
    request({ host, port, path: '/readyz', timeout: 5000 }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('timeout', function () {
        this.destroy(new Error('no answer within 5 s'));
      })
      .on('error', reject)
      .end();
  });

/** What is not ready of a service: a line for each process behind its name. */
async function missingOf(target) {
  const [, name, port = PORT] = /^(.*?)(?::(\d+))?$/.exec(target);
  try {
    const addresses = await lookup(name, { all: true });
    const answers = await Promise.all(addresses.map(({ address }) => get(address, Number(port))));
    return answers.filter((it) => it.status !== 200).map((it) => `${target}: ${it.text}`);
  } catch (error) {
    return [`${target}: ${error.message}`];
  }
}

async function main(targets) {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const missing = (await Promise.all(targets.map(missingOf))).flat();
    if (missing.length === 0) return console.log(`ready: ${targets.join(', ')}`);
    if (Date.now() > end) {
      console.error(missing.join('\n'));
      process.exitCode = 1;
      return;
    }
    await sleep(AGAIN_MS);
  }
}

void main(process.argv.slice(2));
