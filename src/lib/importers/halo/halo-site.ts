import { z } from 'zod';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { commentFromHtml } from '../../markdown/from-html/article.ts';
import type { ForeignComment, ForeignSite, Loss, SourceOptions } from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { orClose } from '../or-close.ts';
import { createOwnHosts, originsOf, resolveAddress } from '../site/addresses.ts';
import { pagesLoss, passwordsLoss, realLosses } from '../site/losses.ts';
import { openBackupZip, type BackupZip } from './backup-zip.ts';
import { jsonOf } from '../json-rows.ts';
import { readExtensions, type Extensions, type Kind } from './extensions.ts';
import { attachmentShape, commentShape, configShape, postShape, replyShape, userShape } from './shapes.ts';
import { friendsOf, navigationOf } from './links.ts';
import { ownerKey, peopleOf } from './people.ts';
import { articlesOf, type Posts } from './posts.ts';
import { readTerms } from './terms.ts';

const LOCAL_PATH = 'storage.halo.run/local-relative-path';

/** Only covers files on the site's disk: backups contain none of cloud storage. */
export function openAttachments(extensions: Extensions, zip: BackupZip, isOwn: (url: URL) => boolean) {
  const paths = new Map<string, string>();
  for (const { metadata, status } of extensions.list('attachments', attachmentShape)) {
    const path = metadata.annotations[LOCAL_PATH];
    const place = placeOf(status?.permalink ?? '');
    if (path && place !== '') paths.set(place, path);
  }
  return {
    async read(address: string): Promise<Uint8Array | null> {
      const url = URL.parse(address);
      if (!url || !isOwn(url)) return null;
      const place = decodeAddress(url.pathname);
      const known = paths.get(place);
      // Without a record: the folder `upload` is served directly.
      const behind = /\/(upload\/.+)$/.exec(place)?.[1];
      for (const path of [known, behind]) {
        const found = path === undefined ? null : await zip.attachment(path);
        if (found) return found;
      }
      return null;
    },
    others() {
      let count = 0;
      for (const { spec } of extensions.list('attachments', attachmentShape))
        if (spec.mediaType !== '' && !spec.mediaType.startsWith('image/')) count += 1;
      return count;
    },
  };
}

const placeOf = (permalink: string): string => {
  const url = permalink === '' ? null : URL.parse(permalink, 'https://halo.invalid');
  return url ? decodeAddress(url.pathname) : '';
};

type Spoken = Pick<
  z.infer<typeof replyShape>['spec'],
  'raw' | 'content' | 'owner' | 'creationTime' | 'approved' | 'hidden'
>;
type Metadata = z.infer<typeof replyShape>['metadata'];

const isArticle = (kind: string): boolean => kind === 'Post' || kind === 'SinglePage';

/** Yields comments, then replies. @param report receives the losses after the last one */
export async function* commentsOf(
  { extensions, resolve }: Pick<Posts, 'extensions' | 'resolve'>,
  isTaken: (article: string) => boolean,
  report: (losses: Loss[]) => void,
): AsyncGenerator<ForeignComment> {
  const left = new Map<string, number>();
  const lose = (why: string): void => void left.set(why, (left.get(why) ?? 0) + 1);
  for (const { metadata, spec } of extensions.list('comments', commentShape)) {
    const { kind, name } = spec.subjectRef;
    if (!isArticle(kind)) lose('不在文章下（瞬间等插件的评论），没有导入');
    else if (!isTaken(name)) lose('它们的文章或页面没有导入');
    else if (metadata.deletionTimestamp === undefined) yield commentOf(metadata, spec, name, resolve);
  }
  for (const { metadata, spec } of extensions.list('replies', replyShape)) {
    const parent = extensions.find('comments', spec.commentName, commentShape)?.spec.subjectRef;
    if (!parent) lose('它们回复的评论不在备份里，没有导入');
    else if (!isArticle(parent.kind) || !isTaken(parent.name)) lose('它们的文章或页面没有导入');
    else if (metadata.deletionTimestamp === undefined) {
      const replyTo = spec.quoteReply || spec.commentName;
      yield { ...(await commentOf(metadata, spec, parent.name, resolve)), replyTo };
    }
  }
  report(Array.from(left, ([why, count]) => ({ what: '评论', why, count })));
}

async function commentOf(
  metadata: Metadata,
  { raw, content, owner, creationTime, approved, hidden }: Spoken,
  article: string,
  resolve: (address: string) => string,
): Promise<ForeignComment> {
  return {
    key: metadata.name,
    article,
    author: ownerKey(owner),
    content: await textOf(content || raw, resolve),
    created: creationTime ?? metadata.creationTimestamp ?? 0,
    isHeld: !approved || hidden || undefined,
  };
}

