import { describe, expect, test } from 'vitest';
import {
  envelopeOf,
  refusal,
  REFUSALS,
  refusalResponse,
  type RefusalCode,
} from '../../../src/lib/contract/rules/errors.ts';
import { CallError } from '../../../src/lib/client/call-error.ts';
import { dataOf, partsOf } from '../../../src/lib/client/answer.ts';
import { isRefusedWith } from '../../../src/lib/client/is-refused-with.ts';
import { failureOf } from '../../../src/lib/stores/draft/draft-server.ts';
import { readText } from '../project/source-files.ts';

const table = Object.entries(REFUSALS);

describe('the codes of refusals', () => {
  test('are documented in docs/CONTRACT.md, with status and text', () => {
    const section = readText('docs/CONTRACT.md').split('\n## Codes\n')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.*?) +\|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(table.map(([code, { status, text }]) => [code, String(status), text]));
  });

  test('are also in the proxy’s own error responses', () => {
    for (const path of ['deploy/nginx/moye.conf', 'deploy/Caddyfile', 'deploy/apache.conf']) {
      const envelopes = [...readText(path).matchAll(/['`](\{"code".*\})['`]/g)];
      expect(envelopes.length).toBeGreaterThan(0);
      for (const [, body = ''] of envelopes) {
        const { error } = JSON.parse(body) as { error: RefusalCode };
        expect(body).toBe(JSON.stringify(envelopeOf(refusal(error))));
      }
    }
  });

  test.each(table)('%s comes beside what existing clients read', async (name, { status, text }) => {
    const code = name as RefusalCode;
    const response = refusalResponse(refusal(code, { retryAfter: 7 }));
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
    expect(await response.json()).toEqual({ code: 'ERROR', data: text, error: code });
  });
});

/** Returns the failure of a call with the response `body`. */
function failure(body: unknown, status = 200): unknown {
  try {
    return dataOf({ status, ...partsOf(body) });
  } catch (error) {
    return error;
  }
}

describe('the client', () => {
  test('uses the code, whatever the text', () => {
    const changed = failure({ code: 'ERROR', data: '这篇文章变了', error: 'ARTICLE_CHANGED' });
    expect(failureOf(changed)).toBe('changed');
    const gone = failure({ code: 'ERROR', data: '没有这篇', error: 'ARTICLE_NOT_FOUND' });
    expect(failureOf(gone)).toBe('gone');
    const taken = failure({ code: 'ERROR', data: '有了', error: 'TAG_TAKEN' });
    expect(isRefusedWith(taken, 'TAG_TAKEN')).toBe(true);
    const misleading = failure({ code: 'ERROR', data: '文章已在别处修改', error: 'FIELD_INVALID' });
    expect(failureOf(misleading)).toBe('refused');
  });

  test('uses the text when a server sends no code', () => {
    expect(failureOf(failure({ code: 'ERROR', data: '文章已在别处修改' }))).toBe('changed');
    expect(failureOf(failure({ code: 'ERROR', data: '文章不存在或已被删除' }))).toBe('gone');
    expect(isRefusedWith(failure({ code: 'ERROR', data: '已存在该标签' }), 'TAG_TAKEN')).toBe(true);
    expect(failureOf(failure({ code: 'ERROR', data: '别的' }))).toBe('refused');
    expect(failureOf(failure({ code: 'ERROR', data: '文章已在别处修改', error: 7 }))).toBe('changed');
  });

  test('treats only refusals as refusals', () => {
    const fault = new CallError('fault', '文章已在别处修改', 500, { code: 'ARTICLE_CHANGED' });
    expect(isRefusedWith(fault, 'ARTICLE_CHANGED')).toBe(false);
    expect(isRefusedWith(new Error('文章已在别处修改'), 'ARTICLE_CHANGED')).toBe(false);
  });
});
