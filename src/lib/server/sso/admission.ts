import { emailField } from '../../contract/fields.ts';
import { ROLES, type Role } from '../../contract/rules/permissions.ts';
import type { ProviderSettings } from '../config/sso-settings.ts';
import type { Person } from './provider.ts';

/** Whether the operator's lists of domains and groups admit a person; empty lists admit everyone. */
export function isAdmitted(from: ProviderSettings, { email, groups }: Person): boolean {
  const domain = email?.toLowerCase().split('@').at(-1) ?? '';
  const isInDomain = from.domains.length === 0 || from.domains.includes(domain);
  const wanted = 'groups' in from ? from.groups : [];
  return isInDomain && (wanted.length === 0 || wanted.some((group) => groups.includes(group)));
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
