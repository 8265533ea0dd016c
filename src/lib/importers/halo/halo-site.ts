import { z } from 'zod';
import { UsageError } from '../../cli/explain.ts';
import type { ForeignSite, Loss } from '../site/foreign-site.ts';
import { openAttachments } from './attachments.ts';
import { openBackupZip, type BackupZip } from './backup-zip.ts';
import { commentsOf } from './comments.ts';
import { readExtensions, type Extensions, type Kind } from './extensions.ts';
import { peopleOf } from './people.ts';
import { articlesOf, type Posts } from './posts.ts';
import { configShape, postShape, userShape } from './shapes.ts';
import { readTerms } from './terms.ts';

export interface HaloRequest {
  file: string;
  origins?: readonly string[] | undefined;
  takesPages?: boolean | undefined;
}

/** Base of relative addresses if the site's address is unknown. */
const UNKNOWN_ORIGIN = 'https://halo.invalid';

/**
 * Opens a backup of Halo 2.8 or later. Reads its data completely into a scratch file first: nothing is
 * imported from an incomplete one.
 * @throws UsageError if the file is invalid
 */
export async function openHaloSite(request: HaloRequest): Promise<ForeignSite> {
  const zip = await openBackupZip(request.file);
  try {
    const extensions = await readExtensions(zip.data());
    try {
      return siteOf(zip, extensions, request);
    } catch (error) {
      extensions.close();
      throw error;
    }
  } catch (error) {
    await zip.close();
    throw error;
  }
}

function siteOf(zip: BackupZip, extensions: Extensions, request: HaloRequest): ForeignSite {
  const origins = originsOf(extensions, request.origins ?? []);
  const [base = UNKNOWN_ORIGIN] = origins;
  const hosts = new Set(origins.map((origin) => hostOf(new URL(origin))));
  const resolve = (address: string): string =>
    /^https?:/i.test(address) ? address : (URL.parse(address, base)?.href ?? '');
  const source: Posts = { extensions, terms: readTerms(extensions), resolve };
  const attachments = openAttachments(extensions, zip, (url) => hosts.has(hostOf(url)));
  const kinds = ['posts', ...(request.takesPages ? (['singlepages'] as const) : [])] as const;
  const taken = new Set(kinds.flatMap((kind) => [...namesIn(extensions, kind)]));
  let lostArticles: Loss[] = [];
  let lostComments: Loss[] = [];
  return {
    product: 'Halo',
    identity: identityOf(extensions),
    origins,
    users: () => inTurn(peopleOf(extensions)),
    tags: () => inTurn(source.terms.tags()),
    series: () => inTurn([]),
    articles: () => articlesOf(source, kinds, (losses) => (lostArticles = losses)),
    comments: () =>
      commentsOf(
        source,
        (name) => taken.has(name),
        (losses) => (lostComments = losses),
      ),
    picture: (address) => attachments.read(resolve(address)),
    losses: () => [
      ...settledLosses(extensions, request.takesPages === true, attachments.others()),
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
  throw new UsageError('备份里没有用户，不是 Halo 2 的备份');
}

const basicShape = z.object({ externalUrl: z.string() });

function originsOf(extensions: Extensions, said: readonly string[]): string[] {
  const system = extensions.find('configmaps', 'system', configShape);
  const named = externalUrlIn(system?.data['basic'] ?? '');
  const all = [...said, ...(named === undefined ? [] : [named])];
  const origins = all.flatMap((address) => {
    const url = URL.parse(address);
    return url && /^https?:$/.test(url.protocol) ? url.origin : [];
  });
  return origins.length > 0 ? [...new Set(origins)] : [UNKNOWN_ORIGIN];
}

function externalUrlIn(basic: string): string | undefined {
  try {
    return basicShape.parse(JSON.parse(basic)).externalUrl;
  } catch {
    return undefined;
  }
}

function settledLosses(extensions: Extensions, takesPages: boolean, files: number): Loss[] {
  const countOf = (kind: Kind): number => [...namesIn(extensions, kind)].length;
  const users = [...extensions.list('users', userShape)];
  const people = users.filter(({ metadata }) => metadata.labels['halo.run/hidden-user'] !== 'true');
  const found = [
    {
      what: '页面',
      why: '本站没有页面，没有导入（加 --pages 作为私密文章导入）',
      count: takesPages ? 0 : countOf('singlepages'),
    },
    {
      what: '账号密码',
      why: 'Halo 的密码不能沿用，请用 moye user passwd <用户名> 为要登录的人设置',
      count: people.length,
    },
    { what: '附件', why: '不是图片，没有导入', count: files },
    { what: '备份里的数据', why: '看不懂，没有导入', count: extensions.unreadable },
    ...Array.from(extensions.unsupported, ([what, count]) => ({ what, why: '本站没有，没有导入', count })),
  ];
  return found.filter(({ count }) => count > 0);
}

const hostOf = (url: URL): string => url.host.replace(/^www\./, '');

async function* inTurn<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
