import { z } from 'zod';
import { FRIEND_STATES } from '../../contract/calls/friend-calls.ts';
import { displayNameField, usernameField, websiteField } from '../../contract/fields.ts';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import { linkRule, pictureRule } from '../../contract/rules/names.ts';
import { NOTIFICATION_RESULTS, NOTIFICATIONS } from '../../contract/rules/notice-kinds.ts';
import { SLUG_BOUNDS, slugRule } from '../../contract/rules/slugs.ts';
import { PICTURE_URL, picturesIn } from '../../contract/rules/pictures.ts';
import { namesOf } from '../../contract/titled.ts';

/**
 * An export is a folder, or a zip of it: each author's articles as markdown with their pictures, lists as
 * JSON with one entry per line, and a manifest. docs/features/export.md.
 */
export const FORMAT = 1;
export const MANIFEST = 'moye.json';

export const LISTS = {
  users: 'data/users.json',
  tags: 'data/tags.json',
  series: 'data/series.json',
  pictures: 'data/pictures.json',
  comments: 'data/comments.json',
  reads: 'data/reads.json',
  notifications: 'data/notifications.json',
  friends: 'data/friends.json',
  site: 'data/site.json',
} as const;

/** Folders of an author. Only `posts` holds articles that generators publish. */
export const FOLDERS = {
  post: 'posts',
  draft: 'drafts',
  secret: 'secret',
  /** Pending, refused and hidden articles. */
  withheld: 'withheld',
  trash: 'trash',
  /** Unpublished changes of published articles. */
  revision: 'revisions',
  /** Earlier texts, in one folder per article. */
  version: 'versions',
  picture: 'pictures',
} as const;

/** Parent of the authors' folders in a site's export; an author's own export has no such folder. */
export const AUTHORS = 'authors';

export const isPictureName = (name: string): boolean =>
  picturesIn({ content: PICTURE_URL + name })[0] === name;

const id = z.string().regex(/^[0-9a-f]{24}$/);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(1_000_000);
const instant = z.iso.datetime().max(30);
const path = z.string().max(1_000);
const flag = z.union([z.literal(0), z.literal(1)]);
const picture = z.string().refine((name) => name === '' || isPictureName(name));

const Account = z.object({
  password: z.string().max(500),
  role: z.enum(['author', 'editor', 'operator']),
  banned_until: z.number().int().nullable(),
  ban_reason: text,
  ban_hides: flag,
  email: z.object({ address: z.string().max(254), confirmed: instant }).nullable(),
  /** Accounts at identity providers; absent in exports of older versions. */
  identities: z
    .array(
      z.object({
        issuer: z.string().max(2_000),
        subject: z.string().max(255),
        name: z.string().max(255),
        created: instant,
        used: instant,
      }),
    )
    .optional(),
  /** Names that redirect to the account; absent in exports of older versions. */
  former_names: z.array(usernameField).max(1_000).optional(),
});

export const User = z.object({
  id,
  username: z.string().min(1).max(100),
  gender: z.enum(['m', 'f', 'x']),
  bio: text,
  /** Absent, as `website` and `links`, if the user has none. */
  display_name: displayNameField.optional(),
  website: websiteField.optional(),
  links: z.array(websiteField).max(BOUNDS.profileLinks[1]).optional(),
  avatar: picture,
  /** Picture for thanks; absent if the user has none. */
  thanks: picture.optional(),
  created: instant,
  closed: z.enum(['', 'kept', 'removing', 'removed']),
  /** Folder of their articles and pictures; the empty string is the export's root. */
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
  is_listed: z.boolean(),
  /** Whether it is shown without a public article; absent in exports of older versions. */
  made_by_name: z.boolean().optional(),
});
export type Tag = z.infer<typeof Tag>;

