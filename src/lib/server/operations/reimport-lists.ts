import { formatOf, PICTURE_URL } from '../../contract/rules/pictures.ts';
import { asClean } from '../shared/clean-text.ts';
import { insertSeries } from '../articles/series/series-queries.ts';
import { findOwner } from '../auth/safety/safety-queries.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { ExportError, Friend, LISTS, Notification, Picture, Series, Tag, User } from '../export/format.ts';
import * as queries from './reimport-queries.ts';
import { findUntouchedGuides, removeGuides } from '../guides/guide-site.ts';
import { insertFile, selectNames } from '../files/file-queries.ts';
import { insertFriends } from '../friends/friend-queries.ts';
import { hostOf, isAccepted } from '../friends/friend-service.ts';
import { entriesLacking, entriesOf, lose, type ReimportRun } from './reimport-run.ts';
import { insertNotifications } from '../notifications/notification-queries.ts';
import { absorbHidden, findTag, insertTag } from '../tags/tag-queries.ts';
import { findKept, keepName } from '../users/former-queries.ts';
import { displayColumns, findUserById, findUserByName, insertUser } from '../users/user-queries.ts';
import { MIB } from '../../contract/rules/units.ts';

/** Maximum bytes of a picture; stored pictures are smaller than the upload limit. */
const MAX_PICTURE_BYTES = 64 * MIB;

/**
 * Removes the guides of an untouched site when a whole site is imported, unless the export contains the
 * account of these guides.
 */
export async function removeUntouchedGuides(run: ReimportRun): Promise<void> {
  if (run.report.manifest.kind !== 'site') return;
  const guideAccount = await findUntouchedGuides(run.db.read);
  if (guideAccount === null) return;
  for await (const users of entriesOf(run, LISTS.users, User))
    if (users.some(({ id }) => id === guideAccount)) return;
  run.removedGuides = guideAccount;
  if (!run.isDryRun) await removeGuides(run, guideAccount);
}

/** Creates the missing accounts of the export. @throws ExportError when the author's name is taken */
export async function importUsers(run: ReimportRun): Promise<void> {
  for await (const users of entriesOf(run, LISTS.users, User))
    for (const user of users) await importUser(run, user);
}

async function importUser(run: ReimportRun, user: User): Promise<void> {
  const { db, report, users } = run;
  const { id, username } = user;
  const { counts, manifest } = report;
  if (user.thanks) run.thanks.set(user.thanks, id);
  const isAuthor = manifest.author === id;
  if (isAuthor && run.author !== null) {
    const chosen = await findUserByName(db.read, run.author);
    if (!chosen) throw new ExportError(`没有用户 ${run.author}`);
    users.set(id, chosen);
    counts.users.same++;
    return;
  }
  const existing = await findUserById(db.read, id);
  if (existing) {
    users.set(id, existing);
    counts.users.same++;
  } else if (isKept(run, await findHolder(db.read, username))) {
    if (isAuthor)
      throw new ExportError(
        `这里已有另一个叫 ${username} 的账号：加上 --author ${username} 把文章归到这个账号`,
      );
    lose(run, 'users', `用户 ${username}`, '这里已有另一个叫这个名字的账号，这个用户的内容没有导入');
  } else {
    const row = await rowsOf(run, user);
    if (!run.isDryRun) await db.write((trx) => insertAccount(trx, row));
    users.set(id, { id, username });
    counts.users.created++;
    const waysIn = [user.account?.password, ...(user.account?.identities ?? [])].filter(Boolean);
    if (user.closed === '' && (!run.withAccounts || waysIn.length === 0))
      report.withoutPassword.push(username);
  }
}

/** Finds the account that has the username now or as a former one. */
const findHolder = async (db: Queryable, username: string): Promise<string | null> =>
  (await findUserByName(db, username))?.id ?? findKept(db, username);

/** Whether the account stays on the site. */
const isKept = ({ removedGuides }: ReimportRun, id: string | null): boolean =>
  id !== null && id !== removedGuides;

