import { expect } from 'vitest';

/** Entities exactly as CONTRACT.md specifies them: an extra or missing key fails the test. */
export const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const TOKEN = expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);

/** An id that does not exist. */
export const NOWHERE = 'f'.repeat(24);

export const user = (fields: object = {}) => ({
  _id: ID,
  username: expect.any(String),
  avatar: '',
  gender: 'x',
  bio: '',
  create_time: INSTANT,
  oauthinfo: [],
  thanks: '',
  ...fields,
});

/** Extra fields of an article whose author has set none of them. */
export const noExtras = {
  description: '',
  cover: '',
  series: '',
  source: '',
  licence: '',
  slug: '',
  comments_closed: false,
  pinned: false,
};

export const article = (fields: object = {}) => ({
  _id: ID,
  title: '山居',
  tags: ['诗'],
  create_user: expect.any(String),
  create_time: INSTANT,
  update_time: INSTANT,
  content: '空山新雨后',
  status: 'normal',
  secret: false,
  ...noExtras,
  type: '',
  ...fields,
});

export const comment = (fields: object = {}) => ({
  _id: ID,
  content: '好诗',
  create_user: expect.any(String),
  to_user: expect.any(String),
  page_id: ID,
  page_title: '山居',
  create_time: INSTANT,
  is_read: false,
  reply_user: '',
  reply_content: '',
  ...fields,
});

export const tag = (fields: object = {}) => ({
  _id: ID,
  name: '诗',
  description: '',
  create_user: expect.any(String),
  create_time: INSTANT,
  update_time: INSTANT,
  page_num: 1,
  ...fields,
});
