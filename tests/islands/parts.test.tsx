import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Avatar } from '../../src/islands/ui/Avatar.tsx';
import { Pager } from '../../src/islands/ui/paged/Pager.tsx';
import { Time } from '../../src/islands/ui/Time.tsx';

describe('rendered on the server', () => {
  test('a time is its date in the site’s time zone, which stays true while cached', () => {
    const iso = '2025-12-31T16:05:00.000Z';
    expect(renderToStaticMarkup(<Time iso={iso} timeZone="Asia/Shanghai" />)).toBe(
      `<time dateTime="${iso}" title="2026-01-01 00:05" data-relative="">2026-01-01</time>`,
    );
    expect(renderToStaticMarkup(<Time iso={iso} timeZone="UTC" />)).toContain('>2025-12-31<');
  });

  test('an avatar is loaded when it comes into view, and only when there is one', () => {
    const drawn = (file?: string) =>
      renderToStaticMarkup(<Avatar username="林间" file={file} size={36} />).replaceAll(
        / class="[^"]*"/g,
        '',
      );
    expect(drawn('')).toBe('<span aria-hidden="true">林</span>');
    for (const html of [drawn(), drawn('a.webp')])
      expect(html).toMatch(/^<span [^>]*>林<img [^>]*loading="lazy"/);
  });

  test('a list of one page has no pager', () => {
    expect(renderToStaticMarkup(<Pager page={1} pageCount={1} href={String} />)).toBe('');
    expect(renderToStaticMarkup(<Pager page={1} pageCount={0} href={String} />)).toBe('');
  });
});
