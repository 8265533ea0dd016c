import { BOUNDS, countCharacters } from '../../contract/rules/bounds.ts';

const [MIN_NAME_CHARACTERS, MAX_NAME_CHARACTERS] = BOUNDS.username;

/**
 * Chooses usernames of one site's users: the displayed name if it is valid and still free, otherwise the
 * login name. Storage checks names again, and adjusts invalid ones.
 */
export function userNames(): (shown: string, login: string) => string {
  const taken = new Set<string>();
  return (shown, login) => {
    const length = countCharacters(shown);
    const isName =
      /^[\p{L}\p{M}\p{N}_-]+$/u.test(shown) && length >= MIN_NAME_CHARACTERS && length <= MAX_NAME_CHARACTERS;
    const name = isName && !taken.has(shown.toLowerCase()) ? shown : login;
    taken.add(name.toLowerCase());
    return name;
  };
}
