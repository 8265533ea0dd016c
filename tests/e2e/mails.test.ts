import { expect } from 'vitest';
import { composeLetter, composeMail } from '../../src/lib/server/notices/compose.ts';
import { violationsOf } from './axe.ts';
import { test } from './fixtures.ts';
import { looks } from './looks.ts';

const WORD = 'an-identifier-without-any-space-that-is-longer-than-the-screen-of-a-phone-is-wide';
const SITE = { origin: 'https://blog.example.com', title: '墨页' };
const LOGO = { src: '/files/logo.svg', width: 120, height: 32 };
const UNSUBSCRIBE = `${SITE.origin}/unsubscribe?token=a`;
const item = (group: string) => ({
  title: `裴迪 评论了你的文章《${group}》`,
  shortTitle: '裴迪 评论了',
  text: `const ${WORD} = \`a < b\`;\n\n好诗`,
  note: '理由：引用别人的文字，请写明出处',
  url: `${SITE.origin}/detail/1/comment/2`,
  group: { text: `《${group}》`, url: `${SITE.origin}/detail/${group}` },
});
const frame = {
  id: '1',
  to: 'a@example.com',
  site: SITE,
  unsubscribe: { page: UNSUBSCRIBE, oneClick: UNSUBSCRIBE },
  settings: `${SITE.origin}/user/settings`,
};
const MAILS = {
  'one notice': composeMail([item('鹿柴')], frame),
  'a digest': composeMail([item('鹿柴'), item(WORD)], frame),
  'a letter': composeLetter(
    {
      subject: '确认邮箱',
      text: `王维，你好：\n\n请打开链接：\n\n${SITE.origin}/verify#${WORD}\n\n如果不是你填的，不用理会。`,
      button: '确认邮箱',
    },
    { ...SITE, logo: LOGO },
  ),
};
const LOOKS = [390, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

test.for(Object.entries(MAILS))(
  '%s is accessible and fits the window',
  async ([, { html = '' }], { browser }) => {
    for (const { width, colorScheme } of looks(LOOKS)) {
      const context = await browser.newContext({ viewport: { width, height: 700 }, colorScheme });
      try {
        const page = await context.newPage();
        await page.setContent(html, { waitUntil: 'domcontentloaded' });
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      } finally {
        await context.close();
      }
    }
  },
);
