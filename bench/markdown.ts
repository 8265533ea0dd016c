import { renderMarkdown } from '../src/lib/markdown/render.ts';
import { plainMarkdown, readArticles } from './plain-markdown.ts';
import { ratioOf, type Row } from './stats.ts';

const ROUNDS = 3;
const NO_COLOURS = { block: 0, article: 0, languages: 0, without: new Set<string>() };

type Render = (source: string) => Promise<unknown>;

const RENDERERS: Record<'plain' | 'uncoloured' | 'ours', Render> = {
  plain: (source) => plainMarkdown.process(source),
  uncoloured: (source) => renderMarkdown(source, NO_COLOURS),
  ours: (source) => renderMarkdown(source),
};

/**
 * Section `markdown`: the time to render real articles with all features of `renderMarkdown` (formulas,
 * diagrams, highlighted code, callouts, table of contents, text, summary), compared with unified without this
 * project's plugins.
 */
export async function benchMarkdown(_data: string, corpus: string): Promise<Row[]> {
  const sources = readArticles(corpus);
  if (sources.length === 0) return [];
  const times: Record<keyof typeof RENDERERS, number[]> = { plain: [], uncoloured: [], ours: [] };
  // The first round loads grammars and libraries and compiles the code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['plain', 'uncoloured', 'ours'] as const) {
      const time = await timeOf(RENDERERS[name], sources);
      if (round > 0) times[name].push(time);
    }
  }
  const perArticle = times.ours.map((time) => time / sources.length);
  const note = `${sources.length} articles, ${perArticle.map((time) => time.toFixed(0)).join(', ')} ms each`;
  return [
    {
      what: 'corpus rendered / by plain unified with GFM',
      ...ratioOf(times.ours, times.plain),
      goal: { atMost: 1.2 },
      note,
    },
    {
      what: 'corpus rendered without syntax highlighting / by plain unified with GFM',
      ...ratioOf(times.uncoloured, times.plain),
    },
  ];
}

async function timeOf(render: Render, sources: readonly string[]): Promise<number> {
  const start = performance.now();
  for (const source of sources) await render(source);
  return performance.now() - start;
}
