import { createHash } from 'node:crypto';
import { ObjectId } from 'bson';
import type { Collections } from './mongo-dump.ts';

/** Password of the users of the old blog. */
export const OLD_PASSWORD = 'mima123456';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const at = (day: number) => new Date(Date.UTC(2020, 0, day, 3, 4, 5, 678));
const id = (digits: string) => new ObjectId(`5e0a0000000000000000${digits}`);

/** A database of the predecessor product with everything that it can contain. */
export const OLD_BLOG: Collections = {
  users: [
    {
      _id: id('0001'),
      username: '老张',
      password: sha1(OLD_PASSWORD).toUpperCase(),
      avatar: '1600000000000.png',
      gender: 'm',
      bio: '写字的人',
      oauthinfo: [{ type: 'github', name: 'zhang' }],
      logindate: at(9),
      created_at: at(1),
    },
    { _id: id('0002'), username: 'a b@x', password: 'not a hash', avatar: 'gone.png', oauthinfo: [] },
  ],
  tags: [
    {
      _id: id('0011'),
      name: '生活',
      description: '日子',
      create_user: '老张',
      create_time: at(2),
      update_time: at(3),
    },
  ],
  pages: [
    {
      _id: id('0021'),
      title: '山居',
      tags: ['生活', '山'],
      create_user: '老张',
      create_time: at(4),
      update_time: at(5),
      content: [
        '空山新雨后',
        '',
        '<--阅读全文-->',
        '![雨](/api/file/1600000000001.png) ![雨](https://old.example/api/file/1600000000001.png)',
        '',
        `见[草稿](https://old.example/detail/${id('0022').toHexString()})，![无](/api/file/none.png)`,
        '[标签](/tag/list)，`/api/file/1600000000001.png`',
      ].join('\n'),
      status: 'normal',
      secret: false,
      type: 'note',
    },
    {
      _id: id('0022'),
      title: '未完',
      tags: [],
      create_user: '走了的人',
      create_time: at(6),
      update_time: at(6),
      content: '还没写完',
      status: 'draft',
      secret: false,
    },
    {
      _id: id('0023'),
      title: '私语',
      tags: ['生活'],
      create_user: '老张',
      create_time: at(7),
      update_time: at(8),
      content: '只给自己看',
      status: 'normal',
      secret: true,
    },
    {
      _id: id('0024'),
      title: '删掉的',
      tags: ['生活'],
      create_user: '老张',
      create_time: at(7),
      update_time: at(8),
      content: '不要了',
      status: 'cancel',
      secret: false,
    },
  ],
  comments: [
    {
      _id: id('0031'),
      content: '写得好',
      create_user: '走了的人',
      page_id: id('0021').toHexString(),
      page_title: '山居',
      create_time: at(10),
      is_read: true,
      to_user: '老张',
      reply_user: '',
      reply_content: '',
    },
    {
      _id: id('0032'),
      content: '谢谢',
      create_user: '老张',
      page_id: id('0021').toHexString(),
      page_title: '山居',
      create_time: at(11),
      is_read: false,
      to_user: '老张',
      reply_user: '走了的人',
      reply_content: '写得好',
    },
    {
      _id: id('0033'),
      content: '在吗',
      create_user: 'a b@x',
      page_id: id('0024').toHexString(),
      page_title: '删掉的',
      create_time: at(11),
      is_read: false,
      to_user: '老张',
      reply_user: 'undefined',
      reply_content: '',
    },
  ],
  files: [{ _id: id('0041'), filename: '1600000000001.png', username: '老张', update_time: at(4) }],
  activities: [
    { _id: id('0051'), what: '登录' },
    { _id: id('0052'), what: '登录' },
  ],
  todos: [{ _id: id('0061'), what: '写文章' }],
};

/** A larger database: articles that each link to the next, and the same number of comments. */
export function manyArticles(count: number, words: string): Collections {
  const pageId = (at_: number) => id((0x1000 + at_).toString(16).padStart(4, '0'));
  const indexes = Array.from({ length: count }, (_, index) => index);
  return {
    users: OLD_BLOG['users'] ?? [],
    tags: [],
    pages: indexes.map((index) => ({
      _id: pageId(index),
      title: `第 ${index} 篇`,
      tags: ['甲', `组${index % 7}`],
      create_user: '老张',
      create_time: at(1 + (index % 20)),
      update_time: at(1 + (index % 20)),
      content: `独特词${index}。${words}\n\n[下一篇](/detail/${pageId((index + 1) % count).toHexString()})`,
      status: 'normal',
      secret: false,
    })),
    comments: indexes.map((index) => ({
      _id: id((0xa000 + index).toString(16).padStart(4, '0')),
      content: `评论 ${index}`,
      create_user: '老张',
      page_id: pageId(index % 7).toHexString(),
      create_time: at(21),
      is_read: true,
      reply_user: '',
      reply_content: '',
    })),
  };
}

/** `count` articles with `each` comments each. */
export function manyComments(count: number, each: number): Collections {
  const blog = manyArticles(count, '空山新雨后。');
  const comments = Array.from({ length: count * each }, (_, index) => ({
    ...blog['comments']?.[index % count],
    _id: id((0xa000 + index).toString(16)),
    content: `评论 ${index}`,
  }));
  return { ...blog, comments };
}
