const [HIGH, LOW] = [0xc96c5795, 0xd7870f42];

const highs = new Int32Array(256);
const lows = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (low & 1) === 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) [high, low] = [high ^ HIGH, low ^ LOW];
  }
  highs[byte] = high;
  lows[byte] = low;
}

/** CRC-64/XZ, as in `mongodump`; computed in halves, because BigInt takes fifty times as long. */
export interface Crc64 {
  add(bytes: Uint8Array): void;
  /** Signed 64-bit integer, as in BSON. */
  value(): bigint;
}

export function createCrc64(): Crc64 {
  let [high, low] = [-1, -1];
  return {
    add(bytes) {
      for (const byte of bytes) {
        const at = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (lows[at] as number);
        high = (high >>> 8) ^ (highs[at] as number);
      }
    },
    value: () => BigInt.asIntN(64, (BigInt(~high >>> 0) << 32n) | BigInt(~low >>> 0)),
  };
}
