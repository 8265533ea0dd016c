/** What an account may be, from the least to the most: 作者, 站务, 站长. */
export const ROLES = ['author', 'editor', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** What readers of Chinese call a role. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  author: '作者',
  editor: '站务',
  operator: '站长',
};

/** What only staff may do, with the lowest role that may. Calls, pages and the console ask this table. */
export const PERMISSIONS = {
  /** Sees the console, and what it counts. */
  'console.open': 'editor',
  'articles.moderate': 'editor',
  'comments.moderate': 'editor',
  'reports.decide': 'editor',
  /** Removes public fields of authors; those of staff only the operator removes. */
  'profiles.moderate': 'editor',
  'tags.manage': 'editor',
  'words.manage': 'editor',
  'users.read': 'editor',
  /** Of authors; staff can be banned by the operator alone. */
  'users.ban': 'editor',
  'users.role': 'operator',
  'audit.read': 'operator',
  'invitations.manage': 'operator',
  'notices.manage': 'operator',
  'options.read': 'operator',
  'options.change': 'operator',
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether somebody with `role` may do what `permission` names; null stands for a visitor, who never may. */
export const may = (role: Role | null | undefined, permission: Permission): boolean =>
  ROLES.indexOf(role ?? 'author') >= ROLES.indexOf(PERMISSIONS[permission]);

/** Whether a role is above an author's. */
export const isStaff = (role: Role | null | undefined): boolean => (role ?? 'author') !== 'author';
