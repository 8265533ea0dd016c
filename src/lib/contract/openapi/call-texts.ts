import type { RouteName } from '../rules/routes.ts';
import { PROFILE_TEXTS, SAFETY_TEXTS, SIGNIN_TEXTS, SITE_TEXTS } from './account-texts.ts';
import {
  ARTICLE_TEXTS,
  COMMENT_TEXTS,
  PICTURE_TEXTS,
  SEARCH_TEXTS,
  SERIES_TEXTS,
  TAG_TEXTS,
  TRASH_TEXTS,
} from './article-texts.ts';
import type { CallText, CallTexts } from './call-text.ts';
import { CONSOLE_TEXTS, MODERATION_TEXTS, PEOPLE_TEXTS } from './staff-texts.ts';

/** A call without a text is a type error. */
export const CALL_TEXTS: Readonly<Record<RouteName, CallText>> = {
  ...ARTICLE_TEXTS,
  ...TRASH_TEXTS,
  ...SEARCH_TEXTS,
  ...COMMENT_TEXTS,
  ...TAG_TEXTS,
  ...SERIES_TEXTS,
  ...PICTURE_TEXTS,
  ...PROFILE_TEXTS,
  ...SIGNIN_TEXTS,
  ...SAFETY_TEXTS,
  ...SITE_TEXTS,
  ...MODERATION_TEXTS,
  ...PEOPLE_TEXTS,
  ...CONSOLE_TEXTS,
};

const GROUPS: readonly [name: string, description: string, texts: CallTexts][] = [
  ['文章', '读、写、发布文章', ARTICLE_TEXTS],
  ['回收站', '自己删除的文章，保留 30 天', TRASH_TEXTS],
  ['搜索和发现', '搜索、归档、动态、订阅和网站地图', SEARCH_TEXTS],
  ['评论', '读、写评论和回复', COMMENT_TEXTS],
  ['标签', '标签和它们的说明', TAG_TEXTS],
  ['专栏', '作者按自己的顺序排的一组文章', SERIES_TEXTS],
  ['图片', '上传的图片', PICTURE_TEXTS],
  ['用户', '资料、头像、通知和举报', PROFILE_TEXTS],
  ['登录和注册', '给浏览器和客户端；脚本用访问令牌', SIGNIN_TEXTS],
  ['账号安全', '密码、设备、两步验证、通行密钥和邮箱', SAFETY_TEXTS],
  ['网站', '网站本身', SITE_TEXTS],
  ['审核', '站务审核内容，处理举报', MODERATION_TEXTS],
  ['账号管理', '站务管理账号', PEOPLE_TEXTS],
  ['网站管理', '标签、通知、记录和设置', CONSOLE_TEXTS],
];

/** Groups of calls in the order of the document. */
export const CALL_GROUPS = GROUPS.map(([name, description, texts]) => ({
  name,
  description,
  calls: Object.keys(texts) as RouteName[],
}));
