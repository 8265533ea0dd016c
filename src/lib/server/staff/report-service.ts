import type { CallInput } from '../../contract/calls/calls.ts';
import type { List } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { REPORT_KINDS, REPORT_REASONS, type ReportKind } from '../../contract/rules/report-reasons.ts';
import type { ReportedThing } from '../../contract/calls/staff-calls.ts';
import { articleUrl } from '../../shared/urls.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { NewNotification } from '../notifications/notification-service.ts';
import type { Trx } from '../db/database.ts';
import { nameItem } from '../db/name-item.ts';
import { newId, toInstant } from '../shared/ids.ts';
import type { PageRequest } from '../shared/paging.ts';
import { findBan } from './ban-queries.ts';
import * as queries from './report-queries.ts';
import { findProfileVersion, requireProfileVersion } from './profile-versions.ts';
import { findMember } from './role-queries.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { Uses } from '../services.ts';

export type ReportService = ReturnType<typeof createReportService>;
const MAX_SHOWN_REPORTS = 20;
const MAX_EXCERPT_CHARACTERS = 200;
const GONE: queries.Described = { text: '', author: '', author_name: '', page_id: '' };

/** Refuses a decision on another number of reports than staff has read. */
const refuseUnread = (): never => refuse('VERSION_CHANGED', { text: '举报有增减，请看过现在的举报再决定' });
const refuseOwn = (): never => refuse('NOT_ALLOWED', { text: '这是您自己发布的，不能举报' });

