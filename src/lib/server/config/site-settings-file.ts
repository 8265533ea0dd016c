import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SiteFile, type SiteFacts } from '../../contract/site.ts';
import { SITE_DEFAULTS } from '../../shared/site-settings.ts';
import { MIB } from '../../shared/units.ts';

export interface SiteSettings {
  configured: Omit<SiteFacts, 'logo' | 'icons' | 'accent'>;
  logo: { name: string; bytes: Buffer } | null;
  /** `#rrggbb`. */
  accent: string | null;
  /** Source (variable or file) of each field set there; the console cannot change these fields. */
  sources: Readonly<Record<string, string>>;
}

/** Environment variables, which override the file. */
export interface SiteEnvironment {
  /** Content of a `site.json`, used instead of the file. */
  SITE_JSON?: string | undefined;
  SITE_TITLE?: string | undefined;
  SITE_DESCRIPTION?: string | undefined;
  SITE_BEIAN?: string | undefined;
}

const SITE_FILE = 'site.json';
const MAX_LOGO_BYTES = MIB;

/**
 * Reads the site settings from SITE_JSON, or else from `site.json` in `dataDir`, and from the variables.
 * @throws one line that names the file, the path of the field and the expected value
 */
export function readSiteSettings(dataDir: string, environment: SiteEnvironment): SiteSettings {
  const { SITE_JSON, SITE_TITLE: title, SITE_DESCRIPTION: description, SITE_BEIAN: beian } = environment;
  const [source, text] = SITE_JSON === undefined ? fileIn(dataDir) : ['SITE_JSON', SITE_JSON];
  const { logo, accent, ...file } = text === null ? {} : parse(source, text);
  const { timeZone: _, logo: __, icons: ___, accent: ____, ...defaults } = SITE_DEFAULTS;
  const variables = Object.entries({ title, description, beian }).filter(([, value]) => value !== undefined);
  const place = SITE_JSON === undefined ? SITE_FILE : 'SITE_JSON';
  const inFile = Object.entries({ ...file, logo, accent }).filter(([, value]) => value !== undefined);
  return {
    sources: Object.fromEntries([
      ...inFile.map(([field]) => [field, place]),
      ...variables.map(([field]) => [field, `SITE_${field.toUpperCase()}`]),
    ]) as Record<string, string>,
    configured: { ...defaults, ...file, ...Object.fromEntries(variables) } as SiteSettings['configured'],
    logo: logo === undefined ? null : { name: logo, bytes: readLogo(source, join(dataDir, logo)) },
    accent: accent ?? null,
  };
}

function fileIn(dataDir: string): [path: string, text: string | null] {
  const path = join(dataDir, SITE_FILE);
  try {
    return [path, readFileSync(path, 'utf8')];
  } catch (error) {
    // When the folder is not a directory, the code that opens it reports that.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [path, null];
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parse(source: string, text: string): SiteFile {
  const parsed = SiteFile.safeParse(jsonOf(source, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue && issue.path.length > 0 ? `${z.core.toDotPath(issue.path)}: ` : '';
  const isUnknown = issue?.code === 'unrecognized_keys' && issue.path.length === 0;
  const known = isUnknown ? `; known are ${Object.keys(SiteFile.shape).join(', ')}` : '';
  throw new Error(`${source}: ${path}${issue?.message ?? ''}${known}`);
}

function jsonOf(source: string, text: string): unknown {
  try {
    // Some editors start a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`${source} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function readLogo(source: string, path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`${source}: logo: ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (bytes.length <= MAX_LOGO_BYTES) return bytes;
  throw new Error(`${source}: logo: ${path} must be at most ${MAX_LOGO_BYTES / 1024} KiB`);
}
