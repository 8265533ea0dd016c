import sharp from 'sharp';

let noise: Promise<Buffer> | undefined;

/** A PNG of 7 MB whose pixels are noise, which makes it as slow to decode and encode as its size allows. */
export function noisePicture(): Promise<Buffer> {
  noise ??= makeNoise();
  return noise;
}

async function makeNoise(): Promise<Buffer> {
  const [width, height] = [1600, 1500];
  const noisy = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width, height, channels: 3, background: 'black', noise: noisy } as const;
  return sharp({ create }).png().toBuffer();
}

/** An SVG of 1 MB of curves. */
export function largeSvg(index: number): Buffer {
  const curves = Array.from(
    { length: 20_000 },
    (_, at) => `<path d="M${at % 800} 0C9 ${index % 99} 8 7 600 ${at % 600}"/>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" fill="none" stroke="teal">${curves.join('')}</svg>`,
  );
}

export function multipart(bytes: Buffer): { body: Buffer; type: string } {
  const edge = 'part-of-an-upload';
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${edge}` };
}

/** A bitmap of 16 MB without compression. */
export function largeBmp(index: number): Buffer {
  const [width, height] = [2_000, 2_000];
  const bytes = Buffer.alloc(54 + 4 * width * height, 0x7f);
  bytes.fill(0, 0, 54);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(32, 28);
  bytes.writeUInt32LE(index, 54);
  return bytes;
}
