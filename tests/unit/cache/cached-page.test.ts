import { expect, test } from 'vitest';
import { encode, toCachedPage } from '../../../src/lib/server/cache/cached-page.ts';

test.each(['br', 'gzip'] as const)(
  'the bytes of a page are not held beside its %s form, and come back when they are asked for',
  async (encoding) => {
    const text = '墨页'.repeat(1000);
    const page = toCachedPage(Buffer.from(text), [], []);
    const whole = await encode(page, 'identity');
    await encode(page, encoding);
    expect(Object.keys(page.bodies)).toEqual([encoding]);
    const again = await encode(page, 'identity');
    expect([again.bytes.toString(), again.etag]).toEqual([text, whole.etag]);
    await encode(page, encoding, 'small');
    expect(new Set(Object.keys(page.bodies))).toEqual(new Set([encoding, 'identity']));
  },
);

test.each(['br', 'gzip'] as const)('a body in %s holds no memory but its own', async (encoding) => {
  const { bytes } = await encode(toCachedPage(Buffer.from('墨页'.repeat(1000)), [], []), encoding);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});
