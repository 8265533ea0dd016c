import { createContext } from 'react';
import type { Comment } from '../../lib/contract/entities.ts';
import { foldName, isSameName } from '../../lib/contract/names.ts';

/** Names of those who take part in a thread, whom a comment can mention. */
export const People = createContext<readonly string[]>([]);

/**
 * Who takes part in a thread besides `self`, as far as is known here: the article's author and who has
 * commented, in the order of `comments`.
 */
export function peopleOf(
  author: string,
  comments: readonly Pick<Comment, 'create_user'>[],
  self: string | null,
): string[] {
  const names = new Set([author, ...comments.map(({ create_user }) => create_user)]);
  return [...names].filter((name) => self === null || !isSameName(name, self));
}

const MOST_OFFERED = 6;
/** What is typed of a name, at the end of a text. */
const ASKED = /(?:^|[^\w.+/@-])@([\p{L}\p{M}\p{N}_-]{0,20})$/u;

/** A name being typed: what of it stands there, and where its `@` is. */
export interface Asked {
  typed: string;
  at: number;
}

/** The name being typed before the caret, or null. */
export function askedBefore(text: string, caret: number): Asked | null {
  const match = ASKED.exec(text.slice(0, caret));
  const typed = match?.[1] ?? '';
  return match && { typed, at: caret - typed.length - 1 };
}

/** Of `people`, who could be meant: names that begin so before those that hold it; none once it is whole. */
export function offer(people: readonly string[], { typed }: Asked): string[] {
  const wanted = foldName(typed);
  const rank = (name: string) => foldName(name).indexOf(wanted);
  const found = people.filter((name) => rank(name) >= 0);
  if (found.length === 1 && foldName(found[0] ?? '') === wanted) return [];
  return found.toSorted((one, other) => Math.sign(rank(one)) - Math.sign(rank(other))).slice(0, MOST_OFFERED);
}

/** The text with `name` in place of what was typed of it, and where the caret then is. */
export function putName(text: string, caret: number, { at }: Asked, name: string) {
  const rest = text.slice(caret);
  const put = `${text.slice(0, at)}@${name} `;
  return { text: put + rest.replace(/^ /, ''), caret: put.length };
}
