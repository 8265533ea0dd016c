/** Files generated from the operator's settings, at the root of the site (server/site/made-site.ts). */
export const SITE_FILES = [
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/site-logo.png',
  '/manifest.webmanifest',
  '/look.css',
  '/accent.css',
  '/style.css',
] as const;

/** Folder with a PNG for each public article, by id, and one for the site (server/og/og-service.ts). */
export const OG_FOLDER = '/og';
export const SITE_PICTURE = 'site';

export const ogPicturePath = (articleId = SITE_PICTURE): string => `${OG_FOLDER}/${articleId}.png`;

export const MADE_FILES = [...SITE_FILES, `${OG_FOLDER}/:file`];

/** Decodes the characters of a path that need no percent-encoding (RFC 3986 §6.2.2.2). */
export const plainPath = (pathname: string): string =>
  pathname.replace(/%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi, decodeURIComponent);

export const isMadeFile = (path: string): boolean =>
  SITE_FILES.some((file) => file === path) || /^\/og\/[^/]+$/.test(path);

/** Begin of the addresses at which browsers sign in by an identity provider: `/{id}`, `/{id}/callback`. */
export const OAUTH_PATH = '/api/oauth';

export const callbackPath = <Provider extends string>(provider: Provider) =>
  `${OAUTH_PATH}/${provider}/callback` as const;

/** Finishes the sign-up of a person whom a provider has confirmed. */
export const NEWCOMER_PATH = '/api/signup/oauth';

/** Cookie of a browser on its way to a provider and back. */
export const FLOW_COOKIE = 'moye-oauth';

/** Whether browsers open the address themselves, which is answered with a redirect and cookies. */
export const isOauthPath = (pathname: string): boolean =>
  pathname.startsWith(`${OAUTH_PATH}/`) || pathname === NEWCOMER_PATH;

/** XML-RPC of blog editors (server/api/protocols/xml-rpc): the usual address, and one under /api. */
export const XML_RPC_PATHS = ['/xmlrpc.php', '/api/xmlrpc'] as const;

/** Really Simple Discovery: names the XML-RPC address to editors. */
export const RSD_PATH = '/rsd.xml';

/** An account has one blog here, whatever its name. */
export const BLOG_ID = '1';

/** Model Context Protocol (server/api/protocols/mcp). */
export const MCP_PATH = '/mcp';

export const PROTOCOL_PATHS = [...XML_RPC_PATHS, MCP_PATH] as const;

/** Whether the API answers this path in the format of another protocol. */
export const isProtocolPath = (path: string): boolean => PROTOCOL_PATHS.some((known) => known === path);

/** The page that describes the API, next to the paths of its calls. */
export const API_DOCS_PATH = '/api/docs';

/** Returns whether a request is for the API, and not for the page that describes it. */
export function isApiRequest(method: string | undefined, pathname: string): boolean {
  if (!/^\/api(?:\/|$)/.test(pathname)) return false;
  const isPage = pathname.replace(/\/$/, '') === API_DOCS_PATH;
  return !isPage || (method !== 'GET' && method !== 'HEAD');
}
