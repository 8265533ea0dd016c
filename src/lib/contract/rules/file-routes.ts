import type { RefusalCode } from './errors.ts';

export interface FileRoute {
  readonly method: 'GET' | 'POST';
  /** Path with parameters in braces. */
  readonly path: `/api/${string}`;
  /** In Chinese, as are the texts of parameters. */
  readonly summary: string;
  /** Parameters of the path and the query, with their meaning. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Media type of the answer; undefined for a redirect. */
  readonly type?: string;
  readonly refuses: readonly RefusalCode[];
}

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
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: '这份说明的 OpenAPI 3.1 文件',
    parameters: {},
    type: 'application/json',
    refuses: [],
  },
} as const satisfies Record<string, FileRoute>;
