import { createHash } from 'node:crypto';
import { SITE_FILES } from '../../contract/rules/paths.ts';
import type { SiteFacts } from '../../contract/site.ts';
import { palette } from '../../shared/palette.ts';
import type { SiteSettings } from '../config/site-settings-file.ts';
import { drawLogo, icons, ownMark, readLogo, type Logo } from './icons.ts';

export interface MadeFile {
  bytes: Buffer;
  type: string;
  version: string;
}

export type MadeSite = Awaited<ReturnType<typeof makeSite>>;

const LOGO = { height: 28, widest: 160 };
const VERSION_LENGTH = 10;

const versionOf = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, VERSION_LENGTH);
};

/**
 * Returns the site's facts, and the files made from them: icons, logo, manifest, accent. Each file is made
 * when it is first requested, and cached.
 * @throws a one-line error if the logo is unusable
 */
export async function makeSite({ configured, logo: given, accent }: Omit<SiteSettings, 'sources'>) {
  const own = given === null ? null : await readLogo(given.name, given.bytes).catch(refuseLogo(given.name));
  const picture = own ?? ownMark();
  const sheet = accent === null ? null : await sheetOf(accent);
  const iconVersion = own ? versionOf(own.bytes) : '';
  const facts: SiteFacts = {
    ...configured,
    logo: own && { src: `/site-logo.png?v=${iconVersion}`, ...shownSize(own) },
    icons: own ? `?v=${iconVersion}` : '',
    accent: sheet ? `/accent.css?v=${versionOf(sheet)}` : '',
  };

  const make = async (path: (typeof SITE_FILES)[number]): Promise<Omit<MadeFile, 'version'> | null> => {
    if (path === '/manifest.webmanifest')
      return { bytes: manifestOf(facts), type: 'application/manifest+json' };
    if (path === '/accent.css') return sheet && { bytes: sheet, type: 'text/css; charset=utf-8' };
    if (path === '/site-logo.png')
      return own && { bytes: await drawLogo(own, shownSize(own)), type: 'image/png' };
    const icon = icons[path];
    return icon ? { bytes: await icon.make(picture), type: icon.type } : null;
  };
  const made = new Map<string, Promise<MadeFile | null>>();

  return {
    facts,

    /** The file at a path of SITE_FILES; null if the settings define none. */
    async file(path: string): Promise<MadeFile | null> {
      const known = SITE_FILES.find((each) => each === path);
      if (!known) return null;
      const file =
        made.get(known) ??
        make(known).then((answer) => answer && { ...answer, version: versionOf(answer.bytes) });
      made.set(known, file);
      // A failure may be temporary, so it is not cached.
      file.catch(() => made.delete(known));
      return file;
    },
  };
}

/** Loaded on demand: only some sites have an accent. */
async function sheetOf(colour: string): Promise<Buffer> {
  const { accentOf, accentSheet } = await import('./accent.ts');
  return Buffer.from(accentSheet(accentOf(colour)));
}

const refuseLogo = (name: string) => (error: Error) => {
  throw new Error(`site.json: logo: ${name} ${error.message}`, { cause: error });
};

function shownSize({ width, height }: Logo): { width: number; height: number } {
  const wide = Math.round((LOGO.height * width) / height);
  if (wide <= LOGO.widest) return { width: Math.max(1, wide), height: LOGO.height };
  return { width: LOGO.widest, height: Math.max(1, Math.round((LOGO.widest * height) / width)) };
}

/** https://www.w3.org/TR/appmanifest/: opens as a browser tab, so no browser feature is missing. */
function manifestOf({ title, description, icons: version }: SiteFacts): Buffer {
  const icon = (size: number, purpose: 'any' | 'maskable', name = `icon-${size}`) => ({
    src: `/${name}.png${version}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    name: title,
    short_name: title,
    ...(description ? { description } : {}),
    lang: 'zh-CN',
    start_url: '/home',
    display: 'browser',
    background_color: palette.light.paper,
    theme_color: palette.light.paper,
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable', 'icon-maskable')],
  };
  return Buffer.from(JSON.stringify(manifest));
}
