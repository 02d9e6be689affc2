import { formatIp, type Ip } from '@ovn-steward/shared/address';

/**
 * Every network the address is in, from its own to all there is, as `blockText` spells them: 33 for
 * IPv4, 129 for IPv6.
 */
export function blocksAround(ip: Ip): string[] {
  const width = ip.family === 4 ? 32 : 128;
  return Array.from({ length: width + 1 }, (_, host) => {
    const first = (ip.value >> BigInt(host)) << BigInt(host);
    return `${formatIp({ family: ip.family, value: first })}/${width - host}`;
  });
}
