import { beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../../../src/lib/contract/rules/errors.ts';
import { createImages } from '../../../src/lib/server/files/image.ts';
import { twoColours } from './pictures.ts';

const images = createImages();

let png: Buffer;
beforeAll(async () => {
  png = await twoColours(300, 200).png().toBuffer();
});

test('a flood of pictures is refused instead of filling memory', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 25 }, (_, index) => images.toAvatar(png, { id: `account ${index}` })),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(25 - 17);
  for (const outcome of refused) expect(outcome.reason).toMatchObject({ code: 'UNAVAILABLE' });
});

test('a flood from one account takes turns with the uploads of others', async () => {
  const done: string[] = [];
  const take = (owner: string) => images.toAvatar(png, { id: owner }).then(() => void done.push(owner));
  const flood = Array.from({ length: 25 }, () => take('one'));
  const others = ['two', 'three'].map(take);
  const outcomes = await Promise.allSettled(flood);
  // One that is being read and twelve that wait.
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(13);
  await Promise.all(others);
  // One picture of each other owner is processed in between.
  expect(done.slice(0, 6)).toEqual(expect.arrayContaining(['two', 'three']));
});

test('small pictures do not wait behind a large one', async () => {
  const done: string[] = [];
  const large = twoColours(3_000, 2_000);
  const bytes = await large.png().toBuffer();
  const works = [
    images.toImage(bytes, { id: 'one' }).then(() => done.push('large')),
    images.toImage(bytes, { id: 'two' }).then(() => done.push('large')),
    images.toImage(png, { id: 'three' }).then(() => done.push('small')),
  ];
  await Promise.all(works);
  expect(done).toEqual(['small', 'large', 'large']);
});

describe('the processing time of a picture', () => {
  /** A clock that stands still, but advances by 3 s while a picture is processed. */
  const clockOf = () => {
    let [time, calls] = [0, 0];
    return () => (calls++ % 2 === 0 ? time : (time += 3_000));
  };

  test('is charged to its account, whatever the result', async () => {
    const slow = createImages(clockOf());
    const spent: number[] = [];
    const account = { id: 'one', spent: async (ms: number) => void spent.push(ms) };
    await slow.toImage(png, account);
    await expect(slow.toImage(png.subarray(0, png.length >> 1), account)).rejects.toMatchObject({
      code: 'IMAGE_UNREADABLE',
    });
    expect(spent).toEqual([3_000, 3_000]);
  });

  test('an account without time left when its turn comes costs no work', async () => {
    const begin = () => Promise.reject(refusal('QUOTA_REACHED'));
    const spent = () => Promise.reject(new Error('nothing was spent'));
    const account = { id: 'one', begin, spent };
    await expect(images.toImage(png, account)).rejects.toMatchObject({ code: 'QUOTA_REACHED' });
  });
});
