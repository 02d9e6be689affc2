import { connect } from 'node:net';

/**
 * Whether the ovsdb-server at this port of 127.0.0.1 answers an echo request (RFC 7047 §4.1.11). It
 * does so from its main loop: by then it has opened its databases and its control socket. False
 * where nothing listens, the connection ends or `timeoutMs` are over.
 */
export function answersEcho(port: number, timeoutMs = 5000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const done = (answer: boolean) => () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(done(false), timeoutMs);
    socket
      .once('connect', () => socket.write('{"method":"echo","params":[],"id":1}'))
      .once('data', done(true))
      .once('error', done(false))
      .once('close', done(false));
  });
}
