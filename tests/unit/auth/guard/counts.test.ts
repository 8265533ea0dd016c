import { expect, test } from 'vitest';
import { createCounts } from '../../../../src/lib/server/auth/guard/counts.ts';

test('a million names are counted in bounded memory, evicting the oldest', async () => {
  const counts = createCounts(() => 0);
  for (let name = 0; name < 1_000_000; name++) await counts.add(`name ${name}`, 1);
  let kept = 0;
  for (let name = 0; name < 1_000_000; name++) if (await counts.read(`name ${name}`)) kept++;
  expect(kept).toBe(100_000);
});

test('a count restarts when it expires', async () => {
  let now = 0;
  const counts = createCounts(() => now);
  expect(await counts.add('key', 10)).toMatchObject({ points: 1, until: 10 });
  now = 9;
  expect(await counts.add('key', 19)).toMatchObject({ points: 2, until: 10 });
  expect(await counts.add('key', 19, true)).toMatchObject({ points: 3, until: 19 });
  now = 19;
  expect(await counts.read('key')).toBeNull();
  expect(await counts.add('key', 29)).toMatchObject({ points: 1, until: 29 });
});
