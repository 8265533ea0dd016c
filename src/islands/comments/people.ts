import { createContext } from 'react';
import type { Comment } from '../../lib/contract/entities.ts';
import { foldName, isSameName } from '../../lib/contract/rules/names.ts';

/** A participant of a thread. */
export interface Person {
  username: string;
  /** '' for none. */
  displayName: string;
}

/** Participants of the thread, whom a comment can mention. */
export const People = createContext<readonly Person[]>([]);

/**
 * Returns the known participants of a thread other than `self`: the article's author and the authors of
 * `comments`, in that order.
 */
export function peopleOf(
  author: string,
  comments: readonly Pick<Comment, 'create_user' | 'author_name'>[],
  self: string | null,
): Person[] {
  const people = new Map([[author, '']]);
  for (const { create_user, author_name = '' } of comments)
    if (!people.get(create_user)) people.set(create_user, author_name);
  return Array.from(people, ([username, displayName]) => ({ username, displayName })).filter(
    ({ username }) => self === null || !isSameName(username, self),
  );
}

const MAX_SUGGESTIONS = 6;
const ASKED = /(?:^|[^\w.+/@-])@([\p{L}\p{M}\p{N}_-]{0,20})$/u;

/** Incomplete mention: the text typed so far, and the position of its `@`. */
export interface TypedMention {
  typed: string;
  at: number;
}

/** Returns the mention being typed before the caret, or null. */
export function mentionBefore(text: string, caret: number): TypedMention | null {
  const match = ASKED.exec(text.slice(0, caret));
  const typed = match?.[1] ?? '';
  return match && { typed, at: caret - typed.length - 1 };
}

/**
 * Returns the people whose username or display name matches a mention, prefix matches first; empty once the
 * username is complete.
 */
export function offer(people: readonly Person[], { typed }: TypedMention): Person[] {
  const wanted = foldName(typed);
  const rank = ({ username, displayName }: Person) => {
    const places = [username, displayName].map((name) => foldName(name).indexOf(wanted));
    return Math.min(...places.map((place) => (place < 0 ? Infinity : place)));
  };
  const found = people.filter((person) => rank(person) < Infinity);
  if (found.length === 1 && foldName(found[0]?.username ?? '') === wanted) return [];
  return found
    .toSorted((one, other) => Math.sign(rank(one)) - Math.sign(rank(other)))
    .slice(0, MAX_SUGGESTIONS);
}

/** Inserts `name` in place of the mention. Returns the new text and caret. */
export function putName(text: string, caret: number, { at }: TypedMention, name: string) {
  const rest = text.slice(caret);
  const put = `${text.slice(0, at)}@${name} `;
  return { text: put + rest.replace(/^ /, ''), caret: put.length };
}
