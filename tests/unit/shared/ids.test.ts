import { describe, expect, test } from 'vitest';
import * as ids from '../../../src/lib/shared/ids.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';
import { listFiles, readText } from '../project/source-files.ts';

const fixed = Object.values(ids).filter((id) => typeof id === 'string');
const made = [ids.commentId('65a000000000000000000001'), ids.versionId('1.2.0'), ids.yearId(2026)];
const all = [...fixed, ...made];
/** Components that receive their ids as properties. */
const TOLD = [
  'src/islands/admin/site/LogoField.tsx',
  'src/islands/admin/site/SiteLists.tsx',
  'src/islands/comments/CommentForm.tsx',
  'src/islands/sign/Field.tsx',
  'src/islands/ui/form/FormEnd.tsx',
];

describe('ids of the page', () => {
  test('begin with letters that no id of an article has', async () => {
    for (const id of all) expect(id.startsWith(ids.ID_PREFIX)).toBe(true);
    expect(ids.ID_PREFIX).toMatch(/[A-Z]/);
    // Includes characters whose lower case is an ASCII letter: the Kelvin sign and the dotted I.
    const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join('');
    const headings = [...all, letters.replace(/[\s<>&\\`*_#[\]]/g, ''), '\u212a', 'İ'];
    const { toc } = await renderMarkdown(headings.map((text) => `# ${text}\n`).join('\n'));
    expect(toc.length).toBe(headings.length);
    for (const { slug } of toc) expect(slug).not.toMatch(/[A-Z]/);
    const { html } = await renderMarkdown(all.map((id) => `<a id="${id}" name="${id}"></a>`).join('\n\n'));
    expect(html.match(/ (?:id|name)="(?!user-content-)/g)).toBeNull();
  });

  test('are defined once: elsewhere an id is a name from there or React’s, with the prefix', () => {
    const names = new Set(Object.keys(ids));
    const sources = listFiles('src').filter(
      // These folders write texts of articles, not pages.
      (path) => /\.(?:astro|tsx?)$/.test(path) && !/\/(?:markdown|importers)\//.test(path),
    );
    const attributes =
      /\s(?:id|htmlFor|for|popovertarget|aria-(?:controls|labelledby|describedby))=("[^"]*"|'[^']*'|\{[^}]*\})/g;
    for (const path of sources) {
      const text = readText(path);
      const usesReact = /\buseId\(\)/.test(text) || TOLD.includes(path);
      for (const { 0: attribute, 1: value = '', index } of text.matchAll(attributes)) {
        // A component's property is not yet an id in the page.
        const [tag = ''] = text.slice(0, index).match(/<[A-Za-z]\w*(?!.*<[A-Za-z])/s) ?? [];
        if (/^<[A-Z]/.test(tag)) continue;
        const words = value.match(/[A-Za-z_]\w*/g) ?? [];
        const isOurs = value.startsWith('{') && (usesReact || words.some((word) => names.has(word)));
        expect([path, attribute, isOurs]).toEqual([path, attribute, true]);
      }
      const roots = text.split('createRoot(').length - 1;
      expect([path, text.split('{ identifierPrefix: ID_PREFIX }').length - 1]).toEqual([path, roots]);
    }
  });
});
