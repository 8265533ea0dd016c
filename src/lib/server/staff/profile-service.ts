import { refuse } from '../../contract/rules/errors.ts';
import { isStaff, may } from '../../contract/rules/permissions.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import { Removal, REMOVALS, type StaffProfile } from '../../contract/calls/profile-calls.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import type { NewNotification } from '../notifications/notification-service.ts';
import type { PageRequest } from '../shared/paging.ts';
import * as queries from './profile-queries.ts';
import { findProfileVersion, profileVersion, requireProfileVersion } from './profile-versions.ts';
import { findMember, findMemberById, type Member } from './role-queries.ts';
import type { Uses } from '../services.ts';

export type ProfileService = ReturnType<typeof createProfileService>;

/** A member of staff; null for the operator on the command line. */
type Actor = Pick<Viewer, 'id' | 'role'> | null;

/** Result of a removal; `afterwards` runs once it is committed. */
interface Removed {
  owner: Member;
  subject: { kind: Exclude<Removal['kind'], 'tag'>; id: string };
  before: string;
  after: string;
  afterwards?: () => Promise<void>;
}

const MAX_TAGS = 100;

export function createProfileService(
  parts: Uses<'notices' | 'users' | 'series' | 'pictures' | 'tagConsole' | 'files' | 'indexAuthor'>,
) {
  const { db, audit, notices, users, series, pictures, tagConsole, files, indexAuthor } = parts;

  /** Refuses editors the fields of staff, which only the operator may remove. */
  function requireRight(owner: Member, actor: Actor): void {
    if (isStaff(owner.role) && actor !== null && !may(actor.role, 'users.role'))
      refuse('NOT_ALLOWED', { text: '只有站长可以移除站务的资料' });
  }
  const getOwner = async (trx: Trx, id: string): Promise<Member> =>
    (await findMemberById(trx, id)) ?? refuse('USER_NOT_FOUND');

  async function removeOfUser(
    trx: Trx,
    { field, id: name, version }: Extract<Removal, { kind: 'user' }>,
    actor: Actor,
  ) {
    const owner = (await findMember(trx, name.trim())) ?? refuse('USER_NOT_FOUND');
    requireRight(owner, actor);
    if (actor) requireProfileVersion(await findProfileVersion(trx, owner.id), version);
    const removed = { owner, subject: { kind: 'user' as const, id: owner.id } };
    if (field !== 'username' && field !== 'avatar')
      return {
        ...removed,
        before: await users.clearText(trx, owner, field),
        after: '',
        ...(field === 'display_name' ? { afterwards: () => indexAuthor(owner.id) } : {}),
      };
    if (field === 'username') {
      const after = await users.replaceName(trx, owner);
      return { ...removed, before: owner.username, after, afterwards: () => indexAuthor(owner.id) };
    }
    const file = await users.setAvatar(trx, owner.id, '');
    return {
      ...removed,
      before: file,
      after: '',
      afterwards: () => (file === '' ? Promise.resolve() : files.discard([file])),
    };
  }

  async function removeOne(
    trx: Trx,
    removal: Exclude<Removal, { kind: 'tag' }>,
    actor: Actor,
  ): Promise<Removed> {
    if (removal.kind === 'user') return removeOfUser(trx, removal, actor);
    const { kind, id, field } = removal;
    const subject = { kind, id };
    if (kind === 'series') {
      const read = await queries.findSeries(trx, id);
      if (actor && read) requireProfileVersion(profileVersion('series', read), removal.version);
      const { ownerId, before, after } = await series.clearField(trx, id, field);
      const owner = await getOwner(trx, ownerId);
      requireRight(owner, actor);
      return { owner, subject, before, after };
    }
    const { ownerId } = await pictures.removeByStaff(trx, id);
    const owner = await getOwner(trx, ownerId);
    requireRight(owner, actor);
    const profile = await queries.findProfile(trx, ownerId);
    if (profile?.thanks === PICTURE_URL + id) await users.clearText(trx, owner, 'thanks');
    return { owner, subject, before: id, after: '', afterwards: () => files.discard([id]) };
  }

  async function notifyOwner(
    trx: Trx,
    {
      userId,
      subject,
      field,
      reason,
    }: Record<'userId' | 'field' | 'reason', string> & { subject: NewNotification['subject'] },
  ): Promise<void> {
    const text = FIELD_TEXTS[field] ?? '资料';
    const data = { result: 'removed', text, reason, path: '/user/settings' } as const;
    await notices.notify(trx, { kind: 'moderation', userId, subject, data });
  }

  /** Removes a tag's description; tags/tag-console.ts writes the audit log. */
  async function removeDescription({ id, field, reason, version }: Removal, actor: Actor): Promise<void> {
    await tagConsole.describe({ id, description: '' }, actor, async (trx, tag) => {
      if (tag.description === '') return;
      if (actor) requireProfileVersion(profileVersion('tag', tag), version);
      const subject = { kind: 'tag', id };
      await notifyOwner(trx, { userId: tag.creator_id, subject, field: `tag ${field}`, reason });
    });
  }

  /**
   * Removes a public field, notifies its owner of the reason, and writes the audit log. Returns the text that
   * replaces it, or the empty string. Refuses if something is not found, with NOT_ALLOWED where an editor
   * would change what belongs to staff, and with VERSION_CHANGED unless `actor` has read the current version.
   */
  async function remove(removal: Removal, actor: Actor): Promise<string> {
    if (removal.kind === 'tag') {
      await removeDescription(removal, actor);
      return '';
    }
    const { field, reason } = removal;
    const removed = await db.write(async (trx) => {
      const { afterwards, owner, subject, before, after } = await removeOne(trx, removal, actor);
      const valued = (value: string) => ({ [field]: value }) as Partial<Record<typeof field, string>>;
      await audit.write(trx, {
        actorId: actor?.id ?? null,
        action: `${subject.kind}.remove`,
        subject,
        before: { username: owner.username, ...valued(before) },
        after: { ...valued(after), reason },
      });
      const named = removal.kind === 'series' ? `series ${field}` : field;
      await notifyOwner(trx, { userId: owner.id, subject, field: named, reason });
      return { afterwards, after };
    });
    await removed.afterwards?.();
    return removed.after;
  }

  return {
    /** Returns an account's public fields with a page of its pictures. Refuses with USER_NOT_FOUND. */
    async read({ username, ...request }: { username: string } & PageRequest): Promise<StaffProfile> {
      const member = (await findMember(db.read, username.trim())) ?? refuse('USER_NOT_FOUND');
      const profile = (await queries.findProfile(db.read, member.id)) ?? refuse('USER_NOT_FOUND');
      const series = await queries.listSeriesOf(db.read, member.id);
      const tags = await queries.listDescribedBy(db.read, member.id, MAX_TAGS);
      const { result, total } = await pictures.namesOf(member.id, request);
      return {
        ...profile,
        version: profileVersion('user', profile),
        series: series.map((each) => ({ ...each, version: profileVersion('series', each) })),
        tags: tags.map((each) => ({ ...each, version: profileVersion('tag', each) })),
        pictures: result.map((name) => PICTURE_URL + name),
        picture_num: total,
      };
    },

    remove,
    /** Runs `remove` for the command line. Refuses with FIELD_INVALID for anything outside `REMOVALS`. */
    async removeTyped(typed: Record<'kind' | 'id' | 'field' | 'reason', string>): Promise<string> {
      const { data, error } = Removal.safeParse({ ...typed, version: '' });
      if (data) return remove(data, null);
      const known = Object.entries(REMOVALS).map(
        ([kind, fields]) => `${kind}：${Object.keys(fields).join('、')}`,
      );
      const text = error.issues[0]?.message ?? '';
      return refuse('FIELD_INVALID', { text: `${text}。可以是 ${known.join('；')}` });
    },
  };
}

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  username: '用户名',
  display_name: '显示名',
  website: '个人网站',
  profile_links: '链接',
  bio: '个人简介',
  avatar: '头像',
  thanks: '赞赏码',
  file: '一张图片',
  'series title': '专栏名称',
  'series description': '专栏介绍',
  'series cover': '专栏封面',
  'tag description': '标签描述',
};
