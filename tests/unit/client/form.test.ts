import { parse } from 'qs';
import { expect, test } from 'vitest';
import { toForm } from '../../../src/lib/client/form.ts';

test('fields arrive unchanged, whatever they contain', () => {
  const fields = { title: 'a&b=c+d %2B 100%', content: '一\n二\r\n👨‍👩‍👧 <b>', tags: ['C++', 'a,b', '[0]', ''] };
  expect(parse(toForm(fields).toString())).toEqual(fields);
});

test('a list of one stays a list; numbers and booleans are sent as text, undefined fields are not sent', () => {
  expect(toForm({ ids: ['a'], page: 2, secret: false, type: undefined, none: [] }).toString()).toBe(
    'ids%5B0%5D=a&page=2&secret=false',
  );
});
