import type { FieldErrors } from '../../client/check.ts';
import type { Journal } from '../../client/journal/journal.ts';
import type { OwnSaves } from '../../client/journal/own-saves.ts';
import type { DraftServer } from './draft-server.ts';
import type { DraftFields } from './draft-types.ts';

export interface DraftParts {
  server: DraftServer;
  journal: Pick<Journal, 'put' | 'remove'>;
  clock: { now(): number; after(milliseconds: number, work: () => void): () => void };
  ownSaves: OwnSaves;
  newId(): string;
  check(fields: DraftFields & { status: 'normal' | 'draft'; type: string }): Promise<FieldErrors>;
  notify(sentence: string, needsSignIn: boolean): void;
  /**
   * Calls `retry` when saving may work again (online, visible, signed in), and `leave` before the page is
   * left.
   */
  watch(retry: () => void, leave: () => void): () => void;
}

export const MESSAGES = {
  signedOut: '登录已过期，内容已存本机',
  unsupported: '内容已存本机，发布后才会保存到服务器',
  blank: '没有标题和正文，内容只存本机',
  gone: '这篇文章已在别处删除，内容会存为新的草稿',
  later: '网络不通，内容已存本机',
  busy: '服务器正忙，内容已存本机',
  unsafe: '本机存储不可用，内容还没有保存，请先复制一份再离开',
} as const;
