import { expect, test } from 'vitest';
import { markup } from '../../../src/components/markup.ts';

test('values are text, in content and in attributes', () => {
  const evil = `"><script>alert('&')</script>`;
  const safe = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
  expect(markup`<a title="${evil}">${evil}</a>`).toBe(`<a title="${safe}">${safe}</a>`);
});

test('what needs no escaping stays as it is', () => {
  expect(markup`<li class="a">${'云计算 <'.slice(0, 3)} ${7}</li>`).toBe('<li class="a">云计算 7</li>');
});
