import { z } from 'zod';
import { Problem } from '../../markdown-file/problem.ts';
import { orClose } from '../or-close.ts';
import { createOwnHosts, originsOf, resolveAddress } from '../site/addresses.ts';
import type { ForeignSite, Loss } from '../site/foreign-site.ts';
import { pagesLoss, passwordsLoss, realLosses } from '../site/losses.ts';
import type { SourceOptions } from '../site/source-options.ts';
import { openAttachments } from './attachments.ts';
import { openBackupZip, type BackupZip } from './backup-zip.ts';
import { commentsOf } from './comments.ts';
import { jsonOf, readExtensions, type Extensions, type Kind } from './extensions.ts';
import { peopleOf } from './people.ts';
import { articlesOf, type Posts } from './posts.ts';
import { configShape, postShape, userShape } from './shapes.ts';
import { readTerms } from './terms.ts';

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
