interface Names {
  username: string;
  /** '' or null for none. */
  display_name: string | null;
}

/** Display name with the username, because display names are not unique. */
export const fullName = ({ username, display_name }: Names): string =>
  display_name === null || display_name === '' ? username : `${display_name}（@${username}）`;

/** Full name of an author of a search, by the `author_names` of its answer. */
export const fullNameOf = (username: string, names: readonly Names[] | undefined): string =>
  fullName(names?.find((each) => each.username === username) ?? { username, display_name: '' });
