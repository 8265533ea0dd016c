import { expect, test } from 'vitest';
import type { Call } from '../../../src/lib/contract/calls/call.ts';
import { calls, type CallName } from '../../../src/lib/contract/calls/calls.ts';
import { may, type Permission } from '../../../src/lib/contract/rules/permissions.ts';
import { SCOPE_NAMES, scopeOf, SCOPES, scopesFor } from '../../../src/lib/contract/rules/scopes.ts';
import { readText } from '../project/source-files.ts';

const all = Object.entries(calls) as [CallName, Call][];

/** A new call that requires a sign-in must join a scope, or this list. */
test('calls that require a sign-in and are closed to access tokens', () => {
  const closed = all.filter(([name, { auth }]) => auth === 'required' && scopeOf(name) === null);
  expect(closed.map(([name]) => name)).toEqual([
    'safety',
    'passwordChange',
    'usernameChange',
    'deviceList',
    'deviceEnd',
    'deviceEndOthers',
    'totpBegin',
    'totpConfirm',
    'totpRemove',
    'recoveryRenew',
    'exportBegin',
    'accountClose',
    'passkeyBegin',
    'passkeyAdd',
    'passkeyRename',
    'passkeyRemove',
    'accessTokenList',
    'accessTokenCreate',
    'accessTokenRevoke',
    'identityLink',
    'identityUnlink',
    'emailSet',
    'emailRemove',
    'updateBio',
    'profileChange',
    'updateGender',
    'uploadAvatar',
    'operatorClaim',
    'userRole',
    'reportCreate',
    'postOrigins',
    'siteOptionsChange',
    'noticeSettings',
    'noticeSettingsChange',
    'ownWebhookList',
    'ownWebhookSave',
    'ownWebhookDelete',
    'ownWebhookTest',
    'ownWebhookLog',
    'ownWebhookRetry',
    'webhookSave',
    'webhookDelete',
    'webhookTest',
    'webhookLog',
    'mailTest',
    'deliveryRetry',
    'deliveryDiscard',
    'invitationList',
    'invitationAdd',
    'invitationEnd',
    'siteIdentityChange',
    'siteLogo',
    'siteLogoRemove',
  ]);
});

test('each call has at most one scope, and scopes that only read have no call that writes', () => {
  const scoped = SCOPE_NAMES.flatMap((scope) => SCOPES[scope].calls.map((name) => [scope, name] as const));
  expect(new Set(scoped.map(([, name]) => name)).size).toBe(scoped.length);
  const writing = scoped.filter(([scope, name]) => scope.endsWith(':read') && calls[name].kind === 'write');
  expect(writing).toEqual([]);
});

test('calls of staff are exactly in the scopes that only staff may choose', () => {
  const ofStaff = SCOPE_NAMES.filter((scope) => !scopesFor('author').includes(scope));
  expect(ofStaff).toEqual(['moderation', 'site:read']);
  expect(scopesFor('editor')).toEqual(SCOPE_NAMES);
  for (const scope of SCOPE_NAMES)
    for (const name of SCOPES[scope].calls) {
      const { permission }: { permission?: Permission } = calls[name] as Call;
      expect([name, permission !== undefined && !may('author', permission)]).toEqual([
        name,
        ofStaff.includes(scope),
      ]);
    }
});

test.each(['docs/CONTRACT.md', 'docs/integrations.md', 'docs/integrations.zh-CN.md'])(
  '%s lists all scopes',
  (document) => {
    const text = readText(document);
    expect(SCOPE_NAMES.filter((scope) => !text.includes(`\`${scope}\``))).toEqual([]);
  },
);
