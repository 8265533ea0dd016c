import {
  FIELD_NAMES,
  fieldsFromColumns,
  isSameValue,
  specOf,
  valueOf,
  type Authored,
  type FieldName,
  type FieldValue,
} from '../../../contract/rules/authored-fields.ts';
import { commentText, renderComment } from '../../../markdown/comment.ts';
import { textsJudged } from '../../../contract/public-texts.ts';
import { decodeAddress } from '../../../markdown/decode-address.ts';
import type { Queryable } from '../../db/database.ts';
import type { ShownArticle } from '../judge-queries.ts';
import type { JudgedText } from './change-size.ts';
import { attributesIn, findApproved } from './decision-queries.ts';

/** The text of an article and its HTML, as readers see them. */
export interface RenderedText {
  text: string;
  html: string;
}

/** An article as it will be shown, with the texts of its attributes (`attributeText`). */
export interface ReadArticle extends RenderedText {
  attributes: string;
  /** Renders an earlier text; null if it cannot be rendered. */
  layOut(content: string): Promise<RenderedText | null>;
}

/** Texts that their author chooses from lists of the site. */
const CHOSEN: readonly FieldName[] = ['series', 'licence'];
const WRITTEN: readonly FieldName[] = FIELD_NAMES.filter(
  (name) => !CHOSEN.includes(name) && specOf(name).kind !== 'switch',
);
/** Texts besides title and content that readers see. A new field is one of them. */
const OTHERS = WRITTEN.filter((name) => name !== 'title' && name !== 'content');

/**
 * Returns the approved text of a public article and its new one. Compares with the text that staff approved
 * last, so many small changes add up; null if nothing that readers see changes.
 * @param layOut renders an earlier text; null if it cannot be rendered
 */
export async function articleChange(
  db: Queryable,
  shown: ShownArticle,
  written: RenderedText & { [K in FieldName]?: FieldValue | readonly string[] | undefined },
  layOut: (content: string) => Promise<RenderedText | null>,
): Promise<{ before: JudgedText; after: JudgedText } | null> {
  const now = fieldsFromColumns(shown, FIELD_NAMES) as Authored;
  const names = FIELD_NAMES.filter((name) => written[name] !== undefined);
  const next = { ...now, ...Object.fromEntries(names.map((name) => [name, written[name]])) };
  const isSame = (names: readonly FieldName[]) =>
    names.every((name) => isSameValue(valueOf(now, name), valueOf(next, name)));
  if (isSame([...WRITTEN, ...CHOSEN])) return null;
  const current = { text: shown.text, html: Buffer.from(shown.html).toString() };
  const before = articleAsRead(now, current);
  const after = articleAsRead(next, written);
  if (isSame(WRITTEN)) return { before, after: { ...before, chosen: after.chosen } };
  const approved = await findApproved(db, 'article', shown.id);
  if (!approved) return { before, after };
  const { title, content } = approved;
  const rendered = content === now.content ? current : await layOut(content);
  return { before: articleAsRead({ ...now, ...attributesIn(approved), title, content }, rendered), after };
}

export function articleAsRead(fields: Authored, rendered: RenderedText | null): JudgedText {
  const others = OTHERS.flatMap((name) => valueOf(fields, name)).filter((value) => typeof value === 'string');
  const { title, content } = fields;
  const text = [content, ...others].join('\n');
  const chosen = CHOSEN.map((name) => valueOf(fields, name)).join('\n');
  if (!rendered) return { title, text, chosen };
  return {
    title,
    text,
    chosen,
    rendered: { text: [rendered.text, ...others].join('\n'), html: rendered.html },
  };
}

export const commentAsRead = (text: string): JudgedText => ({
  title: '',
  text,
  rendered: { text: commentText(text), html: renderComment(text) },
});

export const commentChange = (before: string, after: string) => ({
  before: commentAsRead(before),
  after: commentAsRead(after),
});

type Texts = { readonly [name: string]: unknown };

/** Texts of an article that are judged with its content, addresses decoded. */
export const writtenTexts = (article: Texts): string[] =>
  textsJudged('article', 'whole')
    .filter((name) => name !== 'content')
    .flatMap((name) => (article[name] ?? []) as string | readonly string[])
    .map((text) => (/^https?:/i.test(text) ? decodeAddress(text) : text));
