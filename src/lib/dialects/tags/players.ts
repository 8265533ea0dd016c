import { frame } from './markdown.ts';
import type { Written } from './tag.ts';

const SITES = {
  youtube: [/^[\w-]{6,20}$/, (id: string) => `https://www.youtube.com/embed/${id}`],
  'youtube-list': [/^[\w-]{6,60}$/, (id: string) => `https://www.youtube.com/embed/videoseries?list=${id}`],
  vimeo: [/^\d{1,15}$/, (id: string) => `https://player.vimeo.com/video/${id}`],
  bilibili: [
    /^(?:BV[\dA-Za-z]{10}|(?:av)?\d{1,15})$/i,
    (id: string) =>
      `https://player.bilibili.com/player.html?${/^BV/i.test(id) ? `bvid=${id}` : `aid=${id.replace(/^av/i, '')}`}`,
  ],
  youku: [/^[\w=]{6,40}$/, (id: string) => `https://player.youku.com/embed/${id}`],
  tencent: [/^\w{5,20}$/, (id: string) => `https://v.qq.com/txp/iframe/player.html?vid=${id}`],
} as const;

/**
 * Returns the player of a video, given its id or the address of its page.
 * @param query further parameters of the player, such as `&p=2`
 * @returns null for other values
 */
export function player(site: keyof typeof SITES, id = '', query = ''): Written | null {
  if (/^https?:\/\//i.test(id)) return frame(id);
  const [pattern, address] = SITES[site];
  return pattern.test(id) ? frame(address(id) + query) : null;
}
