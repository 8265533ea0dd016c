import { z } from 'zod';
import { open, read, staff, write } from './call.ts';
import { jsonField } from './site-calls.ts';
import { Friend } from '../entities.ts';
import { absentField, emailField, idField, textField } from '../fields.ts';
import { checkField } from '../human-check.ts';
import { linkRule, nameRule, pictureRule } from '../rules/names.ts';
import { choice, instant, list, string } from '../titled.ts';

/** Maximum friends of a site, and links of a text for them. */
export const MAX_FRIENDS = 500;
const MAX_ADDRESS_CHARACTERS = 200;

/** An article of a friend's feed. */
export const FriendEntry = z.object({
  title: string('标题'),
  url: string('网址'),
  publish_time: instant('发布的时间'),
  friend: string('网站名称'),
  friend_url: string('网站的网址'),
});
export type FriendEntry = z.infer<typeof FriendEntry>;

/** Newest articles of all friends; `next` is the cursor of older ones, '' at the end. */
export const FriendCircle = z.object({
  entries: list('文章', FriendEntry),
  next: string('更早一页的 before，没有是空的'),
});
export type FriendCircle = z.infer<typeof FriendCircle>;

export const FRIEND_STATES = ['applied', 'refused', 'shown', 'hidden'] as const;
export const StaffFriend = Friend.extend({
  _id: string('编号'),
  state: choice('状态', FRIEND_STATES),
  /** In an application, the address of a picture elsewhere. */
  logo: string('图标的地址'),
  email: string('联系邮箱，没有是空的'),
  create_time: instant('申请或添加的时间'),
  check_time: instant('上次检查网站的时间').optional(),
  failing_since: instant('从什么时候起打不开').optional(),
  problem: string('打不开的原因，没有是空的'),
  feed_problem: string('订阅源读不了的原因，没有是空的'),
});
export type StaffFriend = z.infer<typeof StaffFriend>;

const addressField = (label: string, least: 0 | 1) =>
  textField(label, [least, MAX_ADDRESS_CHARACTERS], linkRule);
const texts = {
  name: textField('网站名称', [1, 50], nameRule('网站名称')),
  url: addressField('网址', 1),
  description: textField('介绍', [0, 200], nameRule('介绍')).optional().default(''),
  feed: addressField('订阅地址', 0).optional().default(''),
};

export const friendCalls = {
  friendList: read(open(), 'POST /api/page/friends', '友链，按分组的顺序', {
    output: z.object({ friends: list('友链', Friend) }),
  }),
  friendCircle: read(open(), 'POST /api/page/friends/circle', '朋友圈：朋友们最近的文章，最新的在前', {
    input: z.object({
      before: z
        .string()
        .regex(/^\d{1,14}-[0-9a-f]{24}$/)
        .meta({ title: '上一页的 next' })
        .optional()
        .catch(undefined),
    }),
    output: FriendCircle,
  }),
  friendApply: write(open(), 'POST /api/friend/apply', '申请友链', {
    description: '要做人机验证（POST /api/check）。站务看过以后才会显示。同一个网站再次申请会换掉前一次的。',
    input: z.object({
      ...texts,
      logo: addressField('图标地址', 0).optional().default(''),
      email: absentField(emailField.optional()),
      check: checkField,
    }),
    refusals: ['CHECK_NEEDED', 'CHECK_FAILED', 'WORD_REFUSED'],
    writes: ['friend.name', 'friend.url', 'friend.description'],
    isOptional: true,
  }),
};

const ofFriends = staff('friends.manage');
const friendId = idField.meta({ title: '编号' });
const groupField = textField('分组', [0, 30], nameRule('分组')).optional().default('');

export const friendConsoleCalls = {
  staffFriends: read(ofFriends, 'POST /api/staff/friends', '全部友链和申请', {
    output: z.object({ friends: list('友链', StaffFriend) }),
  }),
  friendSave: write(ofFriends, 'POST /api/staff/friend/save', '添加友链，修改友链，或通过申请', {
    description: '没写 id 就添加。图标写别的网站上的图片时，会存一份到本站。',
    input: z.object({
      id: absentField(friendId.optional()),
      ...texts,
      logo: textField('图标', [0, MAX_ADDRESS_CHARACTERS], {
        accepts: (text) => pictureRule.accepts(text) || linkRule.accepts(text),
        says: '图标应为本站的图片，或以 http:// 或 https:// 开头的网址',
      })
        .optional()
        .default(''),
      group: groupField,
    }),
    refusals: ['IMAGE_UNREADABLE', 'QUOTA_REACHED', 'ACCOUNT_FULL', 'URL_REFUSED', 'URL_UNREACHABLE'],
  }),
  friendDecide: write(ofFriends, 'POST /api/staff/friend/decide', '隐藏、显示或删除友链，或不通过申请', {
    input: z.object({
      id: friendId,
      action: z
        .enum(['hide', 'show', 'refuse', 'delete'], { error: '请选择怎样处理' })
        .meta({ title: '怎样处理' }),
    }),
  }),
  friendOrder: write(ofFriends, 'POST /api/staff/friends/order', '排友链的顺序和分组', {
    description: '列出全部友链，申请不算。分组按第一次出现的顺序。',
    input: z.object({
      friends: jsonField(
        z
          .array(z.object({ id: friendId, group: groupField }), { error: '友链应为列表' })
          .max(MAX_FRIENDS, `友链最多 ${MAX_FRIENDS} 个`)
          .meta({ title: '友链' }),
      ),
    }),
  }),
};