async function rowsOf(run: ReimportRun, user: User) {
  const { id, username, gender, bio, created, closed } = user;
  const account = run.withAccounts ? user.account : undefined;
  const row: Parameters<typeof insertUser>[1] = {
    id,
    username: asClean(username, 'operator'),
    gender,
    bio: asClean(bio, 'operator'),
    closed,
    ...displayColumns(asClean(user.display_name ?? '', 'operator')),
    website: asClean(user.website ?? '', 'operator'),
    links: asClean(JSON.stringify(user.links ?? []), 'operator'),
    create_time: Date.parse(created),
    // No password matches an empty hash.
    password_hash: account?.password ?? '',
    ...(account && {
      role: account.role,
      banned_until: account.banned_until,
      ban_reason: account.ban_reason,
      ban_hides: account.ban_hides,
    }),
  };
  const identities = (account?.identities ?? []).map(({ created: linked, used, ...identity }) => ({
    ...identity,
    user_id: id,
    create_time: Date.parse(linked),
    last_used: Date.parse(used),
  }));
  const formerNames = account?.former_names ?? [];
  if (!account?.email) return { row, identities, formerNames, email: null };
  const { address, confirmed } = account.email;
  if ((await findOwner(run.db.read, address.toLowerCase())) !== null) {
    run.report.losses.push({ what: `用户 ${username} 的邮箱`, why: '这里已有别的账号用这个邮箱' });
    return { row, identities, formerNames, email: null };
  }
  return {
    row,
    identities,
    formerNames,
    email: { user_id: id, address, create_time: Date.parse(confirmed) },
  };
}

async function insertAccount(
  trx: Trx,
  { row, identities, formerNames, email }: Awaited<ReturnType<typeof rowsOf>>,
): Promise<void> {
  await insertUser(trx, row);
  if (email) await queries.insertEmail(trx, email);
  await queries.insertIdentities(trx, identities);
  for (const username of formerNames)
    if ((await findHolder(trx, username)) === null) await keepName(trx, { id: row.id, username });
}

export async function importPictures(run: ReimportRun): Promise<void> {
  const paths = new Set(run.files.paths);
  for await (const pictures of entriesOf(run, LISTS.pictures, Picture)) {
    const known = await selectNames(
      run.db.read,
      pictures.map(({ name }) => name),
    );
    for (const picture of pictures) {
      const owner = run.users.get(picture.owner) ?? run.users.get(run.report.manifest.author ?? '');
      if (known.has(picture.name)) run.report.counts.pictures.same++;
      else if (!owner) lose(run, 'pictures', picture.path, '它的主人没有导入');
      else if (!paths.has(picture.path)) lose(run, 'pictures', picture.path, '文件不在导出里');
      else await importPicture(run, picture, owner.id);
    }
  }
}

async function importPicture(run: ReimportRun, picture: Picture, owner_id: string): Promise<void> {
  const { db, files, uploads, quotas, report } = run;
  const { name, kind, path, created } = picture;
  const bytes = await files.read(path, MAX_PICTURE_BYTES);
  const format = formatOf(bytes);
  if (format !== (name.endsWith('.jpg') ? 'jpeg' : name.slice(name.lastIndexOf('.') + 1)))
    return lose(run, 'pictures', path, '不是图片');
  report.counts.pictures.created++;
  if (run.isDryRun) return;
  await uploads.put(name, bytes);
  await db.write(async (trx) => {
    await insertFile(trx, { name, owner_id, kind, bytes: bytes.length, create_time: Date.parse(created) });
    await quotas.store(trx, { id: owner_id, isUnlimited: true }, bytes.length);
    if (kind === 'avatar') await queries.setFirstPicture(trx, owner_id, 'avatar', name);
    if (run.thanks.get(name) === picture.owner)
      await queries.setFirstPicture(trx, owner_id, 'thanks', PICTURE_URL + name);
  });
}

