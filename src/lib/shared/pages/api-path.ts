/** The page that describes the API, next to the paths of its calls. */
export const API_DOCS_PATH = '/api/docs';

/** Returns whether a request is for the API, and not for the page that describes it. */
export function isApiRequest(method: string | undefined, pathname: string): boolean {
  if (!/^\/api(?:\/|$)/.test(pathname)) return false;
  const isPage = pathname.replace(/\/$/, '') === API_DOCS_PATH;
  return !isPage || (method !== 'GET' && method !== 'HEAD');
}
