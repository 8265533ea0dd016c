import { expect, test } from 'vitest';
import { escapeHtml } from '../../../src/lib/markdown/escape-html.ts';

test('no text can close an element or an attribute', () => {
  expect(escapeHtml(`"><script>alert('&')</script>`)).toBe(
    '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;',
  );
});

test('text without special characters stays unchanged', () => {
  expect(escapeHtml('云计算 7')).toBe('云计算 7');
});
