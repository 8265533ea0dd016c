import { z } from 'zod';
import { TitleItem, WrittenFields } from '../entities.ts';
import { idField, versionField } from '../fields.ts';
import { HOLD_REASONS, WORD_ACTIONS, type HoldReason } from '../rules/moderation.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { staff } from './call.ts';
import { ReviewDecision } from './moderation-calls.ts';

const InspectedWord = z.object({
  word: z.string(),
  category: z.string(),
  action: z.enum(WORD_ACTIONS),
  /** The word as it is written in the text. */
  written: z.string(),
});
export type InspectedWord = z.infer<typeof InspectedWord>;

const said = z.object({ author: z.string(), content: z.string() });
/** Everything of an article that its author writes and a reader can see, by the names of `AUTHORED`. */
const ReadFields = z.object({ ...WrittenFields.shape, type: z.string() });
export type ReadFields = z.infer<typeof ReadFields>;
const titled = { title: '文章的各项' };
const allOfArticle = ReadFields.meta(titled);
/** Places of listed words in a text: start and end in UTF-16 units. */
const ranges = z.array(z.tuple([z.int(), z.int()]).readonly());

export const Inspection = z.object({
  kind: z.enum(['article', 'comment']),
  _id: z.string(),
  article_id: z.string(),
  author: z.string(),
  /** Title of the article. */
  title: z.string(),
  /** The whole text as it was written. */
  content: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
  /** All fields of an article; absent for a comment. */
  fields: allOfArticle.optional(),
  /** Beginning of the article in lists; empty for a comment. */
  summary: z.string(),
  /** Titles of the series of `fields`, `change` and `judged`. */
  series_titles: z.array(TitleItem).meta({ title: '专栏的名称' }),
  /** The version that was read, which a decision names. */
  version: versionField,
  create_time: z.iso.datetime(),
  /** If false, reading was recorded in the audit log. */
  is_public: z.boolean(),
  state: z.enum(MODERATION_STATES),
  note: z.string(),
  reasons: z.array(z.enum(Object.keys(HOLD_REASONS) as [HoldReason, ...HoldReason[]])),
  /** Listed words in the text, title, tags and summary. */
  words: z.array(InspectedWord),
  marks: z.object({ title: ranges, content: ranges }),
  /** Addresses of uploaded pictures. */
  pictures: z.array(z.string()),
  /** Newest first; `actor` is empty for the command line. */
  decisions: z.array(ReviewDecision.extend({ actor: z.string() })),
  /** The article's text at the last decision. */
  judged: ReviewDecision.extend({
    title: z.string(),
    content: z.string(),
    /** Its other fields; decisions of earlier releases have a part of them. */
    fields: ReadFields.partial().optional().meta(titled),
  }).optional(),
  /** The change of a public item that waits, as it would be shown; the title is empty for a comment. */
  change: z.object({ title: z.string(), content: z.string(), fields: allOfArticle.optional() }).optional(),
  /** The comment that a comment replies to. */
  quote: said.optional(),
  /** Public comments before a comment, oldest first. */
  earlier: z.array(said).optional(),
});
export type Inspection = z.infer<typeof Inspection>;

/** A whole article or comment for staff. */
export const staffRead = staff(
  'read',
  'articles.moderate',
  z.object({ kind: z.enum(['article', 'comment'], { error: '只能阅读文章或评论' }), id: idField }),
  Inspection,
);
