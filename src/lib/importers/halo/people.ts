import type { ForeignUser } from '../site/foreign-site.ts';
import type { Extensions } from './extensions.ts';
import { userKey } from './posts.ts';
import { commentShape, postShape, replyShape, userShape, type HaloOwner } from './shapes.ts';

/** Key of a comment's author: an account, an email address, or else a name. */
export const ownerKey = ({ kind, name, displayName }: HaloOwner): string => {
  if (kind === 'User') return userKey(name);
  const address = name.trim().toLowerCase();
  return address === '' ? `name:${displayName.trim()}` : `mail:${address}`;
};

export function* peopleOf(extensions: Extensions): Generator<ForeignUser> {
  const given = new Set<string>();
  const authors = authorsOf(extensions);
  for (const { metadata, spec } of extensions.list('users', userShape)) {
    const key = userKey(metadata.name);
    given.add(key);
    // Halo's built-in accounts, for visitors and deleted users.
    const isBuiltIn = metadata.labels['halo.run/hidden-user'] === 'true';
    yield {
      key,
      username: spec.displayName.trim() || metadata.name,
      email: spec.email || undefined,
      bio: spec.bio || undefined,
      avatar: spec.avatar || undefined,
      created: spec.registeredAt ?? metadata.creationTimestamp,
      isGuest: (isBuiltIn && !authors.has(metadata.name)) || undefined,
    };
  }
  for (const name of authors) {
    if (given.has(userKey(name))) continue;
    given.add(userKey(name));
    yield { key: userKey(name), username: name || '用户' };
  }
  for (const owner of ownersOf(extensions)) {
    const key = ownerKey(owner);
    if (given.has(key)) continue;
    given.add(key);
    yield { key, username: owner.displayName.trim() || owner.name, isGuest: true };
  }
}

function authorsOf(extensions: Extensions): Set<string> {
  const names = new Set<string>();
  for (const kind of ['posts', 'singlepages'] as const)
    for (const { spec } of extensions.list(kind, postShape)) names.add(spec.owner);
  return names;
}

function* ownersOf(extensions: Extensions): Generator<HaloOwner> {
  for (const { spec } of extensions.list('comments', commentShape)) yield spec.owner;
  for (const { spec } of extensions.list('replies', replyShape)) yield spec.owner;
}
