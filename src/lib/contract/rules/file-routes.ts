import type { RefusalCode } from './errors.ts';
import { callbackPath, NEWCOMER_PATH, OAUTH_PATH } from './paths.ts';
import type { Scope } from './scopes.ts';

export interface FileRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with parameters in braces. */
  readonly path: `/api/${string}`;
  /** In Chinese, as are the texts of parameters. */
  readonly summary: string;
  /** Parameters of the path and the query, with their meaning. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Fields of a form, with their meaning. */
  readonly form?: Readonly<Record<string, string>>;
  /** Media type of the answer; undefined for a redirect. */
  readonly type?: string;
  /** Scope of an access token; such routes require a sign-in. Absent if no caller matters. */
  readonly scope?: Scope;
  /** Media type of the body. */
  readonly body?: string;
  readonly refuses: readonly RefusalCode[];
}

const SYNCED_PATH = '文件在作者文件夹里的路径';
const SYNCED_ARTICLES = '/api/articles/by-path';
/** Refusals of each route that requires a sign-in. */
const FOR_USERS = ['SIGNIN_REQUIRED', 'TOKEN_EXPIRED', 'SCOPE_MISSING'] as const;

const TOKEN = { token: '邮件里的链接带着的 token' };

/** Routes that answer files, or programs that follow other standards, and not with a call's envelope. */
export const FILE_ROUTES = {
  picture: {
    method: 'GET',
    path: '/api/file/{name}',
    summary: '一张图片，或者它较小的副本',
    parameters: { name: '图片的文件名', v: '副本的宽度和格式，如 640.avif、640.webp' },
    type: 'image/*',
    refuses: ['FILE_NOT_FOUND'],
  },
  exportFile: {
    method: 'GET',
    path: '/api/file/export/{ticket}',
    summary: 'exportBegin 给出的网址：自己的全部内容',
    parameters: { ticket: '网址里的编号，只能用一次' },
    type: 'application/zip',
    refuses: ['FILE_NOT_FOUND'],
  },
  backupFile: {
    method: 'GET',
    path: '/api/file/backup/{ticket}',
    summary: 'backupDownload 给出的网址：一个备份',
    parameters: { ticket: '网址里的编号，只能用一次' },
    type: 'application/zstd',
    refuses: ['FILE_NOT_FOUND', 'BACKUP_OFF'],
  },
  unsubscribePage: {
    method: 'GET',
    path: '/api/notice/unsubscribe',
    summary: '退订邮件的网页，转到有按钮的一页',
    parameters: TOKEN,
    refuses: [],
  },
  unsubscribe: {
    method: 'POST',
    path: '/api/notice/unsubscribe',
    summary: '邮件程序的一键退订（RFC 8058）',
    parameters: TOKEN,
    type: 'application/json',
    refuses: ['UNSUBSCRIBE_UNKNOWN'],
  },
  syncedFiles: {
    method: 'GET',
    path: SYNCED_ARTICLES,
    summary: '同步的全部文件，和它们现在的状态',
    parameters: {},
    type: 'application/json',
    scope: 'articles:read',
    refuses: [...FOR_USERS],
  },
  syncedFile: {
    method: 'GET',
    path: `${SYNCED_ARTICLES}/{path}`,
    summary: '一个同步的文件，和放上去时逐字节相同',
    parameters: { path: SYNCED_PATH },
    type: 'text/markdown',
    scope: 'articles:read',
    refuses: [...FOR_USERS, 'FIELD_INVALID', 'FILE_NOT_FOUND'],
  },
  syncedFilePut: {
    method: 'PUT',
    path: `${SYNCED_ARTICLES}/{path}`,
    summary: '放上一个 Markdown 文件，新建或更新它的文章',
    parameters: {
      path: SYNCED_PATH,
      vault: 'true 表示是 Obsidian 的笔记',
      missing: 'keep 表示图片没有上传也接受',
      plain: 'draft 表示没有 front matter 的新文件存为草稿，publish 表示公开；不写就公开',
      dry_run: 'true 表示只回答会怎样，不写入',
    },
    type: 'application/json',
    scope: 'articles:write',
    body: 'text/markdown',
    refuses: [
      ...FOR_USERS,
      'FIELD_INVALID',
      'FILE_CHANGED',
      'PICTURES_MISSING',
      'BODY_TOO_LARGE',
      'ACCOUNT_FULL',
    ],
  },
  syncedFileDelete: {
    method: 'DELETE',
    path: `${SYNCED_ARTICLES}/{path}`,
    summary: '把一个同步的文件的文章移到回收站',
    parameters: { path: SYNCED_PATH },
    type: 'application/json',
    scope: 'articles:write',
    refuses: [...FOR_USERS, 'FIELD_INVALID', 'FILE_NOT_FOUND', 'FILE_CHANGED'],
  },
  syncedPicturePut: {
    method: 'PUT',
    path: '/api/pictures/by-path/{path}',
    summary: '放上一张图片，同步的文章按路径引用它',
    parameters: { path: SYNCED_PATH },
    type: 'application/json',
    scope: 'pictures:write',
    body: 'image/*',
    refuses: [...FOR_USERS, 'FIELD_INVALID', 'BODY_TOO_LARGE', 'ACCOUNT_FULL'],
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: '这份说明的 OpenAPI 3.1 文件',
    parameters: {},
    type: 'application/json',
    refuses: [],
  },
  oauthBegin: {
    method: 'GET',
    path: `${OAUTH_PATH}/{id}`,
    summary: '用另一个网站的账号登录或注册：浏览器打开它，转到那个网站',
    parameters: {
      id: '登录方式的 id，如 github',
      redirect: '登录以后打开的页面，本站的路径',
      invite: '注册要用的邀请码',
      link: 'identityLink 给出的网址带着的编号',
    },
    refuses: ['PROVIDER_UNKNOWN'],
  },
  oauthCallback: {
    method: 'GET',
    path: callbackPath('{id}'),
    summary: '从另一个网站回来：登录，转到要打开的页面',
    parameters: {
      id: '登录方式的 id',
      code: '那个网站给出的授权码',
      state: '那个网站带回的随机数',
      iss: '那个网站的 issuer（RFC 9207）',
      error: '那个网站给出的错误',
    },
    refuses: ['PROVIDER_UNKNOWN'],
  },
  oauthSignup: {
    method: 'POST',
    path: NEWCOMER_PATH,
    summary: '给另一个网站确认过的人取用户名，完成注册',
    parameters: { page: '有它就用重定向回答，供不带脚本的表单使用' },
    form: { username: '用户名', invite: '邀请码' },
    type: 'application/json',
    refuses: [
      'FIELD_INVALID',
      'USERNAME_TAKEN',
      'USERNAME_RESERVED',
      'WORD_REFUSED',
      'SIGNUP_CLOSED',
      'INVITATION_REQUIRED',
      'INVITATION_INVALID',
      'SSO_FAILED',
      'TICKET_OVER',
    ],
  },
} as const satisfies Record<string, FileRoute>;
