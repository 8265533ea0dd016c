export const PROVIDER_KINDS = {
  oidc: 'OpenID Connect（公司账号、Keycloak、Authentik 等）',
  github: 'GitHub',
  gitee: 'Gitee',
  wecom: '企业微信',
  feishu: '飞书',
} as const;
export type ProviderKind = keyof typeof PROVIDER_KINDS;

/** Statements of a provider that the site may rely on. */
export const PROVIDER_TRUST = {
  email: '相信它确认过的邮箱：有这个邮箱的账号可以用它登录',
  mfa: '相信它的两步验证：在那里验证过，就不再问验证码',
} as const;

/** An identity provider as the console edits it; it may have other fields (integrations.md). */
export interface ProviderEntry {
  id: string;
  kind: ProviderKind;
  label: string;
  client_id: string;
  /** '' for the stored one. */
  client_secret: string;
  trust: readonly string[];
  [field: string]: unknown;
}

interface ProviderField {
  title: string;
  hint?: string;
  /** Kinds that have the field; omitted for all. */
  kinds?: readonly ProviderKind[];
  isList?: boolean;
}

/** Texts of a provider in the console. */
export const PROVIDER_FIELDS: Readonly<Record<string, ProviderField>> = {
  label: { title: '按钮上的字', hint: '最多 20 个字，如「公司账号」。' },
  id: { title: '编号', hint: '小写字母、数字和连字符，是回调地址的一部分，用起来以后别再改。' },
  issuer: { title: 'Issuer 的地址', hint: '以 https:// 开头，不带 /.well-known/…', kinds: ['oidc'] },
  agent_id: { title: '应用的 AgentId', kinds: ['wecom'] },
  client_id: { title: '应用编号（Client ID）', hint: '企业微信是企业 ID，飞书是 App ID。' },
  client_secret: { title: '应用的密钥（Client Secret）' },
  domains: {
    title: '只让这些邮箱域名登录',
    hint: '用逗号隔开，如 corp.example；不填就不限。',
    isList: true,
  },
  groups: {
    title: '只让这些群组登录',
    hint: '用逗号隔开；不填就不限。',
    kinds: ['oidc', 'wecom'],
    isList: true,
  },
};

/** Returns the providers of a text of SSO_JSON. */
export const providersIn = (json: string): ProviderEntry[] =>
  json === '' ? [] : (JSON.parse(json) as { providers: ProviderEntry[] }).providers;
