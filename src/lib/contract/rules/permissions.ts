/** Roles in ascending order: 作者, 站务, 站长. */
export const ROLES = ['author', 'editor', 'operator'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  author: '作者',
  editor: '站务',
  operator: '站长',
};

/** Permissions of staff with the lowest role that has them. Calls, pages and the console use this table. */
const PERMISSIONS = {
  'console.open': 'editor',
  'articles.moderate': 'editor',
  'comments.moderate': 'editor',
  'reports.decide': 'editor',
  /** Removes public fields of authors; only the operator removes those of staff. */
  'profiles.moderate': 'editor',
  'tags.manage': 'editor',
  /** Friends of the site, and applications of visitors. */
  'friends.manage': 'editor',
  'words.manage': 'editor',
  'users.read': 'editor',
  /** Bans authors; only the operator bans staff. */
  'users.ban': 'editor',
  'users.role': 'operator',
  /** Pins articles to the front page. */
  'picks.manage': 'operator',
  /** Pages of the site, also those of other staff. */
  'pages.manage': 'operator',
  'audit.read': 'operator',
  'invitations.manage': 'operator',
  'notices.manage': 'operator',
  /** Reads which address and account posted what. */
  'origins.read': 'operator',
  'options.read': 'operator',
  'options.change': 'operator',
  /** Settings with secrets, such as mail and backups; each change needs the password. */
  'settings.change': 'operator',
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether `role` has `permission`; null is a visitor, who has none. */
export const may = (role: Role | null | undefined, permission: Permission): boolean =>
  ROLES.indexOf(role ?? 'author') >= ROLES.indexOf(PERMISSIONS[permission]);

export const isStaff = (role: Role | null | undefined): boolean => (role ?? 'author') !== 'author';
