import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SiteFile, type SiteFacts } from '../../contract/site.ts';
import type { Look } from '../../contract/look.ts';
import { SITE_DEFAULTS } from '../../shared/site-settings.ts';
import { MAX_LOGO_BYTES } from '../../contract/rules/site-rules.ts';
import { ConfigError } from './config-fields.ts';
import { readJsonSettings } from './json-settings.ts';

export interface SiteSettings {
  configured: Omit<SiteFacts, 'logo' | 'icons' | 'accent' | 'look' | 'style'>;
  logo: { name: string; bytes: Buffer } | null;
  /** `#rrggbb`. */
  accent: string | null;
  /** Null for the default look. */
  look: Look | null;
  /** Source (variable or file) of each field set there; the console cannot change these fields. */
  sources: Readonly<Record<string, string>>;
}

/** `SITE_JSON` is the content of a `site.json`; the other variables override the file. */
type SiteEnvironment = Partial<
  Record<'SITE_JSON' | 'SITE_TITLE' | 'SITE_DESCRIPTION' | 'SITE_BEIAN', string | undefined>
>;

const SITE_FILE = 'site.json';

/**
 * Reads the site settings from SITE_JSON, or else from `site.json` in `dataDir`, and from the variables.
 * @throws ConfigError: one line that names the file, the path of the field and the expected value
 */
export function readSiteSettings(dataDir: string, environment: SiteEnvironment): SiteSettings {
  const { SITE_JSON, SITE_TITLE: title, SITE_DESCRIPTION: description, SITE_BEIAN: beian } = environment;
  const { source, value } = readJsonSettings(SiteFile, {
    dataDir,
    file: SITE_FILE,
    variable: 'SITE_JSON',
    text: SITE_JSON,
  });
  const { logo, accent, look, ...file } = value;
  const {
    timeZone: _,
    logo: __,
    icons: ___,
    accent: ____,
    look: _____,
    style: ______,
    ...defaults
  } = SITE_DEFAULTS;
  const variables = Object.entries({ title, description, beian }).filter(([, value]) => value !== undefined);
  const place = SITE_JSON === undefined ? SITE_FILE : 'SITE_JSON';
  const inFile = Object.entries({ ...file, logo, accent, look }).filter(([, value]) => value !== undefined);
  // The three describe one list.
  const parts = ['navigation', 'nav', 'links'];
  const lists = parts.some((field) => inFile.some(([name]) => name === field)) ? parts : [];
  return {
    sources: Object.fromEntries([
      ...[...inFile.map(([field]) => field), ...lists].map((field) => [field, place]),
      ...variables.map(([field]) => [field, `SITE_${field.toUpperCase()}`]),
    ]) as Record<string, string>,
    configured: { ...defaults, ...file, ...Object.fromEntries(variables) } as SiteSettings['configured'],
    logo: logo === undefined ? null : { name: logo, bytes: readLogo(source, join(dataDir, logo)) },
    accent: accent ?? null,
    look: look ?? null,
  };
}

function readLogo(source: string, path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new ConfigError(`${source}: logo: ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (bytes.length <= MAX_LOGO_BYTES) return bytes;
  throw new ConfigError(`${source}: logo: ${path} must be at most ${MAX_LOGO_BYTES / 1024} KiB`);
}