/** Imports tags; reuses an existing public tag with the same name. */
export async function importTags(run: ReimportRun): Promise<void> {
  const { db, users, report } = run;
  for await (const tags of entriesLacking(run, 'tags', Tag))
    for (const tag of tags) {
      const creator = users.get(tag.creator) ?? users.get(report.manifest.author ?? '');
      if (!creator) lose(run, 'tags', `标签 ${tag.name}`, '建它的用户没有导入，用到时会重新建立');
      else if (await hasTag(run, tag.name, creator.id)) report.counts.tags.same++;
      else {
        run.madeTags.add(tag.is_listed ? tag.name : hiddenKey(tag.name, creator.id));
        report.counts.tags.created++;
        if (!run.isDryRun) await db.write((trx) => addTag(trx, tag, creator.id));
      }
    }
}

const hiddenKey = (name: string, creatorId: string): string => `${creatorId} ${name}`;

/** Whether this user finds a tag of that name, apart from those that are removed with the guides. */
async function hasTag(
  { db, madeTags, removedGuides }: ReimportRun,
  name: string,
  userId: string,
): Promise<boolean> {
  if (madeTags.has(name) || madeTags.has(hiddenKey(name, userId))) return true;
  const found = await findTag(db.read, name, userId);
  return found !== null && found.creator_id !== removedGuides;
}

async function addTag(trx: Trx, tag: Tag, creator_id: string): Promise<void> {
  const { id, name, created, updated } = tag;
  const description = asClean(tag.description, 'operator');
  const times = { create_time: Date.parse(created), update_time: Date.parse(updated) };
  // Same rule as migration 40 for older tags.
  const isMadeByName = tag.made_by_name ?? (tag.is_listed && description !== '');
  const flags = { is_listed: tag.is_listed ? 1 : 0, made_by_name: isMadeByName ? 1 : 0 } as const;
  await insertTag(trx, { id, name: asClean(name, 'operator'), description, creator_id, ...times, ...flags });
  if (tag.is_listed) await absorbHidden(trx, name, id);
}

export async function importSeries(run: ReimportRun): Promise<void> {
  const { db, users, report } = run;
  for await (const entries of entriesLacking(run, 'series', Series))
    for (const { id, author, title, description, cover, created, updated } of entries) {
      const owner = users.get(author);
      if (!owner) lose(run, 'series', `专栏《${title}》`, '它的作者没有导入');
      else {
        report.counts.series.created++;
        if (run.isDryRun) continue;
        const times = { create_time: Date.parse(created), update_time: Date.parse(updated) };
        const address = cover === '' ? '' : PICTURE_URL + cover;
        const texts = {
          title: asClean(title, 'operator'),
          description: asClean(description, 'operator'),
        };
        await db.write((trx) =>
          insertSeries(trx, { id, author_id: owner.id, ...texts, cover: address, ...times }),
        );
      }
    }
}

export async function importNotifications(run: ReimportRun): Promise<void> {
  for await (const entries of entriesOf(run, LISTS.notifications, Notification)) {
    const rows = entries.flatMap(({ id, user, kind, subject, data, created, read }) => {
      const recipient = run.users.get(user);
      if (!recipient) return [];
      return {
        id,
        recipient_id: recipient.id,
        kind,
        subject_kind: subject.kind,
        subject_id: subject.id,
        data: JSON.stringify(data),
        create_time: Date.parse(created),
        read_time: read === null ? null : Date.parse(read),
      };
    });
    if (!run.isDryRun) await run.db.write((trx) => insertNotifications(trx, rows));
  }
}

export async function importFriends(run: ReimportRun): Promise<void> {
  for await (const entries of entriesOf(run, LISTS.friends, Friend)) {
    const rows = entries.map((friend) => ({
      ...friend,
      name: asClean(friend.name, 'operator'),
      url: asClean(friend.url, 'operator'),
      description: asClean(friend.description, 'operator'),
      // Readers load no pictures of other sites.
      logo: isAccepted(friend) && !friend.logo.startsWith(PICTURE_URL) ? '' : friend.logo,
      host: hostOf(friend.url),
    }));
    if (!run.isDryRun) await run.db.write((trx) => insertFriends(trx, rows));
  }
}
