import { expect, test } from 'vitest';
import { refusal } from '../../../src/lib/contract/rules/errors.ts';
import { retrying } from '../../../src/lib/server/operations/retry.ts';
import { StorageUnavailableError } from '../../../src/lib/server/storage/storage.ts';

const BUSY = refusal('UNAVAILABLE', { retryAfter: 0 });
const STARVED = refusal('CONTENT_TOO_COMPLEX', { retryAfter: 0 });

/** A service whose calls throw `errors` one after another, then succeed. */
function serviceWith(errors: readonly Error[]) {
  const left = [...errors];
  const made: string[] = [];
  return {
    made,
    async save(title: string): Promise<string> {
      made.push(title);
      const error = left.shift();
      if (error) throw error;
      return `${title} is saved`;
    },
    check: (title: string): string => {
      made.push(title);
      throw left.shift() ?? new Error('checked');
    },
  };
}

test('a call refused because the machine is busy is repeated until it is accepted', async () => {
  const service = serviceWith([BUSY, STARVED, BUSY]);
  expect(await retrying(service, undefined).save('a')).toBe('a is saved');
  expect(service.made).toEqual(['a', 'a', 'a', 'a']);
});

test.each([
  ['a text that is too complex', refusal('CONTENT_TOO_COMPLEX')],
  ['a full disk', refusal('STORAGE_FULL', { retryAfter: 0 })],
  ['a used-up quota', refusal('QUOTA_REACHED', { retryAfter: 0 })],
  ['a fault', new Error('a fault')],
  ['a commit with an unknown outcome', new StorageUnavailableError(new Error('cut'), true)],
])('%s is reported at once', async (_, error) => {
  const service = serviceWith([error]);
  await expect(retrying(service, undefined).save('a')).rejects.toBe(error);
  expect(service.made).toEqual(['a']);
});

test('a machine that stays busy is reported in the end', async () => {
  const service = serviceWith(Array.from({ length: 100 }, () => STARVED));
  await expect(retrying(service, undefined).save('a')).rejects.toBe(STARVED);
  expect(service.made).toHaveLength(20);
});

test('an interrupted run does not wait', async () => {
  const late = refusal('UNAVAILABLE', { retryAfter: 3_600 });
  const interrupt = new AbortController();
  const service = serviceWith([late]);
  const saving = retrying(service, interrupt.signal).save('a');
  interrupt.abort();
  await expect(saving).rejects.toBe(late);
  expect(service.made).toEqual(['a']);
});

test('synchronous calls stay synchronous', () => {
  const service = serviceWith([BUSY]);
  expect(() => retrying(service, undefined).check('a')).toThrow(BUSY);
  expect(service.made).toEqual(['a']);
});
