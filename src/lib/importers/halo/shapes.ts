import { z } from 'zod';

/**
 * Fields read from Halo's extensions (`halo/api`, packages `core.extension` and `core.extension.content`).
 */

/** A time: ISO 8601, or seconds, as some Jackson settings write it. */
const instant = z
  .union([z.string(), z.number()])
  .transform((value) => (typeof value === 'number' ? value * 1000 : Date.parse(value)))
  .transform((value) => (Number.isFinite(value) ? Math.trunc(value) : undefined))
  .optional()
  .catch(undefined);
const text = z.string().catch('');
const flag = z.boolean().catch(false);
const number = z.number().catch(0);
const names = z.array(z.string()).catch([]);
const texts = z.record(z.string(), z.string().nullish()).catch({});

const metadata = z.object({
  name: z.string(),
  creationTimestamp: instant,
  deletionTimestamp: instant,
  labels: texts,
  annotations: texts,
});

export const postShape = z.object({
  metadata,
  spec: z.object({
    title: text,
    slug: text,
    releaseSnapshot: text,
    headSnapshot: text,
    baseSnapshot: text,
    owner: text,
    cover: text,
    deleted: flag,
    publish: flag,
    publishTime: instant,
    pinned: flag,
    priority: number,
    allowComment: z.boolean().catch(true),
    visible: text,
    excerpt: z.object({ autoGenerate: flag, raw: text }).nullish().catch(null),
    categories: names,
    tags: names,
  }),
  status: z.object({ permalink: text, hideFromList: flag, lastModifyTime: instant }).nullish().catch(null),
});
export type HaloPost = z.infer<typeof postShape>;

export const snapshotShape = z.object({
  metadata,
  spec: z.object({ rawType: text, rawPatch: text, contentPatch: text, lastModifyTime: instant }),
});
export type HaloSnapshot = z.infer<typeof snapshotShape>;

export const termShape = z.object({ metadata, spec: z.object({ displayName: text, description: text }) });

export const userShape = z.object({
  metadata,
  spec: z.object({ displayName: text, avatar: text, email: text, bio: text, registeredAt: instant }),
});

const commentSpec = z.object({
  raw: text,
  content: text,
  owner: z.object({ kind: text, name: text, displayName: text }),
  creationTime: instant,
  approved: flag,
  hidden: flag,
});
export const commentShape = z.object({
  metadata,
  spec: commentSpec.extend({ subjectRef: z.object({ kind: text, name: text }) }),
});
export const replyShape = z.object({
  metadata,
  spec: commentSpec.extend({ commentName: text, quoteReply: text }),
});
export type HaloOwner = z.infer<typeof commentSpec>['owner'];

export const attachmentShape = z.object({
  metadata,
  spec: z.object({ mediaType: text, displayName: text }),
  status: z.object({ permalink: text }).nullish().catch(null),
});

export const configShape = z.object({ metadata, data: texts });

export const menuShape = z.object({ metadata, spec: z.object({ menuItems: names }) });
export const menuItemShape = z.object({
  metadata,
  spec: z.object({
    displayName: text,
    href: text,
    priority: number,
    children: names,
    targetRef: z.object({ kind: text, name: text }).nullish().catch(null),
  }),
  status: z.object({ displayName: text, href: text }).nullish().catch(null),
});

export const linkShape = z.object({
  metadata,
  spec: z.object({
    url: text,
    displayName: text,
    logo: text,
    description: text,
    groupName: text,
    priority: number,
  }),
});
export const linkGroupShape = z.object({ metadata, spec: z.object({ displayName: text, priority: number }) });
