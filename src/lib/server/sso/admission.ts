import { emailField } from '../../contract/fields.ts';
import { ROLES, type Role } from '../../contract/rules/permissions.ts';
import type { ProviderSettings } from '../config/sso-settings.ts';
import type { Person } from './provider.ts';

/**
 * Returns the English reason, without personal data, for which the operator's lists of domains and groups do
 * not admit a person; null if they do. Empty lists admit everyone.
 */
export function findObstacle(from: ProviderSettings, { email, emailFault, groups }: Person): string | null {
  const domain = email?.toLowerCase().split('@').at(-1) ?? '';
  if (from.domains.length > 0 && !from.domains.includes(domain))
    return email === null
      ? (emailFault ?? 'the provider names no verified mail address')
      : 'the domain of the mail address is not among the domains of the setting';
  const wanted = 'groups' in from ? from.groups : [];
  const isInGroup = wanted.length === 0 || wanted.some((group) => groups.includes(group));
  return isInGroup ? null : 'none of the groups is among those of the setting';
}

/** The highest role of a person's groups, author for none; null if the provider does not set roles. */
export function roleOf(from: ProviderSettings, { groups }: Person): Role | null {
  const byGroup = Object.entries('roles' in from ? from.roles : {});
  if (byGroup.length === 0) return null;
  const held = byGroup.filter(([group]) => groups.includes(group)).map(([, role]) => ROLES.indexOf(role));
  return ROLES[Math.max(0, ...held)] ?? 'author';
}

/** A person's verified address, if the operator trusts the provider to verify addresses. */
export function mailOf(from: ProviderSettings, { email }: Person): string | null {
  if (email === null || !from.trust.includes('email')) return null;
  const parsed = emailField.safeParse(email);
  return parsed.success ? parsed.data : null;
}
