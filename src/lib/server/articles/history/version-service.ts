import { createHash } from 'node:crypto';
import type { List, Version, VersionItem } from '../../../contract/entities.ts';
import { FIELD_NAMES } from '../../../contract/rules/authored-fields.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { commonEnds } from '../../../shared/common-ends.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import type { AuthoredColumns } from '../../db/schema/schema.ts';
import { newId, toInstant } from '../../shared/ids.ts';
import type { PageRequest } from '../../shared/paging.ts';
import type { Spender } from '../../quotas/quota-service.ts';
import { isEditor } from '../core/article-access.ts';
import { findState } from '../core/article-queries.ts';
import { fromColumns } from '../core/authored-queries.ts';
import { putPictureUses } from '../core/usage-queries.ts';
import * as queries from './version-queries.ts';
import { MINUTE_MS, DAY_MS, HOUR_MS, MIB, WEEK_MS } from '../../../contract/rules/units.ts';
import type { AppParts } from '../../services.ts';

export type VersionService = ReturnType<typeof createVersionService>;

/** Minimum time between versions of a draft, unless a save removes text. */
const VERSION_INTERVAL_MS = 5 * MINUTE_MS;
/** Characters, or share of the text, whose removal is worth a version. */
const MIN_LOST_CHARACTERS = 200;
const MIN_LOST_SHARE = 0.2;

/**
 * Earlier texts of articles, each text once: published texts, and those that a save overwrote, at least five
 * minutes apart unless text was removed or an earlier text restored. Thinned with age; limited per article,
 * and per account to a quarter of its storage, beyond which the article's oldest versions are deleted.
 */
export function createVersionService({ db, quotas, now }: Pick<AppParts, 'db' | 'now' | 'quotas'>) {
  async function keep(trx: Trx, author: Spender, current: queries.CurrentText, heads: queries.VersionHead[]) {
    const { article_id, kind, time, text } = current;
    const digest = digestOf(text);
    const same = heads.filter((head) => head.digest === digest);
    if (kind === 'draft' && same.some((head) => head.kind === 'publication')) return;
    if (kind === 'publication' && heads[0]?.kind === kind && heads[0].digest === digest) return;
    const replaced = new Set(same.filter((head) => head.kind === 'draft'));
    const version = { id: newId(), article_id, kind, create_time: time, digest };
    const bytes = Buffer.byteLength(text.content);
    await queries.insertVersion(trx, { ...version, ...text, bytes });
    await putPictureUses(trx, 'version', { id: version.id, authorId: author.id, ...text });
    const later = [{ ...version, bytes }, ...heads.filter((head) => !replaced.has(head))].toSorted(
      (one, other) => other.create_time - one.create_time,
    );
    const surplus = new Set(surplusOf(later, now()));
    const stay = later.filter((head) => !surplus.has(head));
    const removed = [...replaced, ...surplus];
    let stored = await queries.addVersionBytes(trx, author.id, bytes - sumOf(removed));
    while (stored > quotas.versionRoom(author)) {
      const oldest = stay.pop();
      if (!oldest) break;
      removed.push(oldest);
      stored = await queries.addVersionBytes(trx, author.id, -oldest.bytes);
    }
    await queries.deleteVersions(trx, removed);
  }

  async function requireEditable(id: string, viewer: Viewer): Promise<void> {
    const state = await findState(db.read, id);
    if (!state || !isEditor(state, viewer)) refuse('ARTICLE_NOT_FOUND');
  }

  return {
    async published(trx: Trx, author: Spender, articleId: string, text: AuthoredColumns, time: number) {
      const current = { article_id: articleId, kind: 'publication' as const, time, text };
      await keep(trx, author, current, await queries.listHeads(trx, articleId));
    },

    /** Stores the text that `next` is about to overwrite, if it is worth a version. */
    async overwritten(trx: Trx, author: Spender, former: queries.CurrentText | null, next: AuthoredColumns) {
      if (!former) return;
      const digest = digestOf(next);
      if (digestOf(former.text) === digest) return;
      const heads = await queries.listHeads(trx, former.article_id);
      const [newest] = heads;
      const isStep = newest === undefined || former.time - newest.create_time >= VERSION_INTERVAL_MS;
      const comesBack = heads.some((head) => head.digest === digest);
      if (isStep || comesBack || isLoss(former.text.content, next.content))
        await keep(trx, author, former, heads);
    },

    /** Lists the versions of the viewer's article, newest first. Refuses with ARTICLE_NOT_FOUND. */
    async list(id: string, request: PageRequest, viewer: Viewer): Promise<List<VersionItem>> {
      await requireEditable(id, viewer);
      const { rows, total } = await queries.readVersions(db.read, id, request);
      return {
        result: rows.map(({ id: _id, kind, title, create_time }) => ({
          _id,
          kind,
          title,
          create_time: toInstant(create_time),
        })),
        total,
      };
    },

    /**
     * Returns a version with its text. Refuses with ARTICLE_NOT_FOUND, VERSION_NOT_FOUND (thinned out
     * meanwhile).
     */
    async read(articleId: string, id: string, viewer: Viewer): Promise<Version> {
      await requireEditable(articleId, viewer);
      const row = (await queries.findVersion(db.read, articleId, id)) ?? refuse('VERSION_NOT_FOUND');
      const { kind, content, create_time } = row;
      return { ...fromColumns(row), _id: row.id, kind, content, create_time: toInstant(create_time) };
    },
  };
}

