import { z } from 'zod';
import { read, signedIn } from './call.ts';
import { absentField, booleanField, countedList, idField, pageSizeField } from '../fields.ts';
import { BOUNDS } from '../rules/bounds.ts';
import { NOTIFICATIONS } from '../rules/notice-kinds.ts';
import { boolean, choice, instant, int, list, namesOf, object, string } from '../titled.ts';

const MAX_MARKED = 1_000;

/** An entry of a user's list of notifications. Clients skip kinds that they do not know. */
export const Notification = z.object({
  _id: string('编号'),
  kind: string(
    `种类：${Object.entries(NOTIFICATIONS)
      .map((entry) => entry.join(' '))
      .join('，')}`,
  ),
  /** What was decided; NOTIFICATION_RESULTS of rules/notice-kinds.ts lists the results. */
  result: string('结果'),
  subject: object('说的是什么', { kind: string('种类'), id: string('编号') }),
  title: string('一句话'),
  /** Title of an article, beginning of a comment, or another short text. */
  text: string('文字'),
  reason: string('理由'),
  /** Path of a page of the site, or the empty string. */
  path: string('去哪里看'),
  create_time: instant('时间'),
  is_read: boolean('读过没有'),
});
export type Notification = z.infer<typeof Notification>;

export const NotificationList = z.object({
  result: list('这一页的内容', Notification),
  cursor: z.string().nullable().meta({ title: '下一页从哪里起，没有就是最后一页' }),
  unread: int('全部未读的条数'),
});
export type NotificationList = z.infer<typeof NotificationList>;

export const notificationCalls = {
  notificationList: read(signedIn(), 'POST /api/notification/list', '自己的通知，新的在前', {
    description: '保留 180 天，最多最新的 1,000 条。kind、unread、cursor 写得不对就当没有写。',
    input: z.object({
      kind: absentField(choice('种类', namesOf(NOTIFICATIONS)).optional()).catch(undefined),
      unread: absentField(booleanField('只要未读的').optional()).catch(undefined),
      cursor: absentField(
        z
          .string()
          .regex(/^\d{1,16}\.[0-9a-f]{24}$/)
          .meta({ title: '上一页给的 cursor' })
          .optional(),
      ).catch(undefined),
      pageSize: pageSizeField(BOUNDS.pageSize),
    }),
    output: NotificationList,
    isOptional: true,
  }),
  notificationRead: read(signedIn(), 'POST /api/notification/read', '把通知标为已读', {
    description: 'ids 里的；all 为 true 时是全部。',
    input: z.object({
      ids: countedList(idField, '通知编号', [0, MAX_MARKED], `一次最多标记 ${MAX_MARKED} 条通知`),
      all: absentField(booleanField('全部').default(false)),
    }),
    output: z.object({ unread: int('全部未读的条数') }),
    isOptional: true,
  }),
};
