import { clean } from '../tests/clean-texts.ts';
import { EMPTY_HEAD } from '../src/lib/server/articles/core/authored-queries.ts';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listExcerpt } from '../src/lib/markdown/excerpt.ts';
import { renderMarkdown, type Rendered } from '../src/lib/markdown/render.ts';
import { RENDERER_VERSION } from '../src/lib/markdown/version.ts';
import { createApp, type App } from '../src/lib/server/app.ts';
import { settleCounts } from '../src/lib/server/articles/core/count-queries.ts';
import { createKeywordThread } from '../src/lib/server/articles/discovery/related-service.ts';
import { KEYWORDS_VERSION, type Keyword } from '../src/lib/server/articles/discovery/keywords.ts';
import { putKeywords, putRelated } from '../src/lib/server/articles/discovery/related-queries.ts';
import { putArticle, putArticleTags } from '../src/lib/server/articles/core/article-queries.ts';
import { insertComment } from '../src/lib/server/comments/comment-queries.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import type { Trx } from '../src/lib/server/db/database.ts';
import { newId } from '../src/lib/server/shared/ids.ts';
import { indexWriterOf } from '../src/lib/server/search/rebuild.ts';
import { MINUTE_MS } from '../src/lib/contract/rules/units.ts';
import { isText, readParagraphs } from './paragraphs.ts';

export const TAGS = 40;
export const AUTHORS = 20;
const BATCH_SIZE = 500;
const PIECES = 400;
/** Every n-th article has comments. */
const COMMENTED = 5;
const COMMENTS = 5;
const RELATED = 6;
/** Number of keywords taken from each of an article's pieces. */
const KEYWORDS = 8;

export const author = (index: number): { username: string; password: string } => ({
  username: `作者${index}`,
  password: `password-${index}`,
});
const SAMPLE_AUTHOR = { username: '样张', password: 'sample-author' };

interface Piece {
  content: string;
  rendered: Rendered;
  keywords: Keyword[];
}

/** Material for articles; `earlier` holds the ids of the articles created so far. */
interface Stock {
  pieces: readonly Piece[];
  authors: readonly string[];
  earlier: string[];
}

export const SIZES = { few: 1_000, some: 10_000, many: 100_000 };
export type Size = keyof typeof SIZES;

/** Increment when the seeding code changes its result; stored databases are then rebuilt. */
const SEED_VERSION = 4;

/**
 * Returns the folder of a database with that many articles. It is stored in `data` and seeded when missing,
 * with real text: varying combinations of paragraphs from `corpus` (a folder of Markdown), or from the guide
 * articles when `corpus` does not exist.
 */
export async function seeded(size: Size, data: string, corpus: string): Promise<string> {
  const folder = join(data, size);
  const done = join(folder, 'seeded');
  // Articles of an older renderer would be rendered again during the measurement.
  const stamp = `${SEED_VERSION}.${RENDERER_VERSION} ${SIZES[size]}`;
  if (existsSync(done) && readFileSync(done, 'utf8') === stamp) return folder;
  rmSync(folder, { recursive: true, force: true });
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    await fill(app, SIZES[size], corpus);
  } finally {
    await app.close();
  }
  writeFileSync(done, stamp);
  return folder;
}

/**
 * Renders bodies and finds keywords once per piece instead of once per article, and computes related
 * articles, so no background jobs are left for a measured server.
 */
async function fill(app: App, count: number, corpus: string): Promise<void> {
  const pieces = await readPieces(corpus);
  const authors = await Promise.all(Array.from({ length: AUTHORS }, (_, index) => addAuthor(app, index)));
  const stock: Stock = { pieces, authors, earlier: [] };
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const to = Math.min(from + BATCH_SIZE, count);
    await app.db.write(async (trx) => {
      for (let index = from; index < to; index++) await insert(app, trx, index, stock);
    });
    process.stderr.write(`\rseeding ${to}/${count} `);
  }
  process.stderr.write('\n');
  await publishSample(app, pieces);
  await app.services.related.catchUp();
}

/**
 * Publishes the article whose page is measured, the newest of all: six sections of text and code, about 6,000
 * characters.
 */
async function publishSample({ services }: App, pieces: readonly Piece[]): Promise<void> {
  const { username } = SAMPLE_AUTHOR;
  const id = await services.auth.addUser({ ...SAMPLE_AUTHOR, gender: 'x', bio: '' });
  const code =
    '```java\npublic final class Counter {\n    private final AtomicLong value = new AtomicLong();\n\n    public long next() {\n        return value.incrementAndGet(); // 原子地加一\n    }\n}\n```';
  const texts = pieces.map((piece) => piece.content);
  const sections = Array.from({ length: 6 }, (_, index) => {
    let body = '';
    for (let at = index; [...body].length < 420; at += 6) body += `${texts[at % texts.length]}\n\n`;
    return `## 第 ${index + 1} 节\n\n${body}${code}`;
  });
  const fields = { title: '一篇中等长度的文章', content: sections.join('\n\n'), tags: ['样张'], type: '' };
  await services.articles.create(
    { ...fields, status: 'normal', secret: false },
    { id, username, signinId: '', origin: '' },
  );
}

