import { escapeHtml } from '../../markdown/escape-html.ts';

export type Payload = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const attribute = (value: unknown): string => escapeHtml(text(value));

const figure = (name: string, inside: string, caption: unknown): string =>
  `<figure class="kg-${name}-card">${inside}${text(caption) && `<figcaption>${text(caption)}</figcaption>`}</figure>`;

const image = ({ src, alt, href }: Payload): string => {
  const picture = `<img src="${attribute(src)}" alt="${attribute(alt)}">`;
  return text(href) === '' ? picture : `<a href="${attribute(href)}">${picture}</a>`;
};

const link = (href: unknown, words: unknown): string =>
  text(href) === '' ? '' : `<p><a href="${attribute(href)}">${escapeHtml(text(words) || text(href))}</a></p>`;

const codeOf = ({ code, language }: Payload): string => {
  const name = text(language).trim().split(/\s/)[0] ?? '';
  return `<pre><code${name && ` class="language-${escapeHtml(name)}"`}>${escapeHtml(text(code))}\n</code></pre>`;
};

const CARDS: Record<string, (payload: Payload) => string> = {
  image: (payload) => figure('image', image(payload), payload['caption']),
  gallery: ({ images, caption }) =>
    figure(
      'gallery',
      Array.isArray(images) ? images.map((each) => image(each as Payload)).join('') : '',
      caption,
    ),
  bookmark: ({ url, metadata, caption }) => {
    const { title, description } = (metadata ?? {}) as Payload;
    const inside = `<a class="kg-bookmark-container" href="${attribute(url)}"><div class="kg-bookmark-title">${attribute(title)}</div><div class="kg-bookmark-description">${attribute(description)}</div></a>`;
    return figure('bookmark', inside, caption);
  },
  embed: ({ html, url, caption }) =>
    figure('embed', /<iframe\b/i.test(text(html)) ? text(html) : attribute(url), caption),
  callout: ({ calloutText, calloutEmoji, backgroundColor, emoji, text: words }) =>
    `<div class="kg-card kg-callout-card kg-callout-card-${attribute(backgroundColor)}"><div class="kg-callout-emoji">${attribute(calloutEmoji) || attribute(emoji)}</div><div class="kg-callout-text">${text(calloutText) || text(words)}</div></div>`,
  toggle: ({ heading, content }) =>
    `<div class="kg-toggle-card"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">${text(heading)}</h4></div><div class="kg-toggle-content">${text(content)}</div></div>`,
  codeblock: (payload) => figure('code', codeOf(payload), payload['caption']),
  html: ({ html }) => text(html),
  markdown: ({ markdown }) => `<moye-raw value="${escapeHtml(text(markdown).trim())}"></moye-raw>`,
  horizontalrule: () => '<hr>',
  file: ({ src, fileTitle, fileName, fileCaption }) =>
    link(src, text(fileTitle) || text(fileName)) + (text(fileCaption) && `<p>${text(fileCaption)}</p>`),
  audio: ({ src, title }) => `<audio src="${attribute(src)}" title="${attribute(title)}"></audio>`,
  video: ({ src, caption }) => figure('video', `<video src="${attribute(src)}"></video>`, caption),
  button: ({ buttonUrl, buttonText }) => link(buttonUrl, buttonText),
  header: ({ header, subheader, buttonUrl, buttonText }) =>
    `${text(header) && `<h2>${text(header)}</h2>`}${text(subheader) && `<p>${text(subheader)}</p>`}${link(buttonUrl, buttonText)}`,
  product: (payload) => {
    const { productTitle, productDescription, productImageSrc, productUrl, productButton } = payload;
    const picture = text(productImageSrc) && `<p>${image({ src: productImageSrc })}</p>`;
    return `${picture}<h4>${text(productTitle)}</h4>${text(productDescription)}${link(productUrl, productButton)}`;
  },
  'call-to-action': ({ textValue, imageUrl, buttonUrl, buttonText }) =>
    `${text(imageUrl) && `<p>${image({ src: imageUrl })}</p>`}${text(textValue)}${link(buttonUrl, buttonText)}`,
  // Start of the members-only part: readers of the article here may read all of it.
  paywall: () => '',
};

const NAMES: Record<string, string> = {
  code: 'codeblock',
  hr: 'horizontalrule',
  'card-markdown': 'markdown',
  'markdown-card': 'markdown',
};

/** Cards for emails, which readers of the site never saw. */
const MAILED = new Set(['email', 'email-cta']);

/** Whether visitors did not see the card: it was for members, or only in mails. */
function isForMembers({ visibility }: Payload): boolean {
  const { web, showOnWeb } = (visibility ?? {}) as { web?: { nonMember?: unknown }; showOnWeb?: unknown };
  return web?.nonMember === false || showOnWeb === false;
}

/**
 * Converts a card to HTML. An unknown card is reduced to its own HTML or its address, if it has one.
 * @param lose receives the name of an unknown card
 */
export function cardOf(name: string, payload: Payload, lose: (name: string) => void): string {
  const known = NAMES[name] ?? name;
  const draw = Object.hasOwn(CARDS, known) ? CARDS[known] : undefined;
  if (draw)
    return isForMembers(payload) ? `<!--members-only-->${draw(payload)}<!--/members-only-->` : draw(payload);
  lose(name);
  if (MAILED.has(name)) return '';
  const { html, url } = payload;
  return text(html) || (text(url) === '' ? '' : link(url, ''));
}
