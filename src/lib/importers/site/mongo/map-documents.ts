import { ObjectId, type Document } from 'bson';
import type { ForeignArticle, ForeignComment, ForeignTag, ForeignUser } from '../foreign-site.ts';
import { idIn, nameIn, switchIn, textIn, textsIn, timeIn } from './fields.ts';

/** Returns the key of a user by name, even if the user no longer exists. */
type KeyOf = (name: string) => string;

const SHA1 = /^[0-9a-f]{40}$/i;
const GENDERS = ['m', 'f', 'x'] as const;
const ARTICLE_PATH = '/detail/';

function createdIn(document: Document, field: string): number | undefined {
  const id: unknown = document['_id'];
  return timeIn(document[field]) ?? (id instanceof ObjectId ? id.getTimestamp().getTime() : undefined);
}

const given = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [name]: value } as Record<K, V>);

export function toUser(document: Document, keyOf: KeyOf): ForeignUser {
  const username = nameIn(document['username']);
  const [id, password] = [idIn(document['_id']), textIn(document['password']).trim()];
  const gender = GENDERS.find((each) => each === document['gender']);
  return {
    key: id || keyOf(username),
    username,
    ...given('id', id || undefined),
    // Unsalted, in hex; replaced at the first sign-in.
    ...given('passwordHash', SHA1.test(password) ? `sha1$${password.toLowerCase()}` : undefined),
    ...given('gender', gender),
    bio: textIn(document['bio']),
    avatar: textIn(document['avatar']).trim(),
    ...given('created', createdIn(document, 'created_at')),
  };
}

export function toTag(document: Document, keyOf: KeyOf): ForeignTag {
  const creator = nameIn(document['create_user']);
  return {
    name: textIn(document['name']),
    description: textIn(document['description']),
    ...given('id', idIn(document['_id']) || undefined),
    ...given('creator', creator === '' ? undefined : keyOf(creator)),
    ...given('created', createdIn(document, 'create_time')),
    ...given('updated', timeIn(document['update_time'])),
  };
}

export function toArticle(document: Document, keyOf: KeyOf): ForeignArticle {
  const id = idIn(document['_id']);
  return {
    key: id || textIn(document['_id']),
    ...given('id', id || undefined),
    author: keyOf(nameIn(document['create_user'])),
    title: textIn(document['title']),
    content: textIn(document['content']),
    tags: textsIn(document['tags']),
    status: document['status'] === 'draft' ? 'draft' : 'normal',
    isSecret: switchIn(document['secret']),
    ...given('type', textIn(document['type']) || undefined),
    ...given('created', createdIn(document, 'create_time')),
    ...given('updated', timeIn(document['update_time'])),
    formerPaths: id === '' ? [] : [ARTICLE_PATH + id],
    warnings: [],
  };
}

export function toComment(document: Document, keyOf: KeyOf): ForeignComment {
  const id = idIn(document['_id']);
  const replied = nameIn(document['reply_user']);
  return {
    key: id || textIn(document['_id']),
    ...given('id', id || undefined),
    article: idIn(document['page_id']) || textIn(document['page_id']),
    author: keyOf(nameIn(document['create_user'])),
    content: textIn(document['content']),
    created: createdIn(document, 'create_time') ?? 0,
    ...given(
      'quoted',
      replied === '' ? undefined : { author: keyOf(replied), content: textIn(document['reply_content']) },
    ),
    isRead: switchIn(document['is_read']),
  };
}
