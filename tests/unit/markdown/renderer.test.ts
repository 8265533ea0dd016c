import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { isRefusal } from '../../../src/lib/contract/rules/errors.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';
import { amount } from '../../trial.ts';
import { createRenderer, type Renderer } from '../../../src/lib/server/articles/rendering/renderer.ts';

let renderer: Renderer;
afterEach(() => renderer.close());

const isTooComplex = (error: unknown): boolean => isRefusal(error, 'CONTENT_TOO_COMPLEX');

/** By default every article here has a different author. */
let authors = 0;
const render = (source: string, author = `作者 ${++authors}`) => renderer.render(source, author);

/** Renders again while the worker gets no processor time, as the refusal asks. */
async function renderedOnBusyMachine(source: string): Promise<unknown> {
  try {
    return await render(source);
  } catch (error) {
    if (!isRefusal(error) || error.retryAfter === undefined) throw error;
    return await renderedOnBusyMachine(source);
  }
}

const BOMBS: [string, string][] = [
  ['20 KB of a**b', 'a**b'.repeat(5_000)],
  ['64 KB of a**b', 'a**b'.repeat(16_000)],
  ['5,000 nested quotes', `${'>'.repeat(5_000)}a`],
  ['200 nested lists', Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
  ['10,000 nested boxes', '<div>'.repeat(10_000)],
  [
    '4,000 formats reopened 4,000 times',
    Array.from({ length: 4_000 }, (_, n) => `<b title=${n}>`).join('') + '\n\nx'.repeat(4_000),
  ],
  ['runs of backticks', Array.from({ length: 600 }, (_, n) => '`'.repeat(n)).join(' ')],
];

const HEAVY: [string, string][] = [
  ['200,000 open brackets', '['.repeat(200_000)],
  [
    'a table of 90,000 cells',
    `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'1|'.repeat(500)}\n`.repeat(180)}`,
  ],
  ['5,000 footnotes', Array.from({ length: 5_000 }, (_, n) => `x[^${n}]\n\n[^${n}]: y\n\n`).join('')],
  ['20,000 equal headings', '## 同\n'.repeat(20_000)],
];

describe('articles are rendered in a worker', () => {
  test('with the same result as in process', async () => {
    renderer = createRenderer();
    const source = '## 题\n\n```java\nclass A {}\n```\n';
    expect(await render(source)).toEqual(await renderMarkdown(source));
  });

  test('many concurrently, each caller getting its own result', async () => {
    renderer = createRenderer();
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => render(`第 ${n} 篇`)));
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `第 ${n} 篇`));
  });

  test(
    'an article that takes too long is refused, and the next one is rendered',
    { timeout: 120_000 },
    async () => {
      renderer = createRenderer({ timeoutMs: 100 });
      for (const [name, bomb] of BOMBS.slice(0, amount('TRUST_BOMBS', 4, BOMBS.length))) {
        const [refused, next] = await Promise.allSettled([
          render(bomb),
          renderedOnBusyMachine(`${name}之后还好`),
        ]);
        expect([name, refused.status === 'rejected' && isTooComplex(refused.reason)]).toEqual([name, true]);
        expect(next).toMatchObject({ status: 'fulfilled', value: { text: `${name}之后还好` } });
      }
    },
  );

  test('a heavy article is either rendered or refused', { timeout: 120_000 }, async () => {
    renderer = createRenderer({ timeoutMs: 100 });
    for (const [, heavy] of HEAVY) {
      const outcome = await render(heavy).then(({ html }) => html !== '', isTooComplex);
      expect(outcome).toBe(true);
    }
    expect(await renderedOnBusyMachine('还好')).toMatchObject({ text: '还好' });
  });

  // Workers are terminated and restarted.
  const slow = { timeout: 60_000 };
  test(
    'of an author’s slow articles the first may continue, the next wait behind all others',
    slow,
    async () => {
      renderer = createRenderer({ timeoutMs: 500, shortMs: 100 });
      const ends: string[] = [];
      const end = (name: string) => () => void ends.push(name);
      const send = (source: string, author: string) =>
        render(source, author).then(end(source.slice(0, 4)), end(source.slice(0, 4)));
      const bombs = ['- 甲一', '- 甲二'].map((name) => send(`${name}\n${'- x\n'.repeat(20_000)}`, '甲'));
      const others = ['乙的短文', '丙的短文'].map((source) => send(source, source));
      await Promise.all([...bombs, ...others]);
      expect(ends.filter((name) => name !== '- 甲一')).toEqual(['乙的短文', '丙的短文', '- 甲二']);
    },
  );

  test('an article beyond a limit is refused with its name', async () => {
    renderer = createRenderer();
    await expect(render('# a\n'.repeat(2_001))).rejects.toMatchObject({
      code: 'CONTENT_TOO_COMPLEX',
      message: '正文的标题不能超过 2000 个，请删减或分成几篇',
    });
  });

  test('loading grammars does not count as rendering time', { timeout: 60_000 }, async () => {
    renderer = createRenderer();
    const languages = ['cpp', 'vue', 'tsx', 'php', 'ruby', 'swift', 'latex', 'scala'];
    const source = languages.map((name) => `\`\`\`${name}\nx = 1\n\`\`\``).join('\n');
    expect((await render(source)).html).toContain('data-lang="scala"');
  });

  test('after close nothing is accepted and nothing waits', async () => {
    renderer = createRenderer();
    const running = render('a**b'.repeat(16_000));
    const queued = render('二', `作者 ${authors}`);
    const outcomes = Promise.allSettled([running, queued]);
    await renderer.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(render('三')).rejects.toThrow('closed');
  });

  test('an idle renderer lets the process end, a busy one does not', async () => {
    renderer = createRenderer();
    const module = new URL('../../../src/lib/server/articles/rendering/renderer.ts', import.meta.url).href;
    const script = `import { createRenderer } from '${module}';
      const { text } = await createRenderer().render('结束', '甲');
      console.log(text);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('结束\n');
  });
});
