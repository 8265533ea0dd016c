import { expect, test } from 'vitest';
import { placeQuery, readPlace } from '../../../../src/islands/ui/paged/place.ts';

const FILTERS = { show: 'text', q: 'keywords', sort: ['title', 'read_num'] } as const;

test('the query of a place leads back to it', () => {
  const place = { show: 'secret', q: '搬家 & 备份', sort: 'title', page: 3 } as const;
  expect(readPlace(placeQuery(place), FILTERS)).toEqual(place);
  expect(placeQuery(place)).toMatch(/^\?show=secret&q=.*&sort=title&page=3$/);
});

test('the first page of the unfiltered list has no query', () => {
  const first = readPlace('', FILTERS);
  expect(first).toEqual({ show: '', q: '', sort: '', page: 1 });
  expect(placeQuery(first)).toBe('');
});

test('invalid parameters count as absent', () => {
  expect(readPlace('?sort=colour&page=-2&q=%20%20&other=1', FILTERS)).toEqual({
    show: '',
    q: '',
    sort: '',
    page: 1,
  });
  expect(readPlace(`?q=${encodeURIComponent('  两个\n词 ')}`, FILTERS).q).toBe('两个 词');
});
