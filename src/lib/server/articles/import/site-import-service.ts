import { createHash } from 'node:crypto';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { FORMAT_BYTES, formatOf, PICTURES, unreadableText } from '../../../contract/rules/pictures.ts';
import { findPicture, listImportedUsers } from './foreign-queries.ts';
import { createSiteArticles } from './site-import-articles.ts';
import { createSiteComments } from './site-import-comments.ts';
import type { Person, SiteImportParts } from './site-import-parts.ts';
import { createSitePeople, MADE } from './site-import-people.ts';

export type SiteImportService = ReturnType<typeof createSiteImportService>;
export type SiteImport = ReturnType<SiteImportService['open']>;

/**
 * Imports the site of another product. Each item and its record share a transaction: after a kill at any
 * moment the next run continues, and a known item is not imported again. See
 * docs/features/importing-sites.md.
 */
export function createSiteImportService(parts: SiteImportParts) {
  const { db, imports, files } = parts;

  return {
    /** @param identity identifies the site; the same in every run */
    open({ identity, isDryRun }: { identity: string; isDryRun: boolean }) {
      const digest = createHash('sha256').update(identity).digest('hex');
      const run = { prefix: `site:${digest.slice(0, 32)}:`, isDryRun };
      return {
        async people(): Promise<Map<string, Person>> {
          const prefix = `${run.prefix}user:`;
          const rows = await listImportedUsers(db.read, prefix);
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
         * Stores a picture for a person's articles, deduplicated by content; returns the name of the file.
         * Refuses as `FileService.saveImage`.
         */
        async storePicture(owner: Person, bytes: Uint8Array): Promise<string> {
          const hash = createHash('sha256').update(bytes).digest('hex');
          const former = await findPicture(db.read, owner.id, `image:${hash}`);
          if (former !== null) return former;
          const saved = await imports.saveImage(
            { ...owner, signinId: '', origin: null },
            { hash, bytes },
            { isDryRun },
          );
          return saved.name;
        },

        /** Sets an account's avatar. Refuses as `FileService.saveAvatar`. */
        async storeAvatar(owner: Person, bytes: Uint8Array): Promise<void> {
          if (isDryRun) checkAvatar(bytes);
          else await files.storeAvatar({ id: owner.id, isUnlimited: true }, bytes);
        },
      };
    },
  };
}

/** Refuses data that is plainly not an avatar, with BODY_TOO_LARGE or IMAGE_UNREADABLE. */
function checkAvatar(bytes: Uint8Array): void {
  const start = bytes.subarray(0, FORMAT_BYTES);
  const format = formatOf(start);
  if (bytes.length > BOUNDS.imageBytes) refuse('BODY_TOO_LARGE');
  if (!PICTURES.avatar.formats.some((known) => known === format))
    refuse('IMAGE_UNREADABLE', { text: unreadableText('avatar', start) });
}
