import type { Loss } from './foreign-site.ts';

export const pagesLoss = (count: number, isTaken: boolean): Loss => ({
  what: '页面',
  why: '没有导入（不加 --no-pages 就导入）',
  count: isTaken ? 0 : count,
});

export const passwordsLoss = (product: string, count: number): Loss => ({
  what: '账号密码',
  why: `${product} 的密码不能沿用，请用 moye user passwd <用户名> 为要登录的人设置`,
  count,
});

/** Leaves out losses of nothing. */
export const realLosses = (losses: readonly Loss[]): Loss[] => losses.filter(({ count }) => count !== 0);