export const Series = z.object({
  id,
  author: id,
  title: z.string().max(500),
  description: text,
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

const Withheld = z.object({
  state: z.enum(['held', 'hidden', 'deleted']),
  note: text,
  /** For staff; `[]` in an author's own export. */
  reasons: z.string().max(10_000),
  since: instant,
  /** Whether a ban has hidden it; exports of older versions lack it. */
  by_ban: z.boolean().optional(),
});
export type Withheld = z.infer<typeof Withheld>;

export const Comment = z.object({
  id,
  article: id,
  title: z.string(),
  author: id,
  author_name: z.string(),
  content: z.string().max(20_000),
  created: instant,
  edited: instant.nullable(),
  /** The addressee and the quoted comment; exports of older versions lack the comment. */
  reply_to: z.object({ user: id, name: z.string(), comment: id.optional() }).nullable(),
  /** Text of the quoted comment, for people who read the file; empty if that comment is not visible. */
  quote: z.string().max(20_000),
  mentions: z.array(z.tuple([z.string().max(50), z.string().max(200)])).max(10_000),
  /** Recipients and whether they have read it; in an author's export, the author alone. */
  recipients: z.array(z.object({ user: id, is_read: z.boolean() })).max(100_000),
  request_id: z.string().max(1_000).optional(),
  withheld: Withheld.optional(),
});
export type Comment = z.infer<typeof Comment>;

/** Reads of an article on a day or in a month; `day` and `month` are its first millisecond. */
export const Reads = z.object({
  article: id,
  day: z.number().int().optional(),
  month: z.number().int().optional(),
  reads: count,
});
export type Reads = z.infer<typeof Reads>;

/** A user's notification inside the site. */
export const Notification = z.object({
  id,
  user: id,
  kind: z.enum(namesOf(NOTIFICATIONS)),
  subject: z.object({ kind: z.string().max(50), id: z.string().max(200) }),
  data: z.object({
    result: z.enum(NOTIFICATION_RESULTS),
    text,
    reason: text,
    path: z.string().regex(/^(?:\/(?!\/).{0,999})?$/),
    until: z.number().int().nullable().optional(),
    restores: z.boolean().optional(),
    articles: count.optional(),
    comments: count.optional(),
  }),
  created: instant,
  read: instant.nullable(),
});
export type Notification = z.infer<typeof Notification>;

/** A friend of the site, or an application; exports of older versions and of authors have none. */
export const Friend = z.object({
  id,
  state: z.enum(FRIEND_STATES),
  name: z.string().max(100),
  url: path.refine((url) => url !== '' && linkRule.accepts(url)),
  description: path,
  logo: path.refine((logo) => pictureRule.accepts(logo) || linkRule.accepts(logo)),
  feed: path.refine(linkRule.accepts),
  email: z.string().max(254),
  group_name: z.string().max(100),
  position: count,
  create_time: count,
});

/** Facts of an article that are columns of the database. */
export const FactColumns = z.object({
  id,
  status: z.enum(['normal', 'draft', 'cancel']),
  moderation: z.enum(['', 'held', 'hidden']),
  wanted_secret: flag,
  was_published: flag,
  type: z.string().max(100),
  series_no: z.number().int(),
  saved_by: z.string().max(500),
  read_num: count,
  /** Whether it is a page of the site; exports of older versions have none. */
  is_page: flag.default(0),
});

/** Value of `moye` in the front matter of an article: data that other generators do not know. */
export const ArticleFacts = FactColumns.extend({
  author: id,
  series: z.string().regex(/^(?:[0-9a-f]{24})?$/),
  /** Slugs that its address has or had, the present one first; absent without any. */
  slugs: z.array(z.string().max(400)).max(10_000).optional(),
  /** Whether its HTML had been rendered: a draft is rendered when its author first reads it. */
  is_rendered: z.boolean(),
  /** Position in the order of all articles; only in a site's export. */
  seq: z.number().int().min(1).max(1_000_000_000).optional(),
  /** Whether pictures in the text still have addresses of the site. */
  has_site_addresses: z.boolean().optional(),
  trash: z.object({ status: z.enum(['normal', 'draft']), time: instant }).optional(),
  schedule: z.object({ time: instant, problem: text }).optional(),
  /** Place of a page in the tree. */
  page: z
    .object({
      slug: z.string().min(1).max(SLUG_BOUNDS[1]).refine(slugRule.accepts),
      parent: z.union([z.literal(''), id]),
      position: count,
      in_feeds: flag,
      former_slugs: z.array(z.string().min(1).max(SLUG_BOUNDS[1]).refine(slugRule.accepts)).max(1_000),
    })
    .optional(),
  withheld: Withheld.optional(),
});
export type ArticleFacts = z.infer<typeof ArticleFacts>;

export const RevisionFacts = ArticleFacts.pick({
  series: true,
  saved_by: true,
  has_site_addresses: true,
}).extend({
  revision_of: id,
  base: instant,
});
export type RevisionFacts = z.infer<typeof RevisionFacts>;

export const VersionFacts = ArticleFacts.pick({ series: true, has_site_addresses: true }).extend({
  id,
  version_of: id,
  kind: z.enum(['publication', 'draft']),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});
export type VersionFacts = z.infer<typeof VersionFacts>;

/** Parts of the site's identity; exports of older versions have none. */
export const SITE_PARTS = {
  site: z.record(z.string(), z.unknown()),
  site_logo: z.object({ name: z.string().max(100), base64: z.base64().max(4_000_000) }),
  site_looks: z.array(z.unknown()),
};
export const SitePart = z.object({ name: z.enum(namesOf(SITE_PARTS)), value: z.unknown() });
export type SitePart = z.infer<typeof SitePart>;

export const Manifest = z.object({
  moye_export: z.literal(FORMAT),
  product: z.string(),
  kind: z.enum(['author', 'site']),
  author: id.nullable(),
  with_accounts: z.boolean(),
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
  /** Pictures that rows name, but that were gone when they were read. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** Field that every version of the format has; checked first. */
export const FormatNumber = z.object({ moye_export: z.number().int().min(1) });

/** Reason why an export cannot be written or read: one Chinese sentence. */
export class ExportError extends Error {
  override name = 'ExportError';
}
