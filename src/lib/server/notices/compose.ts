import { renderMail, type Block, type MailSite } from './mail-page.ts';
import type { Mail } from './mailer.ts';

export interface Item {
  title: string;
  text: string;
  url: string;
}

/** An item with the heading under which a mail of several items lists it. Its `text` is quoted. */
export interface MailItem extends Item {
  /** The site's own words below the quotation. */
  note: string;
  group: { text: string; url?: string };
  /** Title below that heading. */
  shortTitle: string;
}

interface Frame {
  id: string;
  to: string;
  site: MailSite;
  /** `page` lets the reader end these mails without a sign-in; `oneClick` is for mail programs. */
  unsubscribe: { page: string; oneClick: string };
  settings: string;
}

const MAX_ITEMS = 50;
const MAX_TEXT_CHARACTERS = 500;

const shorten = (text: string): string => {
  const characters = [...text.trim().replaceAll(/\n{3,}/g, '\n\n')];
  return characters.length > MAX_TEXT_CHARACTERS
    ? `${characters.slice(0, MAX_TEXT_CHARACTERS).join('')}…`
    : characters.join('');
};

const footOf = ({ title }: MailSite): string => `这是 ${title} 自动发出的邮件，回复不会有人看到。`;

const blocksOf = (title: string, { text, note, url }: MailItem): Block[] => [
  { kind: 'title', text: title },
  ...(text.trim() === '' ? [] : [{ kind: 'quote' as const, text: shorten(text) }]),
  ...(note === '' ? [] : [{ kind: 'paragraph' as const, text: note }]),
  { kind: 'link', text: '查看', url },
];

/** Blocks of several items, those of one article together. */
function grouped(items: readonly MailItem[]): Block[] {
  const groups = Map.groupBy(items, ({ group }) => group.url ?? group.text);
  return [...groups.values()].flatMap((each): Block[] => [
    { kind: 'heading', text: '', ...each[0]?.group },
    ...each.flatMap((item) => blocksOf(item.shortTitle, item)),
  ]);
}

export function composeMail(items: readonly MailItem[], frame: Frame): Mail {
  const { id, to, site, unsubscribe, settings } = frame;
  const shown = items.slice(0, MAX_ITEMS);
  const rest = items.length - shown.length;
  const [first] = items;
  const subject = `[${site.title}] ${items.length === 1 ? first?.title : `${items.length} 条新通知`}`;
  const blocks = [
    ...(items.length === 1 && first ? blocksOf(first.title, first) : grouped(shown)),
    ...(rest > 0 ? [{ kind: 'paragraph' as const, text: `还有 ${rest} 条，请到网站上查看。` }] : []),
  ];
  const links = [
    { text: '不再收到这类邮件', url: unsubscribe.page },
    { text: '修改通知设置', url: settings },
  ];
  const rendered = renderMail({ subject, site, blocks, foot: footOf(site), links });
  return { id, to, subject, ...rendered, unsubscribe: unsubscribe.oneClick };
}

/**
 * Renders a mail that is written as paragraphs. A paragraph that is just a URL becomes a link, the first one
 * a button if it has a label.
 */
export function composeLetter(
  { subject, text, button }: { subject: string; text: string; button?: string | undefined },
  site: MailSite,
): { text: string; html: string } {
  let label = button;
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph): Block => {
      if (!/^https?:\/\/\S+$/.test(paragraph)) return { kind: 'paragraph', text: paragraph };
      const kind = label === undefined ? 'link' : 'button';
      const link = { kind, text: label ?? paragraph, url: paragraph } as const;
      label = undefined;
      return link;
    });
  return renderMail({ subject, site, blocks, foot: footOf(site) });
}
