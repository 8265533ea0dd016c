import { createHash } from 'node:crypto';
import { SITE_FILES } from '../../contract/rules/paths.ts';
import { formerNavigation, navigationOf } from '../../contract/rules/navigation.ts';
import { DEFAULT_LOOK, type Look } from '../../contract/rules/looks.ts';
import { initialOf } from '../../contract/rules/site-rules.ts';
import type { SiteFacts } from '../../contract/site.ts';
import { choicesOf, lookSheet, themeSheet } from '../../shared/look-sheet.ts';
import { palette } from '../../shared/palette.ts';
import { SITE_DEFAULTS } from '../../shared/site-settings.ts';
import type { SiteSettings } from '../config/site-settings-file.ts';
import type { Drawer } from '../og/drawer.ts';
import type { IconMark } from '../og/picture.ts';
import { boundedStyle } from './style-rules.ts';
import { drawLogo, icons, ownMark, readLogo, squareMark, type Logo } from './icons.ts';

export interface MadeFile {
  bytes: Buffer;
  type: string;
  version: string;
}

export type IconDrawer = Pick<Drawer, 'drawIcon'>;

export type Shown = Omit<SiteSettings, 'sources'> & { style?: string | undefined };

export type MadeSite = Awaited<ReturnType<typeof makeSite>>;

const LOGO = { height: 28, widest: 160 };
/** Increased when the design of drawn icons changes. */
const ICON_DESIGN_VERSION = '1';
const VERSION_LENGTH = 10;

/** Short hash of the content of a file. */
export const versionOf = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, VERSION_LENGTH);
};

/**
 * Returns the site's facts, and the files made from them: icons, logo, manifest, style sheets. Each file is
 * made when it is first requested, and cached.
 * @throws a one-line error if the logo is unusable
 */
export async function makeSite(
  { configured, logo: given, accent, look, style = '' }: Shown,
  drawer: IconDrawer,
) {
  const own = given === null ? null : await readLogo(given.name, given.bytes).catch(refuseLogo(given.name));
  const used = look ?? DEFAULT_LOOK;
  const sheets = new Map([
    ['/look.css', lookSheet(used)],
    ['/accent.css', accent === null ? '' : await sheetOf(accent, used)],
    // Stored by a version with other rules: better none than no site.
    ['/style.css', style === '' ? '' : await boundedStyle(style).catch(() => '')],
  ]);
  const addressOf = (path: string) => {
    const sheet = sheets.get(path);
    return sheet ? `${path}?v=${versionOf(sheet)}` : '';
  };
  const mark = iconMarkOf(configured);
  const { title, description } = configured;
  /** The addresses of icons and manifest change with everything that they show. */
  const iconVersion = (shown: string | Buffer) =>
    `?v=${versionOf(shown, JSON.stringify([title, description]))}`;
  const facts: SiteFacts = {
    ...configured,
    ...(configured.navigation && formerNavigation(configured.navigation)),
    navigation: navigationOf(configured),
    logo: own && { src: `/site-logo.png?v=${versionOf(own.bytes)}`, ...shownSize(own) },
    icons: own ? iconVersion(own.bytes) : mark ? iconVersion(ICON_DESIGN_VERSION + JSON.stringify(mark)) : '',
    look: { href: addressOf('/look.css'), ...choicesOf(used) },
    accent: addressOf('/accent.css'),
    style: addressOf('/style.css'),
  };

  const readPicture = async (): Promise<Logo> => {
    if (own) return own;
    return mark ? squareMark(await drawer.drawIcon(mark)) : ownMark();
  };
  const make = async (path: (typeof SITE_FILES)[number]): Promise<Omit<MadeFile, 'version'> | null> => {
    if (path === '/manifest.webmanifest')
      return { bytes: manifestOf(facts), type: 'application/manifest+json' };
    const sheet = sheets.get(path);
    if (sheet !== undefined)
      return sheet === '' ? null : { bytes: Buffer.from(sheet), type: 'text/css; charset=utf-8' };
    if (path === '/site-logo.png')
      return own && { bytes: await drawLogo(own, shownSize(own)), type: 'image/png' };
    const icon = icons[path];
    return icon ? { bytes: await icon.make(await readPicture()), type: icon.type } : null;
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
async function sheetOf(colour: string, look: Look): Promise<string> {
  const { accentOf } = await import('./accent.ts');
  return themeSheet(accentOf(colour, look));
}

/**
 * Returns the icon of a site without a logo: its seal, or if it has none the first character of its name in
 * grey. Null while name and seal are the defaults, for the project's mark.
 */
function iconMarkOf({ title, seal }: Pick<SiteFacts, 'title' | 'seal'>): IconMark | null {
  if (title === SITE_DEFAULTS.title && seal === SITE_DEFAULTS.seal) return null;
  const letter = seal === '' || seal === 'none' ? initialOf(title) : seal;
  const [sign] = new Intl.Segmenter('zh').segment(title);
  return { text: letter ?? sign?.segment ?? '', isSeal: letter !== undefined && seal !== 'none' };
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
