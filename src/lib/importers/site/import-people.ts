import { isRefusal } from '../../contract/rules/errors.ts';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import { foldName } from '../../contract/rules/names.ts';
import type { Person } from '../../server/articles/import/site-import-service.ts';
import { explain, UsageError } from '../../server/operations/explain.ts';
import type { ForeignUser } from './foreign-site.ts';
import { fitText, isStoppedNow, note, tally, type SiteRun } from './site-run.ts';

/** Finds or creates accounts for all users; those of guests are created with their first comment. */
export async function importPeople(run: SiteRun): Promise<void> {
  for (const [key, person] of await run.store.people()) run.people.set(key, person);
  for await (const user of run.site.users()) {
    if (await isStoppedNow(run)) return;
    const known = run.people.get(user.key);
    if (known) {
      run.report.users.known++;
      if (known.lacksAvatar) await importAvatar(run, user, known);
      continue;
    }
    if (await mapPerson(run, user)) continue;
    if (user.isGuest) run.guests.set(user.key, user);
    else await addPerson(run, user);
  }
}

/** @throws UsageError if `--map` names users that the source does not have; nothing is written yet */
export async function checkMap({ site, options }: SiteRun): Promise<void> {
  const unknown = new Set(options.map.keys());
  if (unknown.size === 0) return;
  for await (const { username } of site.users()) unknown.delete(username);
  if (unknown.size > 0) throw new UsageError(`来源里没有用户 ${[...unknown].join('、')}，请检查 --map`);
}

/** Returns the account of a key, and creates a guest's. Null for a user that the source does not describe. */
export async function personOf(run: SiteRun, key: string): Promise<Person | null> {
  const known = run.people.get(key);
  if (known) return known;
  const guest = run.guests.get(key);
  if (!guest) return null;
  run.guests.delete(key);
  return addPerson(run, guest);
}

async function mapPerson(run: SiteRun, user: ForeignUser): Promise<boolean> {
  const { map, mergesUsers } = run.options;
  const wanted = map.get(user.username);
  if (wanted === undefined && (!mergesUsers || user.isGuest)) return false;
  const found = await run.store.findPerson(wanted ?? user.username);
  if (!found) {
    if (wanted === undefined) return false;
    await addPerson(run, { ...user, username: wanted });
    return true;
  }
  await run.store.mapPerson(user.key, found);
  run.people.set(user.key, found);
  run.report.users.mapped++;
  return true;
}

async function addPerson(run: SiteRun, user: ForeignUser): Promise<Person> {
  const { key, id, username, passwordHash = '', gender = 'x', created } = user;
  const bio = fitText(user.bio ?? '', BOUNDS.bio[1]);
  const fields = { key, id, username, passwordHash, gender, bio: bio.text, created };
  const person = await run.store.addPerson(fields);
  run.people.set(key, person);
  run.report.users.created++;
  reportPerson(run, user, person);
  if (bio.isCut) note(run, `用户 ${username}`, `个人简介超过 ${BOUNDS.bio[1]} 个字符，已截短`);
  await importAvatar(run, user, person);
  return person;
}

function reportPerson(
  run: SiteRun,
  { id, username, email, passwordHash, isGuest }: ForeignUser,
  person: Person,
) {
  if (person.username !== username) {
    const isFit = foldName(person.username).startsWith(`${foldName(username)}-`);
    const reason = isFit ? '已有同名、相似或保留的用户名' : '用户名不合本站的规则';
    note(run, `用户 ${username}`, `${reason}，改名为 ${person.username}`);
  }
  if (id !== undefined && person.id !== id) note(run, `用户 ${username}`, '编号已被占用，换了新的编号');
  if (isGuest) return;
  if (email !== undefined && email !== '')
    tally(run, '邮箱', '没有导入：本站只存本人验证过的邮箱，登录后可在账号设置里填写');
  if (passwordHash === undefined)
    tally(run, '没有密码的账号', '登录前要由站长用 moye user passwd 设一个密码');
}

async function importAvatar(run: SiteRun, { username, avatar = '' }: ForeignUser, person: Person) {
  if (avatar === '') return;
  const bytes = await run.site.picture(avatar);
  if (!bytes) return note(run, `用户 ${username}`, `找不到头像：${avatar}`);
  try {
    await run.store.storeAvatar(person, bytes);
    run.report.pictures++;
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500) throw error;
    note(run, `用户 ${username}`, `头像没有导入：${avatar}（${explain(error)}）`);
  }
}
