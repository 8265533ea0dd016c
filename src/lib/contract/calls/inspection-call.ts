import { z } from 'zod';
import { idField } from '../fields.ts';
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
  judged: ReviewDecision.extend({ title: z.string(), content: z.string() }).optional(),
  /** The change of a public item that waits; the title is empty for a comment. */
  change: z.object({ title: z.string(), content: z.string() }).optional(),
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