const addAuthor = ({ services }: App, index: number): Promise<string> =>
  services.auth.addUser({ ...author(index), gender: 'x', bio: '' });

async function readPieces(corpus: string): Promise<Piece[]> {
  const paragraphs = (await readParagraphs(corpus)).filter(isText);
  const step = Math.max(1, Math.floor(paragraphs.length / PIECES));
  const thread = createKeywordThread();
  const pieces: Piece[] = [];
  for (let index = 0; index < Math.min(PIECES, paragraphs.length); index++) {
    const content = [0, 1, 2]
      .map((part) => paragraphs[(index * step + part) % paragraphs.length])
      .join('\n\n');
    const rendered = await renderMarkdown(content);
    pieces.push({ content, rendered, keywords: await thread.ask({ title: '', text: rendered.text }) });
  }
  await thread.close();
  return pieces;
}

async function insert(app: App, trx: Trx, index: number, { pieces, authors, earlier }: Stock): Promise<void> {
  const parts = [index, index * 13 + 5, index * 29 + 11].flatMap(
    (number) => pieces[number % pieces.length] ?? [],
  );
  const joined = (pick: (piece: Piece) => string) => parts.map(pick).join('\n\n');
  const content = joined((piece) => piece.content);
  const text = joined((piece) => piece.rendered.text);
  const toc = JSON.stringify(parts.flatMap((piece) => piece.rendered.toc));
  const { tags, ...row } = rowOf(index, content, parts[0]?.rendered, authors);
  const writer = { id: row.author_id, isUnlimited: true };
  const tagIds = await app.services.tags.resolve(trx, tags, { author: writer, isPublic: true });
  const article = {
    ...row,
    tags: JSON.stringify(tags),
    saved_by: '',
    address: '',
    moderation: '' as const,
    wanted_secret: 0 as const,
    is_page: 0 as const,
  };
  await putArticle(trx, article, {
    content,
    html: Buffer.from(joined((piece) => piece.rendered.html)),
    toc,
    text,
    words: parts.reduce((sum, piece) => sum + piece.rendered.words, 0),
    renderer_version: RENDERER_VERSION,
  });
  await putArticleTags(trx, article, tagIds);
  await settleCounts(trx, app.services.tags, null, { ...article, tagIds });
  const { username } = author(index * 7);
  await indexWriterOf(app.db).put(trx, { ...article, username, display_name: '', toc, text });
  await relate(trx, row, parts, earlier);
  earlier.push(row.id);
  if (index % COMMENTED === 0) await comment(trx, row, pieces, authors);
}

function rowOf(index: number, content: string, first: Rendered | undefined, authors: readonly string[]) {
  const excerpt = listExcerpt(content);
  const time = Date.UTC(2020, 0, 1) + index * MINUTE_MS;
  return {
    ...EMPTY_HEAD,
    id: newId(),
    author_id: authors[(index * 7) % AUTHORS] ?? '',
    title: `第 ${index} 篇：${(first?.text ?? '').replace(/\s+/g, ' ').slice(0, 24)}`,
    tags: [...new Set([`标签${index % TAGS}`, `标签${(index * 3 + 1) % TAGS}`])],
    type: '',
    status: 'normal' as const,
    secret: 0 as const,
    is_public: 1 as const,
    was_published: 1 as const,
    create_time: time,
    update_time: time,
    excerpt: excerpt.content,
    has_more: excerpt.showMore ? (1 as const) : (0 as const),
    summary: first?.summary ?? '',
  };
}

/** Stores the heaviest keywords of an article's pieces, and the articles before it (`earlier`) as related. */
async function relate(
  trx: Trx,
  article: { id: string; update_time: number },
  parts: readonly Piece[],
  earlier: readonly string[],
): Promise<void> {
  const weights = new Map(
    parts.flatMap(({ keywords }) =>
      keywords.slice(0, KEYWORDS).map(({ term, weight }) => [term, weight] as const),
    ),
  );
  await putKeywords(
    trx,
    article,
    KEYWORDS_VERSION,
    Array.from(weights, ([term, weight]) => ({ term, weight })),
  );
  await putRelated(
    trx,
    article.id,
    earlier.slice(-RELATED).map((id, score) => ({ id, score: score + 1 })),
  );
}

async function comment(
  trx: Trx,
  article: { id: string; author_id: string; create_time: number },
  pieces: readonly Piece[],
  authors: readonly string[],
): Promise<void> {
  const number = article.create_time / MINUTE_MS;
  for (let index = 1; index <= COMMENTS; index++) {
    const authorId = authors[(number + index * 3) % AUTHORS] ?? '';
    const said = {
      id: newId(),
      article_id: article.id,
      author_id: authorId,
      content: clean((pieces[(number + index) % pieces.length]?.rendered.text ?? '').slice(0, 120)),
      reply_user_id: null,
      reply_comment_id: null,
      create_time: article.create_time + index * MINUTE_MS,
      request_id: null,
      edit_time: null,
      mentions: '',
    };
    await insertComment(trx, said, authorId === article.author_id ? [] : [article.author_id]);
  }
}
