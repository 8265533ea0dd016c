import type { Inspection, InspectedWord, ReadFields } from '../../../contract/calls/review-calls.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { AuditFacts } from '../../../contract/rules/audit.ts';
import { HOLD_REASONS, withheldNote } from '../../../contract/rules/moderation.ts';
import { may } from '../../../contract/rules/permissions.ts';
import { PICTURE_URL, picturesIn } from '../../../contract/rules/pictures.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Reader } from '../../db/visibility.ts';
import { toInstant } from '../../shared/ids.ts';
import * as decisions from './decision-queries.ts';
import * as queries from './inspection-queries.ts';
import { findArticles, findComments, type ReadItem } from './version-queries.ts';
import { reasonsOf, toDecision } from './review-service.ts';
import { findWithheld } from '../withheld-queries.ts';
import type { FoundWord } from '../word-filter.ts';
import type { Uses } from '../../services.ts';

export type InspectionService = ReturnType<typeof createInspectionService>;

type Kind = Inspection['kind'];

const EARLIER_COMMENTS = 3;

/** Whole articles and comments for staff, including those that readers do not see. */
export function createInspectionService({ db, words, comments, audit }: Uses<'words' | 'comments'>) {
  /**
   * Whether staff may read an article: a public one, a pending or hidden one that its author wants to be
   * public, one that staff deleted, and a reported one.
   */
  async function mayRead(article: queries.WholeArticle): Promise<boolean> {
    if (article.is_shown === 1) return true;
    const isOffered = article.status === 'normal' && article.wanted_secret === 0;
    if (article.moderation !== '' && isOffered) return true;
    const item = (await findWithheld(db.read, 'article', [article.id])).get(article.id);
    if (item?.state === 'deleted' && article.status === 'cancel') return true;
    return queries.isReported(db.read, 'article', article.id);
  }

  async function record(kind: Kind, id: string, viewer: Reader, before: AuditFacts): Promise<void> {
    await db.write((trx) =>
      audit.write(trx, {
        actorId: viewer.id,
        action: `${kind}.read`,
        subject: { kind, id },
        before,
        after: {},
      }),
    );
  }

  /** Listed words in the text, with their places in `fields`; `rendered` is the text as readers see it. */
  async function matchesIn(fields: { title: string; content: string }, rendered: string) {
    const filter = await words.filter();
    const title = filter.find(fields.title);
    const content = filter.find(fields.content);
    const known = new Map<string, InspectedWord>();
    const note = (found: readonly FoundWord[], text: string) => {
      for (const { word, start, end } of found)
        if (!known.has(word.word))
          known.set(word.word, {
            word: word.word,
            category: word.category,
            action: word.action,
            written: text.slice(start, end),
          });
    };
    note(title, fields.title);
    note(content, fields.content);
    note(filter.find(rendered), rendered);
    return { words: [...known.values()], marks: { title: rangesOf(title), content: rangesOf(content) } };
  }

  async function stateOf(kind: Kind, id: string, { state, version }: ReadItem) {
    const item = (await findWithheld(db.read, kind, [id])).get(id);
    const made = await decisions.listDecisions(db.read, kind, id);
    return {
      version,
      state,
      note: item?.note ?? '',
      reasons: item ? reasonsOf(item) : [],
      decisions: made.map((decision) => ({ ...toDecision(decision), actor: decision.actor })),
    };
  }

  async function judgedOf(kind: Kind, id: string) {
    const judged = await decisions.findJudged(db.read, kind, id);
    if (!judged) return {};
    const { title, content } = judged;
    const fields = { title, content, ...decisions.attributesIn(judged) };
    return { judged: { title, content, ...toDecision(judged), ...(kind === 'article' ? { fields } : {}) } };
  }

  async function ofArticle(id: string, viewer: Reader): Promise<Inspection> {
    // Read first: an article that became private meanwhile is not readable below.
    const item = (await findArticles(db.read, [id])).get(id);
    const article = await queries.findWhole(db.read, id);
    if (!item || !article || !(await mayRead(article))) return refuse('ARTICLE_NOT_FOUND');
    return whole(article, item, viewer);
  }

  async function whole(
    article: queries.WholeArticle,
    item: ReadItem<ReadFields>,
    viewer: Reader,
  ): Promise<Inspection> {
    const { id, username: author, author_id, is_shown } = article;
    const { fields, change, summary } = item;
    const { title, content, tags, description, source } = fields;
    if (is_shown === 0) await record('article', id, viewer, { author, text: title });
    const rendered = [...tags, description, source, article.text].join('\n\n');
    const { judged } = await judgedOf('article', id);
    const series = [fields, change, judged?.fields].flatMap((each) => each?.series ?? []);
    return {
      kind: 'article',
      _id: id,
      article_id: id,
      author,
      title,
      content,
      tags,
      description,
      fields,
      summary,
      series_titles: await queries.listSeriesTitles(db.read, series, author_id),
      create_time: toInstant(article.create_time),
      is_public: is_shown === 1,
      ...(await stateOf('article', id, item)),
      ...(change ? { change: { title: change.title, content: change.content, fields: change } } : {}),
      ...(judged ? { judged } : {}),
      ...(await matchesIn({ title, content }, rendered)),
      pictures: [...new Set([fields, change].flatMap((each) => (each ? picturesIn(each) : [])))].map(
        (name) => PICTURE_URL + name,
      ),
    };
  }

  async function ofComment(id: string, viewer: Reader): Promise<Inspection> {
    const item = (await findComments(db.read, [id])).get(id);
    const comment = (await comments.anyOf([id])).get(id);
    const article = comment && (await queries.findWhole(db.read, comment.article_id));
    if (!item || !comment || !article) return refuse('COMMENT_NOT_FOUND');
    const isShown = await queries.isShownComment(db.read, id);
    const is_public = isShown && article.is_shown === 1;
    const isReadable = (await mayRead(article)) || (await queries.isReported(db.read, 'comment', id));
    if (!isReadable) refuse('COMMENT_NOT_FOUND');
    const { author, create_time } = comment;
    const { content } = item.fields;
    if (!is_public) await record('comment', id, viewer, { author, text: content.slice(0, 200) });
    const quoted = comment.reply_user !== null && comment.quote !== null;
    return {
      kind: 'comment',
      _id: id,
      article_id: article.id,
      author,
      title: article.title,
      content,
      tags: [],
      description: '',
      summary: '',
      series_titles: [],
      create_time: toInstant(create_time),
      is_public,
      ...(await stateOf('comment', id, item)),
      ...(item.change ? { change: { title: '', ...item.change } } : {}),
      ...(await judgedOf('comment', id)),
      ...(await matchesIn({ title: '', content }, content)),
      pictures: [],
      ...(quoted ? { quote: { author: comment.reply_user ?? '', content: comment.quote ?? '' } } : {}),
      earlier: await queries.listCommentsBefore(db.read, {
        articleId: article.id,
        before: create_time,
        limit: EARLIER_COMMENTS,
      }),
    };
  }

  return {
    /**
     * The author of an article that is not public but may be read by staff, with its state and listed words;
     * null for others, and for an article in the trash, which has no page. Recorded as `inspect` does.
     */
    async ofPage(id: string, viewer: (Reader & Pick<Viewer, 'role'>) | null) {
      if (!viewer?.role || !may(viewer.role, 'articles.moderate')) return null;
      const item = (await findArticles(db.read, [id])).get(id);
      const article = await queries.findWhole(db.read, id);
      if (!item || !article || article.status === 'cancel' || !(await mayRead(article))) return null;
      const read = await whole(article, item, viewer);
      const reasons = read.reasons.map((reason) => HOLD_REASONS[reason]);
      return {
        author: { id: article.author_id },
        note: [
          withheldNote(read.state === 'shown' ? 'hidden' : read.state, read.note, reasons.length > 0),
          reasons.join('、'),
        ]
          .filter((part) => part !== '')
          .join(' · '),
        words: [
          ...new Set([
            ...read.words.map(({ written }) => written),
            ...read.marks.content.map(([start, end]) => read.content.slice(start, end)),
          ]),
        ],
      };
    },

    /**
     * Returns a whole article or comment. Reading one that is not public is recorded in the audit log.
     * Refuses with ARTICLE_NOT_FOUND, COMMENT_NOT_FOUND: drafts and secret articles stay private.
     */
    inspect: (kind: Kind, id: string, viewer: Reader): Promise<Inspection> =>
      kind === 'article' ? ofArticle(id, viewer) : ofComment(id, viewer),
  };
}

const rangesOf = (found: readonly FoundWord[]) => found.map(({ start, end }) => [start, end] as const);
