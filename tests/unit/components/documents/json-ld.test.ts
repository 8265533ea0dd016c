import { expect, test } from 'vitest';
import { jsonLd } from '../../../../src/components/documents/json-ld.ts';
import { legalText } from '../../../../src/lib/shared/xml/legal-text.ts';

test('structured data is safe in a script element, whatever it contains', () => {
  const name = '</script><!--\u2028\u2029"';
  const text = jsonLd([{ '@type': 'Person', name }]);
  expect(text).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual({
    '@context': 'https://schema.org',
    '@graph': [{ '@type': 'Person', name }],
  });
  expect(jsonLd([])).toBe('');
});

test('characters illegal in XML are removed, all others stay', () => {
  expect(legalText('甲\u0000\u000b\u001f乙\uffff丙\ufffe')).toBe('甲乙丙');
  expect(legalText('半\ud83c个')).toBe('半\ufffd个');
  expect(legalText('a\t\n\r🍵]]>')).toBe('a\t\n\r🍵]]>');
});