const TAG = /<\/?[a-z][^>]*>/i;

/** Comments are HTML since the comment widget has an editor; older ones are lines of text. */
async function textOf(content: string, resolve: (address: string) => string): Promise<string> {
  const lines = content.replace(/\r\n?/g, '\n');
  const html = TAG.test(lines) ? lines : lines.replaceAll('\n', '<br>');
  const { markdown, isTooDeep } = await toMarkdown(commentFromHtml, html, { resolve });
  return isTooDeep ? content : markdown;
}

/** Base of relative addresses if the site's address is unknown. */
const UNKNOWN_ORIGIN = 'https://halo.invalid';

/**
 * Opens a backup of Halo 2.8 or later. Reads its data completely into a scratch file first: nothing is
 * imported from an incomplete one.
 * @throws Problem if the file is invalid
 */
export async function openHalo(path: string, options: SourceOptions): Promise<ForeignSite> {
  const zip = await openBackupZip(path);
  return orClose(zip, async () => {
    const extensions = await readExtensions(zip.data());
    return orClose(extensions, () => siteOf(zip, extensions, options));
  });
}

function siteOf(zip: BackupZip, extensions: Extensions, options: SourceOptions): ForeignSite {
  const named = originsOf([...options.origins, externalUrlIn(extensions)]);
  const origins = named.length > 0 ? named : [UNKNOWN_ORIGIN];
  const [base = UNKNOWN_ORIGIN] = origins;
  const resolve = (address: string): string => resolveAddress(address, base);
  const { omitsHidden = false } = options;
  const source: Posts = { extensions, terms: readTerms(extensions), omitsHidden, resolve };
  const attachments = openAttachments(extensions, zip, createOwnHosts(origins));
  const kinds = ['posts', ...(options.pages ? (['singlepages'] as const) : [])] as const;
  const taken = new Set(kinds.flatMap((kind) => [...namesIn(extensions, kind)]));
  let lostArticles: Loss[] = [];
  let lostComments: Loss[] = [];
  return {
    product: 'Halo',
    identity: identityOf(extensions),
    origins,
    users: () => peopleOf(extensions),
    tags: () => source.terms.tags(),
    series: () => [],
    navigation: () => navigationOf(extensions),
    friends: () => friendsOf(extensions),
    articles: () => articlesOf(source, kinds, (losses) => (lostArticles = losses)),
    comments: () =>
      commentsOf(
        source,
        (name) => taken.has(name),
        (losses) => (lostComments = losses),
      ),
    picture: (address) => attachments.read(resolve(address)),
    losses: () => [
      ...settledLosses(extensions, options.pages, attachments.others()),
      ...lostArticles,
      ...lostComments,
    ],
    async close() {
      extensions.close();
      await zip.close();
    },
  };
}

function* namesIn(extensions: Extensions, kind: Kind): Generator<string> {
  for (const { metadata } of extensions.list(kind, postShape))
    if (metadata.deletionTimestamp === undefined) yield metadata.name;
}

/**
 * Identifies the site by its first account, which Halo creates during setup with a nanosecond timestamp; the
 * site's address may change.
 */
function identityOf(extensions: Extensions): string {
  for (const { metadata } of extensions.list('users', userShape))
    return `${metadata.name}@${metadata.creationTimestamp ?? ''}`;
  throw new Problem('备份里没有用户，不是 Halo 2 的备份');
}

const basicShape = z.object({ externalUrl: z.string() });

/** Returns the site's address by its settings; '' if they do not contain it. */
function externalUrlIn(extensions: Extensions): string {
  const system = extensions.find('configmaps', 'system', configShape);
  return basicShape.safeParse(jsonOf(system?.data['basic'] ?? '')).data?.externalUrl ?? '';
}

function settledLosses(extensions: Extensions, takesPages: boolean, files: number): Loss[] {
  const users = [...extensions.list('users', userShape)];
  const people = users.filter(({ metadata }) => metadata.labels['halo.run/hidden-user'] !== 'true');
  return realLosses([
    pagesLoss([...namesIn(extensions, 'singlepages')].length, takesPages),
    passwordsLoss('Halo', people.length),
    { what: '附件', why: '不是图片，没有导入', count: files },
    { what: '备份里的数据', why: '看不懂，没有导入', count: extensions.unreadable },
    ...Array.from(extensions.unsupported, ([what, count]) => ({ what, why: '本站没有，没有导入', count })),
  ]);
}
