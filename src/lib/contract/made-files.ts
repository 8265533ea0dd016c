/** Files that are made of the operator's settings, each below the root (server/site/made-site.ts). */
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

/** Below it a PNG of each public article, by its id, and one of the site (server/og/og-service.ts). */
export const OG_FOLDER = '/og';
export const SITE_PICTURE = 'site';

/** The picture for a link to a public article, or for one to any other page of the site. */
export const ogPicturePath = (articleId = SITE_PICTURE): string => `${OG_FOLDER}/${articleId}.png`;

/** Every path there, as routers write them. */
export const MADE_FILES = [...SITE_FILES, `${OG_FOLDER}/:file`];

/** Whether a path is that of a file which the API makes, no page and no call. */
export const isMadeFile = (path: string): boolean =>
  SITE_FILES.some((file) => file === path) || /^\/og\/[^/]+$/.test(path);