const sumOf = (heads: readonly queries.VersionHead[]) => heads.reduce((sum, { bytes }) => sum + bytes, 0);

const digestOf = (text: AuthoredColumns) =>
  createHash('sha256')
    .update(JSON.stringify(FIELD_NAMES.map((name) => text[name])))
    .digest('hex');

/** Whether a large part of `former`, between the common beginning and end, was replaced. */
function isLoss(former: string, next: string): boolean {
  const { head, tail } = commonEnds(former, next);
  const replaced = former.length - head - tail;
  return replaced >= MIN_LOST_CHARACTERS || replaced > former.length * MIN_LOST_SHARE;
}

const MAX_VERSIONS = 200;
const MAX_PUBLICATIONS = 100;
const MAX_BYTES = 8 * MIB;

/**
 * Returns the versions of an article to delete. Of drafts the last of each hour stays for a day, of each day
 * for a month, of each week after that; then the oldest are deleted, drafts before publications, beyond 200
 * versions, 100 publications or 8 MB. The newest always stays.
 * @param heads newest first
 */
export function surplusOf(heads: readonly queries.VersionHead[], now: number): queries.VersionHead[] {
  const kept = thinned(heads, now);
  const publications = kept.filter(({ kind }) => kind === 'publication');
  const tooOld = new Set(publications.slice(MAX_PUBLICATIONS));
  const staying = kept.filter((head) => !tooOld.has(head));
  let bytes = staying.reduce((sum, head) => sum + head.bytes, 0);
  const oldestFirst = staying.slice(1).toReversed();
  const order = [
    ...oldestFirst.filter(({ kind }) => kind === 'draft'),
    ...oldestFirst.filter(({ kind }) => kind === 'publication'),
  ];
  const dropped = new Set<queries.VersionHead>();
  for (const head of order) {
    if (staying.length - dropped.size <= MAX_VERSIONS && bytes <= MAX_BYTES) break;
    dropped.add(head);
    bytes -= head.bytes;
  }
  const stays = new Set(staying.filter((head) => !dropped.has(head)));
  return heads.filter((head) => !stays.has(head));
}

function thinned(heads: readonly queries.VersionHead[], now: number): queries.VersionHead[] {
  const spans = new Set<string>();
  return heads.filter(({ kind, create_time }) => {
    const age = now - create_time;
    if (kind === 'publication' || age < HOUR_MS) return true;
    const size = age < DAY_MS ? HOUR_MS : age < 30 * DAY_MS ? DAY_MS : WEEK_MS;
    const span = `${size}:${Math.floor(create_time / size)}`;
    if (spans.has(span)) return false;
    spans.add(span);
    return true;
  });
}
