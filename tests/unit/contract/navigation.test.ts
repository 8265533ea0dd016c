import { describe, expect, it } from 'vitest';
import { formerNavigation, navigationOf } from '../../../src/lib/contract/rules/navigation.ts';

const DEFAULT = navigationOf({ nav: {}, links: [] });
const textsIn = (place: string, entries = DEFAULT) =>
  entries.filter((entry) => entry.place === place).map(({ text }) => text);

describe('the navigation', () => {
  it('has the five sections in the header and two entries in the footer by default', () => {
    expect(textsIn('header')).toEqual(['首页', '标签', '留言', '实验室', '更新日志']);
    expect(textsIn('footer')).toEqual(['归档', '订阅']);
  });

  it('takes over labels and links of the former settings', () => {
    const links = [{ text: '代码', href: 'https://git.example/' }];
    const entries = navigationOf({ nav: { '/home': '文章', '/lab/list': null }, links });
    expect(textsIn('header', entries)).toEqual(['文章', '标签', '留言', '更新日志', '代码']);
    expect(textsIn('hidden', entries)).toEqual(['实验室', '友链', '朋友圈']);
    expect(formerNavigation(entries)).toMatchObject({ nav: { '/home': '文章', '/lab/list': null }, links });
  });

  it('keeps the order of a list, and appends built-in entries that it omits', () => {
    const navigation = [
      { text: '关于', href: '/p/about', place: 'footer' as const },
      { text: '最新', href: '/home', place: 'header' as const },
    ];
    const entries = navigationOf({ navigation, nav: { '/home': null }, links: [] });
    expect(entries.slice(0, 2)).toEqual(navigation);
    expect(entries.slice(2)).toEqual(DEFAULT.filter(({ href }) => href !== '/home'));
  });

  it('gives clients of older versions at most four links, with texts that they accept', () => {
    const own = Array.from({ length: 6 }, (_, index) => ({
      text: `第 ${index} 个很长的链接文字`,
      href: `/p/${index}`,
      place: 'header' as const,
    }));
    const { nav, links } = formerNavigation(navigationOf({ navigation: own, nav: {}, links: [] }));
    expect(links.map(({ href }) => href)).toEqual(['/p/0', '/p/1', '/p/2', '/p/3']);
    expect(links[0]?.text).toBe('第 0 个很长的');
    expect(nav).toEqual(Object.fromEntries(DEFAULT.slice(0, 5).map(({ href, text }) => [href, text])));
    const emoji = formerNavigation([{ text: '一二三四五六七😀八', href: '/p/a', place: 'header' }]);
    expect(emoji.links[0]?.text).toBe('一二三四五六七');
  });
});
