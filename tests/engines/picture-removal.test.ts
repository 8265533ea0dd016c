import { afterAll, beforeAll, expect, test } from 'vitest';
import { countWrongCounters } from '../../src/lib/server/db/stored-counters.ts';
import { STORED_NUMBERS } from '../../src/lib/server/quotas/quota-queries.ts';
import { noise } from '../unit/files/pictures.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let author: Person;
beforeAll(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
});
afterAll(() => stage?.close());

const services = () => stage.app.services;

/** Every way to delete a picture. */
const ways: Record<string, (name: string) => Promise<unknown>> = {
  'its author': (name) => services().pictures.remove({ names: [name], from_history: false }, author.viewer),
  staff: (name) =>
    services().profiles.remove(
      { kind: 'picture', field: 'file', id: name, reason: '侵权', version: '' },
      null,
    ),
};

test.each(Object.entries(ways))(
  'a picture deleted by %s no longer counts, copies included',
  async (_, remove) => {
    const { db } = stage.app;
    const before = await stage.rows(`select stored_bytes from users where id = '${author.viewer.id}'`);
    const photo = await noise(700, 350).jpeg({ quality: 95 }).toBuffer();
    const { name } = await services().files.saveImage(author.viewer, photo);
    const copies = () => stage.rows(`select file from picture_variants where picture = '${name}'`);
    await expect.poll(async () => (await copies()).length).toBe(4);
    await remove(name);
    expect(await copies()).toEqual([]);
    expect(await stage.rows(`select stored_bytes from users where id = '${author.viewer.id}'`)).toEqual(
      before,
    );
    expect(await countWrongCounters(db.read, STORED_NUMBERS)).toBe(0);
  },
);
