import { usernameField } from '../../../contract/fields.ts';

/**
 * Names of one site's authors: what readers saw, where that can be a username here and is nobody else's; else
 * what they signed in with.
 */
export function userNames(): (shown: string, login: string) => string {
  const taken = new Set<string>();
  return (shown, login) => {
    const name = usernameField.safeParse(shown).success && !taken.has(shown.toLowerCase()) ? shown : login;
    taken.add(name.toLowerCase());
    return name;
  };
}
