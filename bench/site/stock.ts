import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { renderMarkdown } from '../../src/lib/markdown/render.ts';
import { RENDERER_VERSION } from '../../src/lib/markdown/version.ts';
import { createKeywordThread } from '../../src/lib/server/articles/discovery/related-service.ts';
import { KEYWORDS_VERSION, type Keyword } from '../../src/lib/server/articles/discovery/keywords.ts';
import { readParagraphs } from '../paragraphs.ts';

/** A paragraph of real text, rendered and analysed once; articles are combinations of paragraphs. */
export interface Piece {
  content: string;
  html: string;
  text: string;
  words: number;
  summary: string;
  keywords: Keyword[];
}

const MAX_PIECES = 2_000;
const PIECE_CHARACTERS = { least: 40, most: 400 };
const STOCK_VERSION = 1;

/**
 * Returns paragraphs of the Markdown files in `corpus`, or of the guide articles when it does not exist.
 * Keeps them in `file`, because rendering takes longer than loading thousands of articles.
 */
export async function readStock(file: string, corpus: string): Promise<Piece[]> {
  const stamp = [STOCK_VERSION, RENDERER_VERSION, KEYWORDS_VERSION, existsSync(corpus)].join('.');
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { stamp: string; pieces: Piece[] };
    if (kept.stamp === stamp) return kept.pieces;
  }
  const paragraphs = [...new Set((await readParagraphs(corpus)).filter(isUsable))];
  const step = Math.max(1, paragraphs.length / MAX_PIECES);
  const thread = createKeywordThread();
  const pieces: Piece[] = [];
  for (let at = 0; at < paragraphs.length; at += step) {
    const content = paragraphs[Math.floor(at)] ?? '';
    const { html, text, words, summary } = await renderMarkdown(content);
    const keywords = await thread.ask({ title: '', text });
    if (text !== '' && keywords.length > 0) pieces.push({ content, html, text, words, summary, keywords });
  }
  await thread.close();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ stamp, pieces }));
  return pieces;
}

/** Whether a paragraph is complete by itself: no code, picture, heading or part of an HTML block. */
const isUsable = (part: string): boolean =>
  part.length >= PIECE_CHARACTERS.least &&
  part.length <= PIECE_CHARACTERS.most &&
  /\p{Script=Han}{4}/u.test(part) &&
  !/```|!\[|^#|^\s*<|:::/m.test(part);
