import { createHash } from 'node:crypto';
import { BOUNDS } from '../../contract/bounds.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { FORMAT_BYTES, formatOf, PICTURES, unreadableText } from '../../contract/pictures.ts';
import { findPicture, listBroughtUsers } from './foreign-queries.ts';
import { createSiteArticles } from './site-import-articles.ts';
import { createSiteComments } from './site-import-comments.ts';
import type { Person, SiteImportParts } from './site-import-parts.ts';
import { createSitePeople, MADE } from './site-import-people.ts';

export type SiteImportService = ReturnType<typeof createSiteImportService>;
export type SiteImport = ReturnType<SiteImportService['open']>;

/**
 * Brings in what another product's site holds. Each thing and what is remembered of it share a transaction:
 * killed at any moment, the next run goes on where this one was, and a thing that is known is not taken
 * again. See docs/decisions/0058-import-of-sites.md.
 */
export function createSiteImportService(parts: SiteImportParts) {
  const { db, imports, files } = parts;

  return {
    /**
     * @param identity names the site, the same in each run
     */
    open({ identity, isDryRun }: { identity: string; isDryRun: boolean }) {
      const digest = createHash('sha256').update(identity).digest('hex');
      const run = { prefix: `site:${digest.slice(0, 32)}:`, isDryRun };
      return {
        /** The accounts that earlier runs have made or found, by key. */
        async people(): Promise<Map<string, Person>> {
          const prefix = `${run.prefix}user:`;
          const rows = await listBroughtUsers(db.read, prefix);
          return new Map(
            rows.map(({ source, id, username, avatar, digest }) => {
              const lacksAvatar = avatar === '' && digest === MADE;
              return [source.slice(prefix.length), { id, username, lacksAvatar }] as const;
            }),
          );
        },

        ...createSitePeople(parts, run),
        ...createSiteArticles(parts, run),
        ...createSiteComments(parts, run),

        /**
         * Stores a picture for a person's articles, once by its content; its file's name. Refuses as
         * `FileService.saveImage`.
         */
        async storePicture(owner: Person, bytes: Uint8Array): Promise<string> {
          const hash = createHash('sha256').update(bytes).digest('hex');
          const former = await findPicture(db.read, owner.id, `image:${hash}`);
          if (former !== null) return former;
          const saved = await imports.saveImage({ ...owner, signinId: '' }, { hash, bytes }, { isDryRun });
          return saved.name;
        },

        /** Makes a picture somebody's avatar. Refuses as `FileService.saveAvatar`. */
        async storeAvatar(owner: Person, bytes: Uint8Array): Promise<void> {
          if (isDryRun) checkAvatar(bytes);
          else await files.bringAvatar({ id: owner.id, isUnlimited: true }, bytes);
        },

        /** Whether `error` refuses a picture for what it is, rather than for want of room or time. */
        isBadPicture: (error: unknown): boolean =>
          isRefusal(error, 'IMAGE_UNREADABLE') ||
          isRefusal(error, 'IMAGE_MISSING') ||
          isRefusal(error, 'BODY_TOO_LARGE'),
      };
    },
  };
}

/** Refuses what is plainly no picture for an avatar. */
function checkAvatar(bytes: Uint8Array): void {
  const start = bytes.subarray(0, FORMAT_BYTES);
  const format = formatOf(start);
  if (bytes.length > BOUNDS.imageBytes) refuse('BODY_TOO_LARGE');
  if (!PICTURES.avatar.formats.some((known) => known === format))
    refuse('IMAGE_UNREADABLE', { text: unreadableText('avatar', start) });
}
