import type { Element } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import type { Mail } from './mailer.ts';

export interface Item {
  title: string;
  text: string;
  url: string;
}

interface Frame {
  id: string;
  to: string;
  site: string;
  /** Address of the site's logo, with its displayed size. */
  logo: { src: string; width: number; height: number } | null;
  /** `page` lets the reader end these mails without a sign-in; `oneClick` is for mail programs. */
  unsubscribe: { page: string; oneClick: string };
  settings: string;
}

const MAX_ITEMS = 50;
const MAX_TEXT_CHARACTERS = 500;

const shorten = (text: string): string => {
  const characters = [...text.trim()];
  return characters.length > MAX_TEXT_CHARACTERS
    ? `${characters.slice(0, MAX_TEXT_CHARACTERS).join('')}…`
    : characters.join('');
};

const quote = (text: string): string =>
  shorten(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

export function composeMail(items: readonly Item[], frame: Frame): Mail {
  const { id, to, site, logo, unsubscribe, settings } = frame;
  const shown = items.slice(0, MAX_ITEMS);
  const rest = items.length - shown.length;
  const subject =
    items.length === 1 ? `[${site}] ${items[0]?.title ?? ''}` : `[${site}] ${items.length} 条新通知`;
  const more = rest > 0 ? [`还有 ${rest} 条，请到网站上查看。`] : [];
  const foot = `这是 ${site} 自动发出的邮件，回复不会有人看到。`;
  const text = [
    ...shown.map((item) =>
      [item.title, ...(item.text === '' ? [] : [quote(item.text)]), item.url].join('\n\n'),
    ),
    ...more,
    `-- \n${foot}\n不再收到这类邮件：${unsubscribe.page}\n修改通知设置：${settings}`,
  ].join('\n\n');
  const html = toXml(
    x('html', { lang: 'zh-CN' }, [
      x('head', [x('meta', { charset: 'utf-8' }), x('title', subject)]),
      x('body', [
        ...(logo ? [x('p', [x('img', { ...logo, alt: site })])] : []),
        ...shown.flatMap(htmlOf),
        ...more.map((line) => x('p', line)),
        x('hr'),
        x('p', [
          x('small', [
            foot,
            x('br'),
            link(unsubscribe.page, '不再收到这类邮件'),
            ' · ',
            link(settings, '修改通知设置'),
          ]),
        ]),
      ]),
    ]),
    { closeEmptyElements: true },
  );
  return { id, to, subject, text, html: `<!doctype html>${html}`, unsubscribe: unsubscribe.oneClick };
}

const link = (href: string, text: string): Element => x('a', { href }, text);

function htmlOf({ title, text, url }: Item): Element[] {
  const lines = shorten(text).split('\n');
  const quoted = x(
    'blockquote',
    lines.flatMap((line, at) => (at === 0 ? [line] : [x('br'), line])),
  );
  return [x('p', [x('b', title)]), ...(text.trim() === '' ? [] : [quoted]), x('p', [link(url, '查看')])];
}
