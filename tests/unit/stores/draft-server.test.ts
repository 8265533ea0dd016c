import { expect, test } from 'vitest';
import { createDraftServer } from '../../../src/lib/stores/draft/draft-server.ts';
import { entryOf } from '../client/entries.ts';

// Browsers refuse longer requests that outlive their page.
test.each([
  ['a short text', '字'.repeat(5_000), true],
  ['a text that encoding makes nine times longer', '字'.repeat(10_000), false],
  ['a long text', 'x'.repeat(60_000), false],
])('saving %s may outlive the page: only if it is sent whole', async (_, content, expected) => {
  const sent: unknown[] = [];
  const call = (_name: string, _fields: unknown, options: { keepalive?: boolean }) => {
    sent.push(options.keepalive);
    return Promise.resolve({ id: '1', update_time: '2026-01-01T00:00:00.000Z', repeated: false });
  };
  const server = createDraftServer(call as never, '作者');
  const { fields } = entryOf(1, content);
  await server.create(fields, 'draft', 'request');
  await server.edit('1', fields, 'draft', { update_time: '', type: '' } as never);
  expect(sent).toEqual([expected, expected]);
});
