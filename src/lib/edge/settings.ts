import type { Site } from '../blog/blog.ts';
import type { SiteFacts } from '../contract/site.ts';
import {
  isIndexNowKey,
  isTimeZone,
  notAnIndexNowKey,
  notAnOrigin,
  notATimeZone,
  notHosts,
  parseHosts,
  parseOrigin,
  MIN_SECRET_CHARACTERS,
  SITE_DEFAULTS,
} from '../shared/site-settings.ts';

/**
 * Reads the settings: `apiOrigin` has no trailing slash; without `purgeSecret` purges are refused.
 * @param read returns the value of a setting by its variable; empty means unset
 * @throws a one-line error that names the unusable setting
 */
export function readEdgeSettings(read: (name: string) => string | undefined) {
  const value = (name: string) => read(name) || undefined;
  const apiOrigin = originIn('API_ORIGIN', value('API_ORIGIN'));
  if (apiOrigin === undefined) throw new Error('API_ORIGIN is not set');
  const purgeSecret = value('PURGE_SECRET');
  if (purgeSecret !== undefined && purgeSecret.length < MIN_SECRET_CHARACTERS)
    throw new Error(`PURGE_SECRET must be at least ${MIN_SECRET_CHARACTERS} characters`);
  const timeZone = value('SITE_TIME_ZONE') ?? SITE_DEFAULTS.timeZone;
  const pictureHosts = parseHosts(value('PICTURE_HOSTS') ?? '');
  if (pictureHosts === null) throw new Error(notHosts('PICTURE_HOSTS'));
  const indexNowKey = value('INDEXNOW_KEY');
  if (indexNowKey !== undefined && !isIndexNowKey(indexNowKey))
    throw new Error(notAnIndexNowKey('INDEXNOW_KEY'));
  if (!isTimeZone(timeZone)) throw new Error(notATimeZone('SITE_TIME_ZONE'));
  const [title, description, beian] = ['SITE_TITLE', 'SITE_DESCRIPTION', 'SITE_BEIAN'].map(value);
  const ownFacts: Partial<SiteFacts> = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(beian === undefined ? {} : { beian }),
  };
  const site: Site = {
    ...SITE_DEFAULTS,
    ...ownFacts,
    timeZone,
    pictureHosts,
    indexNowKey,
    origin: originIn('SITE_URL', value('SITE_URL')) ?? '',
    liveOrigin: originIn('LIVE_ORIGIN', value('LIVE_ORIGIN')) ?? apiOrigin,
  };
  return { apiOrigin, purgeSecret, ownFacts, site };
}

function originIn(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const origin = parseOrigin(value);
  if (origin === null) throw new Error(notAnOrigin(name));
  return origin;
}
