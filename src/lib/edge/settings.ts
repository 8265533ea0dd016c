import type { Site } from '../blog/blog.ts';

/** What an edge front is set up with: chosen by the build, and by the environment it runs in, which wins. */
export interface EdgeSettings {
  /** Origin of the API, without a trailing slash. */
  apiOrigin: string;
  site: Site;
  /** What purges are signed with; without it none is believed. */
  purgeSecret: string | undefined;
}

const SECRET_MIN = 32;

/** @param read the value of a setting, by the name of its variable; empty is unset
 * @throws one line that names the setting which cannot be used */
export function readEdgeSettings(read: (name: string) => string | undefined): EdgeSettings {
  const value = (name: string) => read(name) || undefined;
  const apiOrigin = originIn('API_ORIGIN', value('API_ORIGIN'));
  if (apiOrigin === undefined) throw new Error('API_ORIGIN is not set');
  const purgeSecret = value('PURGE_SECRET');
  if (purgeSecret !== undefined && purgeSecret.length < SECRET_MIN)
    throw new Error(`PURGE_SECRET must be at least ${SECRET_MIN} characters`);
  return {
    apiOrigin,
    purgeSecret,
    site: {
      title: value('SITE_TITLE') ?? '墨页',
      description: value('SITE_DESCRIPTION') ?? '把想法写下来，让文字自己说话。',
      beian: value('SITE_BEIAN') ?? '京ICP备00000000号-1',
      timeZone: value('SITE_TIME_ZONE') ?? 'Asia/Shanghai',
      origin: originIn('SITE_URL', value('SITE_URL')) ?? '',
      liveOrigin: originIn('LIVE_ORIGIN', value('LIVE_ORIGIN')) ?? apiOrigin,
    },
  };
}

function originIn(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
  if (!isOrigin || url.search || url.hash || url.username || url.password)
    throw new Error(`${name} must be an origin such as https://example.com, without a path`);
  return url.origin;
}
