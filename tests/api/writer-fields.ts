import type { Author, WriterStage } from './writer-stage.ts';

/** Writes `text` where readers see it by itself. */
type WriteAlone = (text: string, by: Author, stage: WriterStage) => Promise<unknown>;
/** Writes `text`, or something else that readers see, which it returns as `seen`, in the item `id`. */
type Write = (text: string, stage: WriterStage) => Promise<{ id: string; seen?: string }>;

interface Writes {
  alone?: Readonly<Record<string, WriteAlone>>;
  /** A new article or comment, or one that readers have not seen yet. */
  publishes?: Readonly<Record<string, Write>>;
  /** A public article or comment. */
  changes?: Readonly<Record<string, Write>>;
}

/** What writes which public text; a sentence for what writes none. */
export type Row = Writes | string;

export const ARTICLE = { title: '竹里馆', content: '独坐幽篁里，弹琴复长啸', tags: ['诗'], type: '' };
/** Fields of an article with a text in one of them. */
const FIELDS: Readonly<Record<string, (text: string) => object>> = {
  title: (text) => ({ title: `说${text}` }),
  content: (text) => ({ content: `正文里说${text}` }),
  tags: (text) => ({ tags: ['诗', text] }),
  description: (text) => ({ description: `摘要里说${text}` }),
  source: (text) => ({ source: `https://example.com/${text}` }),
  slug: (text) => ({ slug: text }),
  type: (text) => ({ type: text }),
};
export const inFields = (write: (fields: object, stage: WriterStage) => Promise<string>) =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, fieldsOf]): [string, Write] => [
      `article.${name}`,
      async (text, stage) => ({ id: await write({ ...ARTICLE, ...fieldsOf(text) }, stage) }),
    ]),
  );
export const only = <T>(all: Readonly<Record<string, T>>, ...names: string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));

export const draftOf = async (fields: object, { author }: WriterStage): Promise<string> =>
  (await author.call('articleCreate', { ...fields, status: 'draft' })).id;

export const ofNothing = (reason: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, reason]));
