import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { amount } from '../../../trial.ts';
import { createLiveRenderer } from '../../../../src/lib/markdown/parts/live.ts';
import { MAX_HEADINGS } from '../../../../src/lib/markdown/limits.ts';
import { renderPreview } from '../../../../src/lib/markdown/render.ts';

const FIXTURES = new URL('../../../fixtures/markdown/', import.meta.url);
// Real articles in a folder next to the project, not part of it.
const CORPUS = new URL('../../../../../shared/corpus/javaguide/docs/', import.meta.url);
const STEPS = amount('TRUST_EDITS', 15, 40);

/** Pieces that an author may insert anywhere; most of them change the meaning of their surroundings. */
const INLINE = [
  '字',
  '*',
  '`',
  '|',
  '\t',
  '[a]',
  '[^1]',
  '![图](/a.png)',
  '<b>',
  '</b>',
  '</p>',
  '<script>',
  '</title>',
  '<template>',
  '<!--',
  '-->',
  '$',
  '$x^2$',
  '$$',
];
const STARTS = [
  '\n',
  '\n\n',
  '    ',
  '- ',
  '\n: ',
  '\n\n词\n: 义\n\n',
  '1. ',
  '> ',
  '# ',
  '```\n',
  '::: tip\n',
  '$$\n',
  '```mermaid\ngraph TD\nA-->B\n```\n',
  '```js {2} title="a"\n',
  '<div>',
  '<table>',
  '<details>\n',
  '<style>\n',
  '<select>\n',
];
const ENDS = [
  '\n---\n',
  '</template>\n',
  '</select>',
  '\n:::\n',
  '</div>',
  '\n</details>\n',
  '\n<--阅读全文-->\n',
];
const DEFINITIONS = ['\n\n[a]: /x\n\n', '\n\n[^1]: 注\n\n'];
const INSERTED = [...INLINE, ...STARTS, ...ENDS, ...DEFINITIONS];

/** Deterministic numbers from 0 to 1. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
}

/** Returns the text with a piece inserted, removed, or moved from elsewhere. */
function edited(text: string, dice: () => number): string {
  const pick = (length: number) => Math.floor(dice() * length);
  const [at, kind] = [pick(text.length), dice()];
  if (kind < 0.5) return text.slice(0, at) + INSERTED[pick(INSERTED.length)] + text.slice(at);
  if (kind < 0.8) return text.slice(0, at) + text.slice(at + 1 + pick(12));
  const from = pick(text.length);
  return text.slice(0, at) + text.slice(from, from + pick(60)) + text.slice(at);
}

/**
 * Renders a text and `steps` edits of it, both incrementally and from scratch; returns the first difference,
 * or null.
 */
async function firstDifference(source: string, steps: number, seed: number): Promise<unknown> {
  const [render, dice] = [createLiveRenderer(), createDice(seed)];
  let text = source;
  for (let step = 0; step <= steps; step++) {
    const { pieces, lines } = await render(text);
    const live = { html: pieces.join('\n').trim(), lines };
    const whole = await renderPreview(text);
    if (!isDeepStrictEqual(live, whole)) return { step, text, live, whole };
    text = edited(text, dice);
  }
  return null;
}

const listMarkdown = (folder: URL) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

describe('rendering after each change equals rendering the final article', () => {
  test.each(listMarkdown(FIXTURES))('%s, edited at random', { timeout: 60_000 }, async (name) => {
    const source = readFileSync(new URL(name, FIXTURES), 'utf8');
    expect(await firstDifference(source, STEPS, name.length)).toBeNull();
  });

  test.runIf(existsSync(CORPUS))(
    'real articles, edited at random',
    { tags: ['long'], timeout: 120_000 },
    async () => {
      const names = listMarkdown(CORPUS).filter((_, index) => index % 20 === 0);
      for (const name of names) {
        const source = readFileSync(new URL(name, CORPUS), 'utf8');
        expect(await firstDifference(source, 4, name.length)).toBeNull();
      }
    },
  );

  const PARAGRAPHS = Array.from({ length: 30 }, (_, index) => `第 ${index} 段[^n]，见[甲]。`).join('\n\n');
  test.each([
    ['a definition at the end makes links of all', PARAGRAPHS, `${PARAGRAPHS}\n\n[甲]: /x`],
    ['its address changes', `${PARAGRAPHS}\n\n[甲]: /x`, `${PARAGRAPHS}\n\n[甲]: /y`],
    [
      'a note is numbered by who comes first',
      `${PARAGRAPHS}\n\n[^n]: 注`,
      `先[^m]\n\n${PARAGRAPHS}\n\n[^m]: 一\n\n[^n]: 注`,
    ],
    ['headings of one name', `# 名\n\n${PARAGRAPHS}\n\n# 名`, `# 名\n\n${PARAGRAPHS}\n\n# 名\n\n# 名`],
    ['raw HTML opened at the top', `字\n\n${PARAGRAPHS}`, `<div>\n\n${PARAGRAPHS}`],
    ['a fence opened at the top', `字\n\n${PARAGRAPHS}`, `\`\`\`\n\n${PARAGRAPHS}`],
    ['all of it deleted', PARAGRAPHS, ''],
  ])('%s', async (_, before, after) => {
    const render = createLiveRenderer();
    for (const text of [before, after, before]) {
      const { pieces, lines } = await render(text);
      expect({ html: pieces.join('\n').trim(), lines }).toEqual(await renderPreview(text));
    }
  });
});

test('unchanged parts are the same objects, whatever is typed above', async () => {
  const render = createLiveRenderer();
  const rest = Array.from({ length: 50 }, (_, index) => `第 ${index} 段`).join('\n\n');
  const { pieces: before } = await render(`甲\n\n${rest}`);
  const { pieces: after } = await render(`甲乙\n\n丙\n\n${rest}`);
  expect(after.slice(-50)).toEqual(before.slice(-50));
  expect(after).toHaveLength(before.length + 1);
});

test('a limit applies to all parts together, and is met again once there is less', async () => {
  const render = createLiveRenderer();
  const headings = '# 名\n\n'.repeat(MAX_HEADINGS);
  await expect(render(`${headings}# 名\n`)).rejects.toMatchObject({
    sentence: expect.stringContaining('标题'),
  });
  expect((await render(headings)).pieces).toHaveLength(MAX_HEADINGS);
}, 60_000);
