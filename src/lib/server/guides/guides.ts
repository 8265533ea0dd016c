import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { App } from '../services.ts';

/** Articles of a new site: `*.md` in this folder, the first line `# title`, the second `标签: a, b`. */
const FOLDER = new URL('./', import.meta.url);
export const GUIDE_ACCOUNT = {
  username: '墨页',
  gender: 'x' as const,
  bio: '这里是墨页的使用指南。读完之后，写下你的第一篇文章吧。',
};

/** Publishes the guide articles on an empty database, as the user 墨页, who has a random password. */
export async function publishGuides({ services, log }: App): Promise<void> {
  const { userNum } = await services.users.statistics();
  if (userNum > 0) return;
  const account = { ...GUIDE_ACCOUNT, password: randomBytes(32).toString('base64url') };
  const id = await services.auth.addUser(account).catch(async (error: unknown) => {
    // Of several processes starting at once, the first to create the account publishes.
    if (await services.users.find(GUIDE_ACCOUNT.username)) return null;
    throw error;
  });
  if (id === null) return;
  const guides = await readGuides();
  // The first guide is published last, so it is at the top of the list.
  for (const guide of guides.toReversed())
    await services.articles.create(
      { ...guide, status: 'normal', secret: false, type: '' },
      { id, username: GUIDE_ACCOUNT.username, signinId: '', isUnlimited: true, origin: 'site' },
    );
  log.info({ articles: guides.length }, 'guide articles published');
}

/** Returns the guide articles, the first to read first. */
export async function readGuides() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(names.map(async (name) => parse(await readFile(new URL(name, FOLDER), 'utf8'))));
}

function parse(text: string) {
  const [head = '', tagLine = '', ...body] = text.split('\n');
  const tags = tagLine
    .replace(/^标签:/, '')
    .split(',')
    .map((tag) => tag.trim());
  return { title: head.replace(/^# /, ''), tags, content: body.join('\n').trim() };
}
