/** Files that are made of the operator's settings, each below the root (server/site/site-service.ts). */
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

/** Whether a path is that of a file which the API makes, no page and no call. */
export const isMadeFile = (path: string): boolean => SITE_FILES.some((file) => file === path);
