import { ObjectId, type Document } from 'bson';
import type { ForeignArticle, ForeignComment, ForeignTag, ForeignUser } from '../site/foreign-site.ts';
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

export function toUser(document: Document, keyOf: KeyOf): ForeignUser {
  const username = nameIn(document['username']);
  const [id, password] = [idIn(document['_id']), textIn(document['password']).trim()];
  return {
    key: id || keyOf(username),
    username,
    id: id || undefined,
    // Unsalted, in hex; replaced at the first sign-in.
    passwordHash: SHA1.test(password) ? `sha1$${password.toLowerCase()}` : undefined,
    gender: GENDERS.find((each) => each === document['gender']),
    bio: textIn(document['bio']),
    avatar: textIn(document['avatar']).trim(),
    created: createdIn(document, 'created_at'),
  };
}

export function toTag(document: Document, keyOf: KeyOf): ForeignTag {
  const creator = nameIn(document['create_user']);
  return {
    name: textIn(document['name']),
    description: textIn(document['description']),
    id: idIn(document['_id']) || undefined,
    creator: creator === '' ? undefined : keyOf(creator),
    created: createdIn(document, 'create_time'),
    updated: timeIn(document['update_time']),
  };
}

export function toArticle(document: Document, keyOf: KeyOf): ForeignArticle {
  const id = idIn(document['_id']);
  return {
    key: id || textIn(document['_id']),
    id: id || undefined,
    author: keyOf(nameIn(document['create_user'])),
    title: textIn(document['title']),
    content: textIn(document['content']),
    tags: textsIn(document['tags']),
    status: document['status'] === 'draft' ? 'draft' : 'normal',
    isSecret: switchIn(document['secret']),
    type: textIn(document['type']) || undefined,
    created: createdIn(document, 'create_time'),
    updated: timeIn(document['update_time']),
    formerPaths: id === '' ? [] : [ARTICLE_PATH + id],
    warnings: [],
  };
}

export function toComment(document: Document, keyOf: KeyOf): ForeignComment {
  const id = idIn(document['_id']);
  const replied = nameIn(document['reply_user']);
  return {
    key: id || textIn(document['_id']),
    id: id || undefined,
    article: idIn(document['page_id']) || textIn(document['page_id']),
    author: keyOf(nameIn(document['create_user'])),
    content: textIn(document['content']),
    created: createdIn(document, 'create_time') ?? 0,
    quoted:
      replied === '' ? undefined : { author: keyOf(replied), content: textIn(document['reply_content']) },
    isRead: switchIn(document['is_read']),
  };
}
