import { createContext } from 'react';
import type { Comment } from '../../lib/contract/entities.ts';
import { foldName, isSameName } from '../../lib/contract/rules/names.ts';

/** Names of the thread's participants, whom a comment can mention. */
export const People = createContext<readonly string[]>([]);

/**
 * Returns the known participants of a thread other than `self`: the article's author and the authors of
 * `comments`, in that order.
 */
export function peopleOf(
  author: string,
  comments: readonly Pick<Comment, 'create_user'>[],
  self: string | null,
): string[] {
  const names = new Set([author, ...comments.map(({ create_user }) => create_user)]);
  return [...names].filter((name) => self === null || !isSameName(name, self));
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

/** Returns the people who match a mention, prefix matches first; empty once the name is complete. */
export function offer(people: readonly string[], { typed }: TypedMention): string[] {
  const wanted = foldName(typed);
  const rank = (name: string) => foldName(name).indexOf(wanted);
  const found = people.filter((name) => rank(name) >= 0);
  if (found.length === 1 && foldName(found[0] ?? '') === wanted) return [];
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
