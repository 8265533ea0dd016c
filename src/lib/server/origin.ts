/**
 * Whether a browser's request comes from one of our own pages: no Origin at all (not a browser, or a plain GET), one of `origins`
 * (SITE_URL and CORS_ORIGINS), or the very host that was asked, under whatever name it was reached.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  origins: readonly string[],
): boolean {
  if (origin === undefined || origins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
