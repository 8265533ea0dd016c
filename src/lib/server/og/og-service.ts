import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { AppParts } from '../services.ts';
import { isInReserve } from '../storage/disk-reserve.ts';
import type { Drawer } from './drawer.ts';
import { createStoredPictures, type StoredPictures } from './stored-pictures.ts';
import { findPublicTitle } from './og-queries.ts';
import type { PictureText, Seal } from './picture.ts';
import { sealOf } from '../../contract/rules/site-rules.ts';
import type { SiteFacts } from '../../contract/site.ts';
import { MIB } from '../../contract/rules/units.ts';

export interface OgPicture {
  bytes: Uint8Array;
  version: string;
}

export type OgService = ReturnType<typeof openOg>;

/** Increased when the design of the pictures changes. */
const DESIGN_VERSION = 4;
const MAX_CACHE_BYTES = MIB;
const UNTITLED = '无标题';

interface Parts extends Pick<AppParts, 'db' | 'log'> {
  drawer: Pick<Drawer, 'draw'>;
  site: {
    facts: Pick<SiteFacts, 'title' | 'description' | 'seal' | 'logo'>;
    file(path: '/site-logo.png'): Promise<{ bytes: Buffer } | null>;
  };
}

/** Folder in DATA_DIR. If it is lost, pictures are drawn again. */
const FOLDER = 'og';

export function openOg({
  dataDir,
  diskReserveBytes,
  ...parts
}: Parts & { dataDir: string; diskReserveBytes: number }) {
  const pictures = createStoredPictures(join(dataDir, FOLDER), {
    mayWrite: async () => !(await isInReserve(dataDir, diskReserveBytes)),
  });
  return createOgService({ ...parts, pictures });
}

export function createOgService(parts: Parts & { pictures: StoredPictures }) {
  const { db, site, drawer, pictures, log } = parts;
  const recent = new LRUCache<string, Uint8Array>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length,
  });
  const underWay = new Map<string, Promise<Uint8Array>>();
  /** Without a usable folder each picture is drawn again, but requests succeed. */
  const unusable = (error: unknown): null => {
    log.warn({ err: error }, 'Open Graph images cannot be cached');
    return null;
  };

  async function make(name: string, text: PictureText, address: string): Promise<Uint8Array> {
    const stored = await pictures.read(name).catch(unusable);
    if (stored) return stored;
    const bytes = await drawer.draw(text, address);
    await pictures.write(name, bytes).catch(unusable);
    return bytes;
  }

  async function pictureOf(text: PictureText, address: string): Promise<OgPicture> {
    const name = versionOf(text);
    const known = recent.get(name);
    if (known) return { bytes: known, version: name };
    const making = underWay.get(name) ?? make(name, text, address).finally(() => underWay.delete(name));
    underWay.set(name, making);
    const bytes = await making;
    recent.set(name, bytes);
    return { bytes, version: name };
  }

  async function readSeal(): Promise<Seal | null> {
    const seal = sealOf(site.facts);
    if (!seal || 'text' in seal) return seal;
    const file = await site.file('/site-logo.png');
    return file && { ...seal.logo, png: file.bytes.toString('base64') };
  }

  return {
    /**
     * Returns the image of a public article, null for any other.
     * @param address whose turn in the queue drawing uses
     */
    async ofArticle(id: string, address: string): Promise<OgPicture | null> {
      const found = await findPublicTitle(db.read, id);
      if (!found) return null;
      const { title, author } = found;
      const text = { title: title || UNTITLED, author, site: site.facts.title, seal: await readSeal() };
      return pictureOf(text, address);
    },

    async ofSite(address: string): Promise<OgPicture> {
      const { title, description } = site.facts;
      return pictureOf({ title, author: description, site: title, seal: await readSeal() }, address);
    },
  };
}

const versionOf = ({ title, author, site, seal }: PictureText): string =>
  createHash('sha256')
    .update(JSON.stringify([DESIGN_VERSION, title, author, site, seal]))
    .digest('base64url')
    .slice(0, 22);
