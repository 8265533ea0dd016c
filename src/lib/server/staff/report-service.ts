import type { CallInput } from '../../contract/calls/calls.ts';
import type { List } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { REPORT_KINDS, REPORT_REASONS, type ReportKind } from '../../contract/rules/report-reasons.ts';
import type { ReportedThing } from '../../contract/calls/staff-calls.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import { nameItem } from '../db/name-item.ts';
import { answerTo } from '../shared/report-answer.ts';
import { articleUrl, commentLink, userUrl } from '../../shared/urls.ts';
import { usernameOf } from '../db/lists.ts';
import { newId, toInstant } from '../shared/ids.ts';
import { veil } from '../shared/veil.ts';
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
/** Reports of one visitor's address in a day. */
const MAX_REPORTS_OF_EMAIL = 5;
const GONE: queries.Described = { text: '', author: '', author_name: '', page_id: '' };

/** Refuses a decision on another number of reports than staff has read. */
const refuseUnread = (): never => refuse('VERSION_CHANGED', { text: '举报有增减，请看过现在的举报再决定' });
const refuseOwn = (): never => refuse('NOT_ALLOWED', { text: '这是你自己发布的，不能举报' });

export function createReportService(
  parts: Uses<'options' | 'takedowns' | 'notices' | 'quotas' | 'humans' | 'guard'> & {
    site: { readonly origin: string; readonly title: string };
  },
) {
  const { db, events, options, takedowns, audit, notices, quotas, humans, guard, site, now } = parts;
  /**
   * Returns the id of the reported item; a user is looked up by name. Refuses items that the reader cannot
   * see, and the reader's own.
   */
  async function subjectOf(trx: Trx, kind: ReportKind, id: string, viewer: Viewer | null): Promise<string> {
    if (kind === 'user') {
      const member = await findMember(trx, id);
      if (!member || (await findBan(trx, member.id))?.hides === 1) refuse('USER_NOT_FOUND');
      if (member.id === viewer?.id) refuseOwn();
      return member.id;
    }
    const isArticle = kind === 'article';
    const findAuthor = isArticle ? queries.findArticleAuthor : queries.findCommentAuthor;
    const known = id.toLowerCase();
    const author = await findAuthor(trx, known, viewer);
    if (author === null) refuse(isArticle ? 'ARTICLE_NOT_FOUND' : 'COMMENT_NOT_FOUND');
    if (author === viewer?.id) refuseOwn();
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

  async function requireOpen(): Promise<void> {
    if (!(await options.read()).reports) refuse('REPORTS_CLOSED');
  }

  /** Returns the id of an item that a reporter sees and has not reported. Refuses as `subjectOf`. */
  async function requireNew(
    trx: Trx,
    { kind, id: named }: Pick<CallInput<'reportCreate'>, 'kind' | 'id'>,
    by: queries.Reporter,
    viewer: Viewer | null,
  ): Promise<string> {
    const id = await subjectOf(trx, kind, named, viewer);
    if (await queries.hasReported(trx, { kind, id, by })) refuse('REPORTED_ALREADY');
    return id;
  }

  async function add(trx: Trx, input: CallInput<'reportCreate'>, by: queries.Reporter): Promise<void> {
    const { kind, id, reason, note } = input;
    const reporter = { reporter_id: null, ...by };
    const row = { id: newId(), subject_kind: kind, subject_id: id, reason, note, create_time: now() };
    await queries.insertReport(trx, { ...row, ...reporter });
    events.emit(trx, { type: 'reports-changed' });
    await notices.notify(trx, {
      kind: 'report',
      title: `有人举报了${(await nameItem(trx, kind, id)) ?? REPORT_KINDS[kind]}`,
      text: [REPORT_REASONS[reason], note].filter((text) => text !== '').join('：'),
      path: '/admin/reports',
      // Staff is notified of an item once a day, however many report it.
      uniqueKey: `report:${kind}:${id}:${Math.floor(now() / DAY_MS)}`,
    });
  }

  /**
   * Notifies everyone who reported an item: accounts inside the site, visitors by a mail that does not name
   * the item, because their address is not verified (decision 0110).
   */
  async function answer(
    trx: Trx,
    thing: queries.Thing & { page_id: string; reporters: Awaited<ReturnType<typeof queries.listReporters>> },
    decision: 'upheld' | 'dismissed',
  ): Promise<void> {
    const { kind, id, page_id, reporters } = thing;
    // A hidden item has no page.
    const path = decision === 'upheld' ? '/home' : await pathOf(trx, { kind, id, page_id });
    const what = { reported: { kind, id }, result: decision };
    for (const { reporter_id: userId, email, reason } of reporters)
      if (userId !== null) {
        const text = `举报的理由：${REPORT_REASONS[reason]}`;
        await notices.notify(trx, { kind: 'answer', userId, ...what, text, path });
      } else
        await notices.queueMail(trx, {
          to: email,
          subject: `你在「${site.title}」${answerTo(what)}`,
          text: `你好：\n\n你${answerTo(what)}。\n\n${site.origin}${path}\n\n如果不是你举报的，不用理会这封邮件。\n`,
          button: decision === 'upheld' ? '打开网站' : `查看${REPORT_KINDS[kind]}`,
        });
  }

  async function pathOf(
    trx: Trx,
    { kind, id, page_id }: queries.Thing & { page_id: string },
  ): Promise<string> {
    if (kind === 'article') return articleUrl(id);
    if (kind === 'user') return userUrl(await usernameOf(trx, id));
    return page_id === '' ? '/home' : commentLink(page_id, id);
  }

  return {
    /**
     * Reports an article, a comment or an account, once per reader. Refuses with REPORTS_CLOSED,
     * REPORTED_ALREADY, QUOTA_REACHED, NOT_ALLOWED for the reader's own, and as not found what the reader
     * cannot see.
     */
    async create(input: CallInput<'reportCreate'>, viewer: Viewer): Promise<void> {
      await requireOpen();
      await db.write(async (trx) => {
        const by = { reporter_id: viewer.id };
        const id = await requireNew(trx, input, by, viewer);
        await quotas.use(trx, viewer, { reports: 1 });
        await add(trx, { ...input, id }, by);
      });
    },
    /**
     * Reports an item for a visitor, who proves some work and leaves an address for the answer, once per
     * address. Refuses with REPORTS_CLOSED, CHECK_NEEDED, CHECK_FAILED, REPORTED_ALREADY, TOO_MANY_REQUESTS,
     * and as not found what visitors cannot see.
     */
    async createByVisitor(input: CallInput<'visitorReport'>, from: { address: string }): Promise<void> {
      await requireOpen();
      const useProof = await humans.ofVisitor(input.check);
      await guard.count('report', from.address);
      await db.write(async (trx) => {
        const by = { email: input.email.toLowerCase() };
        const id = await requireNew(trx, input, by, null);
        if ((await queries.countByEmail(trx, by.email, now() - DAY_MS)) >= MAX_REPORTS_OF_EMAIL)
          refuse('TOO_MANY_REQUESTS', { text: '这个邮箱今天举报得太多了，请明天再试', retryAfter: 3600 });
        await useProof(trx);
        await add(trx, { ...input, id }, by);
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
          ({ reporter, reporter_name, email, reason, note, create_time }) => ({
            reporter: reporter ?? `访客 ${veil(email)}`,
            ...(reporter_name ? { reporter_name } : {}),
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
     * Decides the reports of an item: hides or deletes it, or dismisses them; returns how many. Every
     * reporter gets an answer. Refuses with FIELD_INVALID without a reason, and for hiding an account; with
     * VERSION_CHANGED if staff has not read the current item and all reports.
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
        if (action && kind !== 'user')
          await takedowns.decideIn(trx, kind, id, { action, note: reason }, viewer.id);
        await answer(trx, { kind, id, reporters, page_id: described?.page_id ?? '' }, decision);
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
