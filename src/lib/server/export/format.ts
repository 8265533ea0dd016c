import { z } from 'zod';
import { PICTURE_URL, picturesIn } from '../../contract/pictures.ts';

/**
 * An export is a folder, or a zip of it: each author's articles as markdown with their pictures, lists as
 * JSON with an entry a line, and a manifest. docs/decisions/0055.
 */
export const FORMAT = 1;
export const MANIFEST = 'moye.json';

/** Lists of the whole export. */
export const LISTS = {
  users: 'data/users.json',
  tags: 'data/tags.json',
  series: 'data/series.json',
  pictures: 'data/pictures.json',
  comments: 'data/comments.json',
  reads: 'data/reads.json',
} as const;

/** Folders of an author, by what is in them. What generators publish stands in `posts` alone. */
export const FOLDERS = {
  post: 'posts',
  draft: 'drafts',
  secret: 'secret',
  trash: 'trash',
  /** Changes of published articles that are not published. */
  revision: 'revisions',
  /** Earlier texts, in a folder for each article. */
  version: 'versions',
  picture: 'pictures',
} as const;

/** Where the folders of authors stand in a site's export; an author's own has them at its root. */
export const AUTHORS = 'authors';

/** Whether `name` is one of an uploaded picture. */
export const isPictureName = (name: string): boolean =>
  picturesIn({ content: PICTURE_URL + name })[0] === name;

const id = z.string().regex(/^[0-9a-f]{24}$/);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(1_000_000);
const instant = z.iso.datetime().max(30);
const path = z.string().max(1_000);
const flag = z.union([z.literal(0), z.literal(1)]);
const picture = z.string().refine((name) => name === '' || isPictureName(name));

/** What only an export with accounts says of a user. */
const Account = z.object({
  /** As it is stored. */
  password: z.string().max(500),
  role: z.enum(['author', 'editor', 'operator']),
  banned_until: z.number().int().nullable(),
  ban_reason: text,
  ban_hides: flag,
  email: z.object({ address: z.string().max(254), confirmed: instant }).nullable(),
});

export const User = z.object({
  id,
  username: z.string().min(1).max(100),
  gender: z.enum(['m', 'f', 'x']),
  bio: text,
  /** Name of the avatar's file, or the empty string. */
  avatar: picture,
  created: instant,
  closed: z.enum(['', 'kept', 'removing', 'removed']),
  /** Where their articles and pictures are; the empty string is the export's root. */
  folder: path.optional(),
  account: Account.optional(),
});
export type User = z.infer<typeof User>;

export const Tag = z.object({
  id,
  name: z.string().min(1).max(200),
  description: text,
  creator: id,
  created: instant,
  updated: instant,
  /** Whether everybody sees it. */
  is_listed: z.boolean(),
  /** Whether it is shown without a public article; exports of older versions do not say. */
  made_by_name: z.boolean().optional(),
});
export type Tag = z.infer<typeof Tag>;

export const Series = z.object({
  id,
  author: id,
  title: z.string().max(500),
  description: text,
  /** Name of a picture, or the empty string. */
  cover: picture,
  created: instant,
  updated: instant,
});
export type Series = z.infer<typeof Series>;

export const Picture = z.object({
  name: z.string().refine(isPictureName),
  owner: id,
  kind: z.enum(['avatar', 'image']),
  bytes: count,
  created: instant,
  path,
});
export type Picture = z.infer<typeof Picture>;

/** Why readers do not see something. */
const Withheld = z.object({
  state: z.enum(['held', 'hidden', 'deleted']),
  note: text,
  /** For staff; not in an author's own export. */
  reasons: z.string().max(10_000),
  since: instant,
});

export const Comment = z.object({
  id,
  article: id,
  /** Its title, for whoever reads the file. */
  title: z.string(),
  author: id,
  author_name: z.string(),
  content: z.string().max(20_000),
  created: instant,
  edited: instant.nullable(),
  /** Whom it answers, and the comment that it quotes; exports of older versions name no comment. */
  reply_to: z.object({ user: id, name: z.string(), comment: id.optional() }).nullable(),
  /** The text of the quoted comment, to read; empty where readers do not see that comment. */
  quote: z.string().max(20_000),
  mentions: z.array(z.tuple([z.string().max(50), z.string().max(200)])).max(10_000),
  /** Whom it is addressed to, and who has read it: in an author's export, of the author alone. */
  recipients: z.array(z.object({ user: id, is_read: z.boolean() })).max(100_000),
  request_id: z.string().max(1_000).optional(),
  withheld: Withheld.optional(),
});
export type Comment = z.infer<typeof Comment>;

/** Reads of an article on a day, or in a month, which begins with that millisecond. */
export const Reads = z.object({
  article: id,
  day: z.number().int().optional(),
  month: z.number().int().optional(),
  reads: count,
});
export type Reads = z.infer<typeof Reads>;

/** What the front matter of an article says under `moye`, besides what generators know. */
export const ArticleFacts = z.object({
  id,
  author: id,
  status: z.enum(['normal', 'draft', 'cancel']),
  moderation: z.enum(['', 'held', 'hidden']),
  wanted_secret: flag,
  was_published: flag,
  type: z.string().max(100),
  series: z.string().regex(/^(?:[0-9a-f]{24})?$/),
  series_no: z.number().int(),
  saved_by: z.string().max(500),
  read_num: count,
  /** Whether its HTML had been made: a draft's is when its author first reads it. */
  is_rendered: z.boolean(),
  /** Its place in the order of all articles; in a site's export alone. */
  seq: z.number().int().min(1).max(1_000_000_000).optional(),
  /** Whether addresses of pictures in the text are those of the site still. */
  has_site_addresses: z.boolean().optional(),
  trash: z.object({ status: z.enum(['normal', 'draft']), time: instant }).optional(),
  schedule: z.object({ time: instant, problem: text }).optional(),
  withheld: Withheld.optional(),
});
export type ArticleFacts = z.infer<typeof ArticleFacts>;

/** The same of an unpublished revision. */
export const RevisionFacts = ArticleFacts.pick({
  series: true,
  saved_by: true,
  has_site_addresses: true,
}).extend({
  revision_of: id,
  base: instant,
});
export type RevisionFacts = z.infer<typeof RevisionFacts>;

/** The same of an earlier text. */
export const VersionFacts = ArticleFacts.pick({ series: true, has_site_addresses: true }).extend({
  id,
  version_of: id,
  kind: z.enum(['publication', 'draft']),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});
export type VersionFacts = z.infer<typeof VersionFacts>;

export const Manifest = z.object({
  moye_export: z.literal(FORMAT),
  /** Version of the product. */
  product: z.string(),
  kind: z.enum(['author', 'site']),
  /** Id of the author whose export this is; null for a site's. */
  author: id.nullable(),
  with_accounts: z.boolean(),
  /** The state it holds. */
  time: instant,
  counts: z.object({
    users: count,
    articles: count,
    revisions: count,
    versions: count,
    tags: count,
    series: count,
    comments: count,
    pictures: count,
  }),
  /** Pictures that rows name and that were gone when their turn came. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** What every version of the format says of itself first. */
export const FormatNumber = z.object({ moye_export: z.number().int().min(1) });

/** Why an export cannot be made or read: one Chinese sentence. */
export class ExportError extends Error {
  override name = 'ExportError';
}
