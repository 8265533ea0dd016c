import type { z } from 'zod';
import { safetyCalls } from './account-calls.ts';
import { articleCalls, trashCalls } from './article-calls.ts';
import { group, type Call } from './call.ts';
import { commentCalls } from './comment-calls.ts';
import { feedCalls, searchCalls } from './discovery-calls.ts';
import { friendCalls, friendConsoleCalls } from './friend-calls.ts';
import { wordCalls } from './moderation-calls.ts';
import { navigationCalls } from './navigation-calls.ts';
import { noticeConsoleCalls, ownNoticeCalls } from './notice-calls.ts';
import { notificationCalls } from './notification-calls.ts';
import { originCalls } from './origin-calls.ts';
import { pageCalls, pageConsoleCalls } from './page-calls.ts';
import { pictureCalls } from './picture-calls.ts';
import { profileCalls, staffProfileCalls } from './profile-calls.ts';
import { reportCalls, reviewCalls } from './review-calls.ts';
import { invitationCalls, signInCalls } from './signup-calls.ts';
import { identityCalls, optionCalls, siteCalls } from './site-calls.ts';
import { auditCalls, userCalls } from './staff-calls.ts';
import { settingCalls } from './setting-calls.ts';
import { seriesCalls, tagCalls, tagConsoleCalls } from './tag-calls.ts';

/** All calls, in the order in which the description of the API lists them. */
export const calls = {
  ...group('文章', '读、写、发布文章', articleCalls),
  ...group('回收站', '自己删除的文章，保留 30 天', trashCalls),
  ...group('搜索和发现', '搜索、归档、动态、订阅和网站地图', {
    ...searchCalls,
    ...navigationCalls,
    ...pageCalls,
    ...friendCalls,
    ...feedCalls,
  }),
  ...group('评论', '读、写评论和回复', commentCalls),
  ...group('标签', '标签和它们的说明', tagCalls),
  ...group('专栏', '作者按自己的顺序排的一组文章', seriesCalls),
  ...group('图片', '上传的图片', pictureCalls),
  ...group('用户', '资料、头像、通知和举报', {
    ...profileCalls,
    ...notificationCalls,
    ...ownNoticeCalls,
    ...reportCalls,
  }),
  ...group('登录和注册', '给浏览器和客户端；脚本用访问令牌', signInCalls),
  ...group('账号安全', '密码、设备、两步验证、通行密钥和邮箱', safetyCalls),
  ...group('网站', '网站本身', siteCalls),
  ...group('审核', '站务审核内容，处理举报', { ...reviewCalls, ...wordCalls }),
  ...group('账号管理', '站务管理账号', {
    ...userCalls,
    ...staffProfileCalls,
    ...originCalls,
    ...invitationCalls,
  }),
  ...group('网站管理', '标签、页面、友链、通知、记录和设置', {
    ...tagConsoleCalls,
    ...pageConsoleCalls,
    ...friendConsoleCalls,
    ...noticeConsoleCalls,
    ...auditCalls,
    ...optionCalls,
    ...identityCalls,
    ...settingCalls,
  }),
};

export type CallName = keyof typeof calls;
export type CallInput<N extends CallName> = z.infer<(typeof calls)[N]['input']>;
export type CallOutput<N extends CallName> = z.infer<(typeof calls)[N]['output']>;

/** Calls that a server may lack (`isOptional`). */
export type OptionalCall = {
  [N in CallName]: (typeof calls)[N]['isOptional'] extends true ? N : never;
}[CallName];
export const OPTIONAL_CALLS = (Object.keys(calls) as CallName[]).filter(
  (name): name is OptionalCall => calls[name].isOptional,
);

/** Method and path of each call: the type of routes.generated.ts, which browsers load without the schemas. */
export type Routes = {
  readonly [N in CallName]: readonly [method: (typeof calls)[N]['method'], path: (typeof calls)[N]['path']];
};
export type Route = readonly [Call['method'], Call['path']];

/** Cookie that recognises a known browser at sign-in. */
export const DEVICE_COOKIE = 'moye-device';

export const DEVICE_CALLS: readonly string[] = [
  calls.signin.path,
  calls.signup.path,
  calls.signinFinish.path,
  calls.passkeySignin.path,
];
