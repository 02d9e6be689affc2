import { once } from 'node:events';
import { connect } from 'node:tls';
import { startExecServer } from './exec';

/** SYN_STREAM (SPDY 3.1, section 2.6.1) with headers that nobody reads. */
function opening(id: number): Buffer {
  const frame = Buffer.alloc(18);
  frame.writeUInt32BE(0x80030001, 0);
  frame.writeUInt32BE(10, 4);
  frame.writeUInt32BE(id, 8);
  return frame;
}

interface Frame {
  readonly id: number;
  readonly isLast: boolean;
  readonly text: string;
}

/** The frames of data that were sent. */
function dataIn(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let rest = bytes; rest.length >= 8; rest = rest.subarray(8 + rest.readUIntBE(5, 3)))
    if (rest[0]! < 0x80)
      frames.push({
        id: rest.readUInt32BE(0),
        isLast: rest[4] === 1,
        text: rest.subarray(8, 8 + rest.readUIntBE(5, 3)).toString(),
      });
  return frames;
}

test('a command succeeds, and prints the version that Kube-OVN asks for', async () => {
  const server = await startExecServer();
  const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  let answer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
  });
  await once(socket, 'secureConnect');
  socket.write(
    'POST /exec/kube-system/gw/main?command=get-iptables-version&output=1&error=1 HTTP/1.1\r\nHost: kubelet\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n',
  );
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await once(socket, 'data');
  };
  await until(() => answer.includes('\r\n\r\n'));
  const greeting = answer.toString();
  answer = Buffer.alloc(0);
  // Cut where no frame ends.
  const sent = Buffer.concat([opening(1), opening(3), opening(5)]);
  socket.write(sent.subarray(0, 25));
  socket.write(sent.subarray(25));
  await until(() => dataIn(answer).length === 3);
  expect(greeting).toMatch(/^HTTP\/1\.1 101 [^]*v4\.channel\.k8s\.io/);
  expect(dataIn(answer)).toEqual([
    { id: 3, isLast: true, text: 'iptables v1.8.10 (nf_tables)\n' },
    { id: 5, isLast: true, text: '' },
    { id: 1, isLast: true, text: '{"metadata":{},"status":"Success"}' },
  ]);
  socket.destroy();
  await server.stop();
});
