// @unocss-include: classes are found in templates otherwise
import { signInUrl } from '../lib/own-path.ts';
import { icons } from './icons.ts';

/**
 * The reader's own controls in the header before islands/header/HeaderControls.tsx takes their place, as markup: what differs
 * between a visitor and whoever seems to be signed in is chosen by chrome.css, because the page is the same for both. `data-wake`
 * names each control, so that a click on it is done again by the one that comes in its place.
 * @param path of this page, where signing in leads back to
 */
export const accountControls = (path: string): string =>
  `${SAME_FOR_ALL}<a href="${signInUrl(path)}" class="sign-in" data-for="visitor" data-wake="sign-in">登录</a>`;

const SAME_FOR_ALL = [
  `<a href="/write" class="write" data-wake="write">${icons.write}<span class="write-label">写文章</span></a>`,
  `<a href="/comment/list" class="icon-button" data-for="user" data-wake="bell" aria-label="评论">${icons.bell}</a>`,
  '<button type="button" class="icon-button" data-for="user" data-wake="account" aria-label="账户" aria-expanded="false">',
  '<span class="w-[32px] h-[32px] rounded-full bg-wash"></span></button>',
].join('');
