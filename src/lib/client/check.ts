import type { safetyCalls } from '../contract/calls/account-calls.ts';
import type { Call } from '../contract/calls/call.ts';
import type { CallName } from '../contract/calls/calls.ts';

/** Error message by field name; empty if all fields are valid. */
export type FieldErrors = Record<string, string>;

type Input = Pick<Call, 'input'>;

const account = async () => (await import('../contract/calls/account-calls.ts')).safetyCalls;
const profile = async () => (await import('../contract/calls/profile-calls.ts')).profileCalls;
const signIn = async () => (await import('../contract/calls/signup-calls.ts')).signInCalls;

/**
 * Calls with a form, by subject, because a browser loads only the subject of its form. The forms of account
 * security are not listed.
 */
const forms = {
  backupDownload: async () => (await import('../contract/calls/setting-calls.ts')).settingCalls,
  articleCreate: async () => (await import('../contract/calls/article-calls.ts')).articleCalls,
  friendApply: async () => (await import('../contract/calls/friend-calls.ts')).friendCalls,
  operatorSetup: async () => (await import('../contract/calls/site-calls.ts')).siteCalls,
  passwordForgot: signIn,
  passwordReset: signIn,
  profileChange: profile,
  signin: signIn,
  signinFinish: signIn,
  signup: signIn,
  siteIdentityChange: async () => (await import('../contract/calls/site-calls.ts')).identityCalls,
  tagCreate: async () => (await import('../contract/calls/tag-calls.ts')).tagCalls,
  updateBio: profile,
  usernameChange: profile,
  userRole: async () => (await import('../contract/calls/staff-calls.ts')).userCalls,
} satisfies { [N in CallName]?: () => Promise<{ readonly [K in N]: Input }> };

export type FormCall = keyof typeof forms | keyof typeof safetyCalls;

/** Validates the fields of the call `name` with the server's schema, which is loaded on first use. */
export async function checkFields(name: FormCall, fields: Record<string, unknown>): Promise<FieldErrors> {
  const subject: Partial<Record<FormCall, Input>> = await (
    name in forms ? forms[name as keyof typeof forms] : account
  )();
  const call = subject[name];
  if (!call) throw new Error(`The subject of ${name} lacks it`);
  const errors: FieldErrors = {};
  for (const issue of call.input.safeParse(fields).error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= issue.message;
  }
  return errors;
}
