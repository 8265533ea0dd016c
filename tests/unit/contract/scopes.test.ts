import { expect, test } from 'vitest';
import type { Call } from '../../../src/lib/contract/calls/call.ts';
import { calls, type CallName } from '../../../src/lib/contract/calls/calls.ts';
import { may } from '../../../src/lib/contract/rules/permissions.ts';
import { SCOPE_NAMES, scopesFor } from '../../../src/lib/contract/rules/scopes.ts';
import { readText } from '../project/source-files.ts';

const all = Object.entries(calls) as [CallName, Call][];

/** A new call that requires a sign-in must have a scope, or join this list. */
test('calls that require a sign-in and are closed to access tokens', () => {
  const closed = all.filter(([, { auth, scope }]) => auth === 'required' && scope === null);
  expect(closed.map(([name]) => name)).toEqual([
    'updateBio',
    'usernameChange',
    'profileChange',
    'updateGender',
    'thanksChange',
    'uploadAvatar',
    'notificationList',
    'notificationRead',
    'noticeSettings',
    'noticeSettingsChange',
    'ownWebhookList',
    'ownWebhookSave',
    'ownWebhookDelete',
    'ownWebhookTest',
    'ownWebhookLog',
    'ownWebhookRetry',
    'reportCreate',
    'safety',
    'passwordChange',
    'deviceList',
    'deviceEnd',
    'deviceEndOthers',
    'totpBegin',
    'totpConfirm',
    'totpRemove',
    'recoveryRenew',
    'passkeyBegin',
    'passkeyAdd',
    'passkeyRename',
    'passkeyRemove',
    'identityLink',
    'identityUnlink',
    'accessTokenList',
    'accessTokenCreate',
    'accessTokenRevoke',
    'emailSet',
    'emailRemove',
    'exportBegin',
    'accountClose',
    'accountKeep',
    'operatorClaim',
    'userRole',
    'postOrigins',
    'invitationList',
    'invitationAdd',
    'invitationEnd',
    'staffPages',
    'pageCreate',
    'pageChange',
    'pageOrder',
    'staffFriends',
    'friendSave',
    'friendDecide',
    'friendOrder',
    'webhookSave',
    'webhookDelete',
    'webhookTest',
    'webhookLog',
    'mailTest',
    'deliveryRetry',
    'deliveryDiscard',
    'siteOptionsChange',
    'siteIdentityChange',
    'siteLogo',
    'siteLogoRemove',
    'lookSave',
    'lookDelete',
    'operatorSettings',
    'operatorSettingsChange',
    'providerTest',
    'backupState',
    'backupStart',
    'backupCheck',
    'backupDownload',
  ]);
});

test('scopes that only read have no call that writes', () => {
  const writing = all.filter(([, { scope, kind }]) => scope?.endsWith(':read') && kind === 'write');
  expect(writing).toEqual([]);
});

test('calls of staff are exactly in the scopes that only staff may choose', () => {
  const ofStaff = SCOPE_NAMES.filter((scope) => !scopesFor('author').includes(scope));
  expect(ofStaff).toEqual(['moderation', 'site:read']);
  expect(scopesFor('editor')).toEqual(SCOPE_NAMES);
  for (const [name, { scope, permission }] of all)
    if (scope !== null)
      expect([name, permission !== undefined && !may('author', permission)]).toEqual([
        name,
        ofStaff.includes(scope),
      ]);
});

test.each(['docs/CONTRACT.md', 'docs/integrations.md', 'docs/integrations.zh-CN.md'])(
  '%s lists all scopes',
  (document) => {
    const text = readText(document);
    expect(SCOPE_NAMES.filter((scope) => !text.includes(`\`${scope}\``))).toEqual([]);
  },
);
