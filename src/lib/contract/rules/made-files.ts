/** Files generated from the operator's settings, at the root of the site (server/site/made-site.ts). */
export const SITE_FILES = [
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/site-logo.png',
  '/manifest.webmanifest',
  '/accent.css',
] as const;

/** Folder with a PNG for each public article, by id, and one for the site (server/og/og-service.ts). */
export const OG_FOLDER = '/og';
export const SITE_PICTURE = 'site';

export const ogPicturePath = (articleId = SITE_PICTURE): string => `${OG_FOLDER}/${articleId}.png`;

export const MADE_FILES = [...SITE_FILES, `${OG_FOLDER}/:file`];

export const isMadeFile = (path: string): boolean =>
  SITE_FILES.some((file) => file === path) || /^\/og\/[^/]+$/.test(path);
