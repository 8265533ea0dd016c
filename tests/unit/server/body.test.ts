import { describe, expect, test } from 'vitest';
import { calls } from '../../../src/lib/contract/calls/calls.ts';
import { readInput } from '../../../src/lib/server/api/body.ts';
import { createHeldBodies } from '../../../src/lib/server/api/held-bodies.ts';

const held = createHeldBodies({ total: Infinity, each: Infinity });

const form = (content: string) =>
  new Request('http://a/', { method: 'POST', body: new URLSearchParams({ content }) });

/** Largest number of `bodies` that were read in one turn of the event loop. */
async function mostInTurn(bodies: Request[]): Promise<number> {
  let inTurn = 0;
  let most = 0;
  let ticking: NodeJS.Immediate | undefined;
  const tick = () => {
    inTurn = 0;
    ticking = setImmediate(tick);
  };
  tick();
  try {
    await Promise.all(
      bodies.map(async (body) => {
        await readInput(calls.articleCreate, body, held.open(body, 2 ** 20, ''), '');
        inTurn++;
        most = Math.max(most, inTurn);
      }),
    );
    return most;
  } finally {
    clearImmediate(ticking);
  }
}

describe('bodies that arrive together', () => {
  test('are parsed one per turn of the event loop when large', async () => {
    expect(await mostInTurn(Array.from({ length: 8 }, () => form('字'.repeat(100_000))))).toBe(1);
  });

  test('are parsed as they arrive when small', async () => {
    expect(await mostInTurn(Array.from({ length: 8 }, () => form('字'.repeat(100))))).toBeGreaterThan(1);
  });
});

describe('JSON', () => {
  const json = (text: string) =>
    new Request('http://a/', {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json' },
    });
  const read = (text: string) => {
    const body = json(text);
    return readInput(calls.articleCreate, body, held.open(body, 2 ** 23, ''), '');
  };

  test.each([
    ['keys', `{${Array.from({ length: 15_000 }, (_, index) => `"k${index}":0`).join()}}`],
    ['items', `{"ids":[${Array.from({ length: 70_000 }, () => 1).join()}]}`],
    ['arrays in arrays', `{"a":${'['.repeat(70_000)}${']'.repeat(70_000)}}`],
    ['objects in objects', `${'{"a":'.repeat(30_000)}0${'}'.repeat(30_000)}`],
  ])('with more %s than any call needs is refused unread', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE', status: 413 });
  });

  test('may have long texts with any content', async () => {
    const content = '{[,"\\'.repeat(100_000);
    expect(await read(JSON.stringify({ content, tags: ['"', ',', '\\'] }))).toEqual({
      content,
      tags: ['"', ',', '\\'],
    });
  });

  test('with a list that is too long is refused with its field name', async () => {
    expect(await read(JSON.stringify({ ids: Array(5_000).fill('0') }))).toMatchObject({
      ids: expect.any(Array),
    });
  });
});
