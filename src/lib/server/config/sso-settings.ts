import { z } from 'zod';
import { refuse } from '../../contract/rules/errors.ts';
import { PROVIDER_FIELDS, providersIn } from '../../contract/rules/sign-in-providers.ts';
import { ROLES } from '../../contract/rules/permissions.ts';
import { ConfigError } from './config-fields.ts';
import { readJsonSettings } from './json-settings.ts';

/** Origins on this machine, the only ones that may do without https. */
const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

const text = (most: number) => z.string().trim().min(1).max(most);
const lower = z.string().trim().toLowerCase().min(1).max(253);

const common = {
  /** Part of its addresses: /api/oauth/{id} and /api/oauth/{id}/callback. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be letters a–z, digits and hyphens' }),
  client_id: text(500),
  client_secret: text(2000),
  /** Domains of verified mail addresses that may sign in; empty for all. */
  domains: z.array(lower).default([]),
  /** Statements of the provider that are relied on: its verified addresses, its second factor. */
  trust: z.array(z.enum(['email', 'mfa'])).default([]),
};

const grouped = {
  /** Groups that may sign in; empty for all. */
  groups: z.array(text(200)).default([]),
  /** Roles by group. With any, each sign-in sets the account's role. */
  roles: z.record(text(200), z.enum(ROLES)).default({}),
};

const Provider = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('oidc'),
    ...common,
    ...grouped,
    label: text(20),
    issuer: z
      .string()
      .refine((value) => URL.canParse(value) && (/^https:\/\//i.test(value) || LOOPBACK.test(value)), {
        error: 'must be an address that begins with https://',
      })
      // With the address of the document, the library would not compare the issuer in it.
      .refine((value) => !value.includes('/.well-known/'), {
        error: 'must be the issuer, without /.well-known/…',
      }),
    scopes: text(500).default('openid profile email'),
    /** Whether an address counts as verified when the provider does not say so (claim email_verified). */
    trustsEmail: z.boolean().default(false),
    groups_claim: text(100).default('groups'),
    /** How the secret is sent to the token endpoint, as the client is registered. */
    client_auth: z.enum(['basic', 'post']).default('basic'),
  }),
  z.strictObject({ kind: z.literal('github'), ...common, label: text(20).default('GitHub') }),
  z.strictObject({ kind: z.literal('gitee'), ...common, label: text(20).default('Gitee') }),
  z.strictObject({
    kind: z.literal('wecom'),
    ...common,
    ...grouped,
    label: text(20).default('企业微信'),
    agent_id: text(40),
  }),
  z.strictObject({ kind: z.literal('feishu'), ...common, label: text(20).default('飞书') }),
]);
export type ProviderSettings = z.infer<typeof Provider>;

const SsoFile = z.strictObject({
  providers: z
    .array(Provider)
    .max(10)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, {
      error: 'must have different ids',
    }),
});

export const ssoFields = {
  SSO_JSON: z.string().optional(),
  SSO_ONLY: z.enum(['on', 'off'], 'SSO_ONLY must be on or off').default('off'),
};

type SsoEnvironment = Pick<z.infer<z.ZodObject<typeof ssoFields>>, 'SSO_JSON'>;
export type SsoSettings = ReturnType<typeof ssoOf>;

/** Reads SSO_JSON, or else `sso.json` in `dataDir`; `source` names it. @throws ConfigError */
export const readSso = (dataDir: string | null, { SSO_JSON: text }: SsoEnvironment) =>
  readJsonSettings(SsoFile, { dataDir, file: 'sso.json', variable: 'SSO_JSON', text });

/**
 * Returns the identity providers as `readSso` reads them. `isOnly`: passwords and passkeys are refused.
 * @throws ConfigError
 */
export function ssoOf(dataDir: string | null, env: z.infer<z.ZodObject<typeof ssoFields>>) {
  const isOnly = env.SSO_ONLY === 'on';
  const { providers = [] } = readSso(dataDir, env).value;
  if (isOnly && providers.length === 0)
    throw new ConfigError('SSO_ONLY needs a provider in sso.json or SSO_JSON');
  return { providers, isOnly };
}

/** Returns SSO_JSON without the secrets. */
export const withoutSecrets = (json: string): string =>
  JSON.stringify({ providers: providersIn(json).map((each) => ({ ...each, client_secret: '' })) });

/**
 * Returns SSO_JSON with the stored secrets for those that were not typed, which are sent only to the provider
 * that they were entered for. Refuses with FIELD_INVALID.
 */
export function withSecrets(before: string, typed: string): string {
  const field = 'SSO_JSON';
  const stored = providersIn(before);
  const given = z.object({ providers: z.array(z.looseObject({ label: z.string() })) });
  const { data } = given.safeParse(parsedJson(typed));
  if (!data) return refuse('FIELD_INVALID', { field, text: '登录方式不是 JSON' });
  const providers = data.providers.map((each) => {
    if (each['client_secret']) return each;
    const own = stored.find(({ id }) => id === each['id']);
    const isSame = ['kind', 'issuer', 'client_id'].every((name) => own?.[name] === each[name]);
    if (own && isSame) return { ...each, client_secret: own.client_secret };
    const text = own ? '换了地址或应用编号，请重新填写' : '请填写';
    return refuse('FIELD_INVALID', { field, text: `「${each.label}」：${text}应用的密钥` });
  });
  const parsed = SsoFile.safeParse({ providers });
  if (parsed.success) return JSON.stringify(parsed.data);
  const [, index, name] = parsed.error.issues[0]?.path ?? [];
  const text =
    typeof index !== 'number'
      ? '登录方式最多 10 个，编号不能重复'
      : `「${data.providers[index]?.label}」的${PROVIDER_FIELDS[String(name)]?.title ?? '设置'}不正确`;
  return refuse('FIELD_INVALID', { field, text });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
