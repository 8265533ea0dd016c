import { z } from 'zod';
import { BODIES, ownPaging, read, staff, write } from './call.ts';
import { listOf } from '../entities.ts';
import { absentField, idField, listField, someText, textField, versionField } from '../fields.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { BOUNDS } from '../rules/bounds.ts';
import {
  HOLD_REASONS,
  type HoldReason,
  LIST_ACTIONS,
  WORD_ACTIONS,
  WORD_BOUNDS,
} from '../rules/moderation.ts';

const actionField = z.enum(LIST_ACTIONS, { error: '处理方式只能是 reject、hold、mask 或 except' });

export const Word = z.object({
  _id: z.string(),
  word: z.string(),
  category: z.string(),
  action: z.enum(LIST_ACTIONS),
  create_time: z.string(),
});
export type Word = z.infer<typeof Word>;

const WordProblem = z.object({ line: z.int(), text: z.string(), problem: z.string() });

const WordFinding = z.object({
  word: z.string(),
  category: z.string(),
  action: z.enum(WORD_ACTIONS),
  /** Range in the text, in UTF-16 units. */
  start: z.int(),
  end: z.int(),
});

const filterFields = {
  q: someText,
  category: someText,
  /** Empty: all words without the exceptions, which clients of earlier releases do not know. */
  action: z.enum(['', ...LIST_ACTIONS]).catch(''),
};
const categoryField = absentField(textField('分类', WORD_BOUNDS.category).default(''));

/** A file of words (server/moderation/word-file.ts), with the category and action of its other lines. */
const listFields = z.object({
  text: z
    .string({ error: '请选择文件，或填写词语' })
    .refine((text) => text.trim() !== '', { error: '请填写词语' }),
  category: categoryField,
  action: actionField,
});

const WordPreview = z.object({
  scanned: z.int().meta({ title: '查过的文字数' }),
  matched: z.int().meta({ title: '命中的文字数' }),
  is_whole: z.boolean().meta({ title: '是否查完了最近的 1,000 篇' }),
  words: z.array(z.object({ word: z.string(), texts: z.int().meta({ title: '有这个词的文字数' }) })),
  /** The first word in each of the newest 50 texts with a word, and the text around it. */
  samples: z
    .array(
      z.object({
        kind: z.enum(['article', 'comment']),
        _id: z.string(),
        article_id: z.string(),
        /** Title of the article. */
        title: z.string(),
        is_pending: z.boolean().meta({ title: '是否待审' }),
        word: z.string(),
        before: z.string().meta({ title: '词之前的文字' }),
        found: z.string(),
        after: z.string().meta({ title: '词之后的文字' }),
      }),
    )
    .meta({ title: '例子' }),
});

export const ReviewDecision = z.object({
  state: z.enum(MODERATION_STATES),
  note: z.string(),
  create_time: z.iso.datetime(),
});
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** State of an article for its author, and the decisions of staff, newest first. */
export const ArticleReview = z.object({
  state: z.enum(MODERATION_STATES),
  /** Status text with the reason of staff; empty if the article is public. */
  note: z.string(),
  can_resubmit: z.boolean(),
  decisions: z.array(ReviewDecision),
});
export type ArticleReview = z.infer<typeof ArticleReview>;

export const HELD_KINDS = ['article', 'comment'] as const;

export const HeldItem = z.object({
  kind: z.enum(HELD_KINDS),
  _id: z.string(),
  author: z.string(),
  title: z.string(),
  article_id: z.string(),
  /** A comment's full text, or the beginning of an article. */
  content: z.string(),
  reasons: z.array(z.enum(Object.keys(HOLD_REASONS) as [HoldReason, ...HoldReason[]])),
  create_time: z.string(),
  /** Listed words that held it, as listed at that time. */
  words: z.array(z.string()).optional(),
  /** Whether it is public, and a change of it waits; `content` is the changed text. */
  is_change: z.boolean().optional(),
  version: versionField,
  /** The last decision of staff, for an item that is pending again. */
  last: ReviewDecision.optional(),
});
export type HeldItem = z.infer<typeof HeldItem>;

export const idsField = listField(idField, '编号')
  .refine((ids) => ids.length > 0, { error: '请选择要处理的内容' })
  .refine((ids) => ids.length <= BOUNDS.readAtOnce, { error: `一次最多处理 ${BOUNDS.readAtOnce} 项` })
  .meta({ minItems: 1, maxItems: BOUNDS.readAtOnce });

export const wordCalls = {
  wordList: read(staff('words.manage', 'moderation'), 'POST /api/staff/words', '词库', {
    input: z.object({ ...ownPaging, ...filterFields }),
    output: listOf(Word).extend({ categories: z.array(z.string()) }),
  }),
  /** One word per line. For words already listed, replaces the category and action. */
  wordAdd: write(staff('words.manage', 'moderation'), 'POST /api/staff/words/add', '添加词语，一行一个', {
    input: z.object({
      words: z
        .string({ error: '请填写词语' })
        .transform((text) => [
          ...new Set(text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))),
        ])
        .pipe(
          z
            .array(textField('词语', WORD_BOUNDS.word))
            .min(1, '请填写词语')
            .max(WORD_BOUNDS.words, `词库最多 ${WORD_BOUNDS.words} 个词`),
        ),
      category: categoryField,
      action: actionField,
    }),
    output: z.object({ added: z.int(), changed: z.int() }),
    body: BODIES.article,
    refusals: ['WORD_INVALID', 'WORDS_TOO_MANY'],
  }),
  /**
   * Adds the words of a file, one per line, each optionally followed by its action and category. Lists the
   * good lines and names the others. Refuses with WORDS_TOO_MANY, and then lists none.
   */
  wordImport: write(staff('words.manage', 'moderation'), 'POST /api/staff/words/import', '导入词语的文件', {
    description: '一行一个词，后面可以有处理方式和分类；有误的行跳过。',
    input: listFields,
    output: z.object({
      added: z.int(),
      changed: z.int(),
      /** The first 100 bad lines. */
      problems: z.array(WordProblem),
      problem_num: z.int(),
    }),
    body: BODIES.words,
    refusals: ['WORDS_TOO_MANY'],
  }),
  /** The words that match, as a file that `wordImport` reads. */
  wordExport: read(staff('words.manage', 'moderation'), 'POST /api/staff/words/export', '导出词库', {
    input: z.object(filterFields),
    output: z.object({ text: z.string() }),
  }),
  /** Searches a text like a new one; nothing is stored. */
  wordTrial: read(
    staff('words.manage', 'moderation'),
    'POST /api/staff/words/trial',
    '试一段文字里有哪些词',
    {
      input: z.object({ text: textField('文字', [1, 20_000]) }),
      output: z.object({ text: z.string(), found: z.array(WordFinding) }),
      body: BODIES.article,
    },
  ),
  /**
   * Searches the newest 1,000 public and pending texts for words before they are listed; nothing is stored.
   * For an exception, shows where it occurs.
   */
  wordPreview: read(
    staff('words.manage', 'moderation'),
    'POST /api/staff/words/preview',
    '预览词语会命中什么',
    {
      description: '在最近的 1,000 篇公开或待审的文章和评论里查找，不保存。',
      input: listFields,
      output: WordPreview,
      body: BODIES.words,
    },
  ),
  wordRemove: write(staff('words.manage', 'moderation'), 'POST /api/staff/words/remove', '删除词语', {
    input: z.object({ ids: idsField }),
    output: z.object({ removed: z.int() }),
  }),
};
