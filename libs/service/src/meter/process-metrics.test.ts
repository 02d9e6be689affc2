import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { createMeter } from './meter';
import { PROCESS_METRICS, registerProcessMetrics } from './process-metrics';

const folder = mkdtempSync(join(tmpdir(), 'process-metrics-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the end of a certificate is that of the file as it is now, and unknown while it cannot be read', async () => {
  const caCertificate = join(folder, 'ca.pem');
  const meter = createMeter(Object.values(PROCESS_METRICS));
  const settings = Settings.parse({ ovnNb: { remote: 'ssl:[::1]:6641', caCertificate } });
  registerProcessMetrics(meter, '1.2.3', { read: () => new Map() }, settings);
  const shown = async (): Promise<string | undefined> =>
    /^steward_certificate_expiry_timestamp_seconds\{setting="ovnNb.caCertificate"\} (\S+)$/m.exec(
      await meter.text(),
    )?.[1];
  expect(await shown()).toBeUndefined();
  for (const pem of rootCertificates.slice(0, 2)) {
    writeFileSync(caCertificate, pem);
    expect(Number(await shown())).toBe(Date.parse(new X509Certificate(pem).validTo) / 1000);
  }
  rmSync(caCertificate);
  expect(await shown()).toBeUndefined();
});