export function createReportService(
  parts: Uses<'options' | 'takedowns' | 'notices' | 'notifications' | 'quotas'>,
) {
  const { db, events, options, takedowns, audit, notices, notifications, quotas, now } = parts;
  /**
   * Returns the id of the reported item; a user is looked up by name. Refuses items that the reader cannot
   * see, and the reader's own.
   */
  async function subjectOf(trx: Trx, kind: ReportKind, id: string, viewer: Viewer): Promise<string> {
    if (kind === 'user') {
      const member = await findMember(trx, id);
      if (!member || (await findBan(trx, member.id))?.hides === 1) refuse('USER_NOT_FOUND');
      if (member.id === viewer.id) refuseOwn();
      return member.id;
    }
    const isArticle = kind === 'article';
    const findAuthor = isArticle ? queries.findArticleAuthor : queries.findCommentAuthor;
    const known = id.toLowerCase();
    const author = await findAuthor(trx, known, viewer);
    if (author === null) refuse(isArticle ? 'ARTICLE_NOT_FOUND' : 'COMMENT_NOT_FOUND');
    if (author === viewer.id) refuseOwn();
    return known;
  }

  /** Versions of reported items by key; '' for those that no longer exist. */
  async function versionsOf(things: readonly queries.Thing[], described: Map<string, queries.Described>) {
    const found = new Map<string, string>();
    for (const kind of ['article', 'comment'] as const) {
      const rows = things.filter((thing) => thing.kind === kind);
      const versions = await takedowns.versionsOf(
        kind,
        rows.map(({ id }) => {
          const text = described.get(queries.keyOf({ kind, id }))?.text;
          return {
            id,
            ...(text === undefined ? {} : kind === 'article' ? { title: text } : { content: text }),
          };
        }),
      );
      for (const [id, version] of versions) found.set(queries.keyOf({ kind, id }), version);
    }
    for (const { kind, id } of things)
      if (kind === 'user')
        found.set(queries.keyOf({ kind, id }), (await findProfileVersion(db.read, id)) ?? '');
    return found;
  }

  return {
    /**
     * Reports an article, a comment or an account, once per reader. Refuses with REPORTS_CLOSED,
     * REPORTED_ALREADY, QUOTA_REACHED, NOT_ALLOWED for the reader's own, and as not found what the reader
     * cannot see.
     */
    async create(input: CallInput<'reportCreate'>, viewer: Viewer): Promise<void> {
      if (!(await options.read()).reports) refuse('REPORTS_CLOSED');
      const { kind, reason, note } = input;
      await db.write(async (trx) => {
        const id = await subjectOf(trx, kind, input.id, viewer);
        if (await queries.hasReported(trx, { kind, id, reporterId: viewer.id })) refuse('REPORTED_ALREADY');
        await quotas.use(trx, viewer, { reports: 1 });
        await queries.insertReport(trx, {
          id: newId(),
          subject_kind: kind,
          subject_id: id,
          reporter_id: viewer.id,
          reason,
          note,
          create_time: now(),
        });
        events.emit(trx, { type: 'reports-changed' });
        await notices.notify(trx, {
          kind: 'report',
          title: `有人举报了${(await nameItem(trx, kind, id)) ?? REPORT_KINDS[kind]}`,
          text: [REPORT_REASONS[reason], note].filter((text) => text !== '').join('：'),
          path: '/admin/reports',
          // Staff is notified of an item once a day, however many report it.
          uniqueKey: `report:${kind}:${id}:${Math.floor(now() / DAY_MS)}`,
        });
      });
    },
    countOpen: (): Promise<number> => queries.countOpen(db.read),
    async list(request: PageRequest): Promise<List<ReportedThing>> {
      const { rows, total } = await queries.readOpen(db.read, request);
      const described = await queries.describeThings(db.read, rows);
      const versions = await versionsOf(rows, described);
      const reports = await queries.listReportsOf(db.read, rows, MAX_SHOWN_REPORTS);
      const result = rows.map(({ kind, id, report_num }): ReportedThing => {
        const key = queries.keyOf({ kind, id });
        const shown = (reports.get(key) ?? []).map(
          ({ reporter, reporter_name, reason, note, create_time }) => ({
            reporter,
            ...(reporter_name === '' ? {} : { reporter_name }),
            reason,
            note,
            create_time: toInstant(create_time),
          }),
        );
        const version = versions.get(key) ?? '';
        const { author_name, ...thing } = described.get(key) ?? GONE;
        const named = author_name === '' ? {} : { author_name };
        return { kind, id, ...thing, ...named, version, report_num, reports: shown };
      });
      return { result, total };
    },
    /**
     * Decides the reports of an item: hides or deletes it, or dismisses them; returns how many. The reporters
     * are notified inside the site. Refuses with FIELD_INVALID without a reason, and for hiding an account;
     * with VERSION_CHANGED if staff has not read the current item and all reports.
     */
    async decide(input: CallInput<'reportDecide'>, viewer: Viewer): Promise<number> {
      const { kind, id, action, reason, version, report_num } = input;
      if (action && kind === 'user') refuse('FIELD_INVALID', { text: '账号请在用户里封禁', field: 'action' });
      if (action && reason === '')
        refuse('FIELD_INVALID', { text: '请写明理由，作者会看到', field: 'reason' });
      return db.write(async (trx) => {
        const described = (await queries.describeThings(trx, [{ kind, id }])).get(
          queries.keyOf({ kind, id }),
        );
        if (kind === 'user') requireProfileVersion(await findProfileVersion(trx, id), version);
        else await takedowns.requireVersionIn(trx, kind, id, version);
        const decision = action ? 'upheld' : 'dismissed';
        const reporters = await queries.listReporters(trx, { kind, id });
        const decided = await queries.decideReports(trx, { kind, id }, decision, now());
        if (decided !== report_num) refuseUnread();
        await notifications.add(trx, reporters.map(answerTo({ kind, id }, decision, described)));
        if (action && kind !== 'user')
          await takedowns.decideIn(trx, kind, id, { action, note: reason }, viewer.id);
        events.emit(trx, { type: 'reports-changed' });
        await audit.write(trx, {
          actorId: viewer.id,
          action: `report.${decision}`,
          subject: { kind, id },
          before: {
            reports: decided,
            ...(described && { author: described.author }),
            ...(described && kind !== 'user' && { text: described.text.slice(0, MAX_EXCERPT_CHARACTERS) }),
          },
          after: { ...(action && { action }), reason },
        });
        return decided;
      });
    },
  };
}

type Reporter = Awaited<ReturnType<typeof queries.listReporters>>[number];

/** The title of the item is not stored: it may have been hidden or changed since the report. */
const answerTo =
  (subject: queries.Thing, result: 'upheld' | 'dismissed', described: queries.Described | undefined) =>
  ({ reporter_id: userId, reason }: Reporter): NewNotification => {
    const isShown = result === 'dismissed' && described !== undefined && described.page_id !== '';
    const path = isShown ? articleUrl(described.page_id) : '';
    const text = `举报的理由：${REPORT_REASONS[reason]}`;
    return { userId, kind: 'report', subject, data: { result, text, reason: '', path } };
  };
