import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { examine, type Finding } from '../../src/lib/server/operations/doctor.ts';
import { done, openServer, outcome, refused, type Person } from './server.ts';
import { MIB } from '../../src/lib/contract/rules/units.ts';

test('console, metrics and doctor report nearing the upload limit; beyond it uploads are refused', async () => {
  const server = await openServer({ UPLOADS_LIMIT_MB: '1' });
  try {
    const author = await server.join('王维');
    await server.app.services.roles.set('王维', 'operator', null);
    const upload = async (side: number, { token }: Person) => {
      const raw = { width: side, height: side, channels: 3 as const };
      const bytes = await sharp(randomBytes(side * side * 3), { raw })
        .png()
        .toBuffer();
      const form = new FormData();
      form.set('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
      const headers = { Authorization: `Beare ${token}` };
      return server.send('/api/file/uploadImage', { method: 'POST', body: form, headers });
    };
    const storage = async () => done(await server.post('/api/staff/overview', {}, author.token)).storage;
    const gauge = async (name: string) =>
      Number(new RegExp(`^moye_${name} (\\S+)$`, 'm').exec((await server.send('/metrics')).text)?.[1]);
    const doctor = async () => {
      const findings: Finding[] = await Array.fromAsync(examine(server.app, { mends: false }));
      return findings.find(({ check }) => check === '图片空间')?.verdict;
    };

    expect(await storage()).toMatchObject({ picture_bytes: 0, picture_limit: MIB, is_near_limit: false });
    expect([await gauge('uploads_bytes'), await gauge('uploads_limit_bytes')]).toEqual([0, MIB]);
    expect(await doctor()).toBe('fine');

    // At most 480 pixels wide, so no resized copies are made.
    for (let count = 0; count < 2; count++) done(await upload(390, author));
    const bytes = await gauge('uploads_bytes');
    expect(bytes).toBeGreaterThan(0.8 * MIB);
    expect(await storage()).toMatchObject({ picture_bytes: bytes, is_near_limit: true });
    expect(await doctor()).toBe('doubtful');
    const answer = await upload(390, author);
    expect(outcome(answer)).toEqual(refused('站点的图片空间已用完，这次没有上传，请联系站长', 503));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await gauge('uploads_bytes')).toBe(bytes);
    // Texts can still be saved.
    await server.write(author);
  } finally {
    await server.close();
  }
});
