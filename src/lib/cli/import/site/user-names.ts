import { BOUNDS, countCharacters } from '../../../contract/bounds.ts';

const [SHORTEST, LONGEST] = BOUNDS.username;

/**
 * Names of one site's authors: what readers saw, where it is of a username's form and nobody else's; else
 * what they signed in with. Storage has the last word, and makes fit what is not.
 */
export function userNames(): (shown: string, login: string) => string {
  const taken = new Set<string>();
  return (shown, login) => {
    const length = countCharacters(shown);
    const isName = /^[\p{L}\p{M}\p{N}_-]+$/u.test(shown) && length >= SHORTEST && length <= LONGEST;
    const name = isName && !taken.has(shown.toLowerCase()) ? shown : login;
    taken.add(name.toLowerCase());
    return name;
  };
}
