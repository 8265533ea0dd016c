import { z } from 'zod';
import { BODIES, ownPaging, read, staff, write } from './call.ts';
import { listOf } from '../entities.ts';
import { absentField, idList, someText, textField, versionField } from '../fields.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { BOUNDS } from '../rules/bounds.ts';
import { HOLD_REASONS, LIST_ACTIONS, WORD_ACTIONS, WORD_BOUNDS } from '../rules/moderation.ts';
import { boolean, choice, instant, int, list, namesOf, string, strings } from '../titled.ts';

const actionField = z.enum(LIST_ACTIONS, { error: '处理方式只能是 reject、hold、mask 或 except' });

export const Word = z.object({
  _id: string('编号'),
  word: string('词语'),
  category: string('分类'),
  action: choice('处理方式', LIST_ACTIONS),
  create_time: string('新建的时间'),
});
export type Word = z.infer<typeof Word>;

const WordProblem = z.object({ line: int('行号'), text: string('文字'), problem: string('问题') });

const WordFinding = z.object({
  word: string('词语'),
  category: string('分类'),
  action: choice('处理方式', WORD_ACTIONS),
  /** Range in the text, in UTF-16 units. */
  start: int('开始的位置'),
  end: int('结束的位置'),
});

const filterFields = {
  q: someText('已经输入的文字'),
  category: someText('分类'),
  /** Empty: all words without the exceptions, which clients of earlier releases do not know. */
  action: choice('处理方式', ['', ...LIST_ACTIONS]).catch(''),
};
const categoryField = absentField(textField('分类', WORD_BOUNDS.category).default(''));

/** A file of words (server/moderation/word-file.ts), with the category and action of its other lines. */
const listFields = z.object({
  text: z
    .string({ error: '请选择文件，或填写词语' })
    .refine((text) => text.trim() !== '', { error: '请填写词语' })
    .meta({ title: '文字' }),
  category: categoryField,
  action: actionField.meta({ title: '处理方式' }),
});

const WordPreview = z.object({
  scanned: int('查过的文字数'),
  matched: int('命中的文字数'),
  is_whole: boolean('是否查完了最近的 1,000 篇'),
  words: list('词语', z.object({ word: string('词语'), texts: int('有这个词的文字数') })),
  /** The first word in each of the newest 50 texts with a word, and the text around it. */
  samples: list(
    '例子',
    z.object({
      kind: choice('种类', ['article', 'comment']),
      _id: string('编号'),
      article_id: string('文章的编号'),
      /** Title of the article. */
      title: string('标题'),
      is_pending: boolean('是否待审'),
      word: string('词语'),
      before: string('词之前的文字'),
      found: string('找到的词'),
      after: string('词之后的文字'),
    }),
  ),
});

export const ReviewDecision = z.object({
  state: choice('状态', MODERATION_STATES),
  note: string('说明'),
  create_time: instant('新建的时间'),
});
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** State of an article for its author, and the decisions of staff, newest first. */
export const ArticleReview = z.object({
  state: choice('状态', MODERATION_STATES),
  /** Status text with the reason of staff; empty if the article is public. */
  note: string('说明'),
  can_resubmit: boolean('能不能再次提交'),
  decisions: list('审核的决定，新的在前', ReviewDecision),
});
export type ArticleReview = z.infer<typeof ArticleReview>;

export const HELD_KINDS = ['article', 'comment'] as const;

export const HeldItem = z.object({
  kind: choice('种类', HELD_KINDS),
  _id: string('编号'),
  author: string('作者'),
  author_name: string('作者的显示名，没有就不出现').optional(),
  title: string('标题'),
  article_id: string('文章的编号'),
  /** A comment's full text, or the beginning of an article. */
  content: string('正文'),
  reasons: list('等待审核的原因', z.enum(namesOf(HOLD_REASONS))),
  create_time: string('新建的时间'),
  /** Listed words that held it, as listed at that time. */
  words: strings('词语').optional(),
  /** Whether it is public, and a change of it waits; `content` is the changed text. */
  is_change: boolean('是不是改动').optional(),
  version: versionField,
  /** The last decision of staff, for an item that is pending again. */
  last: ReviewDecision.meta({ title: '上次的决定' }).optional(),
});
export type HeldItem = z.infer<typeof HeldItem>;

export const idsField = idList('编号', '请选择要处理的内容', `一次最多处理 ${BOUNDS.readAtOnce} 项`);

const ofWords = staff('words.manage', 'moderation');

export const wordCalls = {
  wordList: read(ofWords, 'POST /api/staff/words', '词库', {
    input: z.object({ ...ownPaging, ...filterFields }),
    output: listOf(Word).extend({ categories: strings('分类') }),
  }),
  /** For words already listed, replaces the category and action. */
  wordAdd: write(ofWords, 'POST /api/staff/words/add', '添加词语，一行一个', {
    input: z.object({
      words: z
        .string({ error: '请填写词语' })
        .meta({ title: '词语' })
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
      action: actionField.meta({ title: '处理方式' }),
    }),
    output: z.object({ added: int('新增的数目'), changed: int('改动的数目') }),
    body: BODIES.article,
    refusals: ['WORD_INVALID', 'WORDS_TOO_MANY'],
  }),
  /** Refuses with WORDS_TOO_MANY, and then lists none. */
  wordImport: write(ofWords, 'POST /api/staff/words/import', '导入词语的文件', {
    description: '一行一个词，后面可以有处理方式和分类；有误的行跳过。',
    input: listFields,
    output: z.object({
      added: int('新增的数目'),
      changed: int('改动的数目'),
      /** The first 100 bad lines. */
      problems: list('问题', WordProblem),
      problem_num: int('有误的行数'),
    }),
    body: BODIES.words,
    refusals: ['WORDS_TOO_MANY'],
  }),
  /** The words that match, as a file that `wordImport` reads. */
  wordExport: read(ofWords, 'POST /api/staff/words/export', '导出词库', {
    input: z.object(filterFields),
    output: z.object({ text: string('文字') }),
  }),
  wordTrial: read(ofWords, 'POST /api/staff/words/trial', '试一段文字里有哪些词', {
    input: z.object({ text: textField('文字', [1, 20_000]) }),
    output: z.object({ text: string('文字'), found: list('找到的词', WordFinding) }),
    body: BODIES.article,
  }),
  /** For an exception, shows where it occurs. */
  wordPreview: read(ofWords, 'POST /api/staff/words/preview', '预览词语会命中什么', {
    description: '在最近的 1,000 篇公开或待审的文章和评论里查找，不保存。',
    input: listFields,
    output: WordPreview,
    body: BODIES.words,
  }),
  wordRemove: write(ofWords, 'POST /api/staff/words/remove', '删除词语', {
    input: z.object({ ids: idsField }),
    output: z.object({ removed: int('删除的数目') }),
  }),
};
