import { isDeepStrictEqual } from 'node:util';
import type { AuditFacts } from '../../contract/rules/audit.ts';
import { refuse } from '../../contract/rules/errors.ts';
import {
  SiteIdentity,
  type IdentityAnswer,
  type IdentityChanges,
  type IdentityField,
} from '../../contract/calls/site-calls.ts';
import { DEFAULT_LOOK } from '../../contract/rules/looks.ts';
import { navigationOf, type NavEntry } from '../../contract/rules/navigation.ts';
import type { SiteFacts } from '../../contract/site.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { cacheValue } from '../db/cached-value.ts';
import type { OperatorValues } from '../config/operator-variables.ts';
import type { Current } from '../settings/operator-settings.ts';
import type { SiteSettings } from '../config/site-settings-file.ts';
import { readLogo, shrinkLogo } from './icons.ts';
import { makeSite, versionOf, type IconDrawer, type MadeSite, type Shown } from './made-site.ts';
import { readStyle, styleFault } from './style-rules.ts';
import { selectSite, storeSite } from './site-queries.ts';
import { MAX_LOGO_BYTES, SITE_BOUNDS } from '../../contract/rules/site-rules.ts';
import type { Core } from '../services.ts';

interface Parts extends Core {
  /** Settings of the environment and `site.json`, which take precedence. */
  settings: SiteSettings;
  drawer: IconDrawer;
  search: Current<OperatorValues['search']>;
  sso: Current<OperatorValues['sso']>;
}

export type SiteService = Awaited<ReturnType<typeof createSiteService>>;

const IDENTITY = 'site';
const LOGO = 'site_logo';

type Configured = Omit<IdentityChanges, 'version'>;

interface Stored {
  version: string;
  configured: Configured;
  logo: SiteSettings['logo'];
}

/**
 * Facts of the site: from its settings, then from the console, then the defaults.
 * @throws a one-line error if the logo of the settings is unusable
 */
export async function createSiteService({ settings, drawer, search, sso, db, events, audit }: Parts) {
  const fixed = settings.sources as IdentityAnswer['fixed'];
  let made: { of: Stored; site: MadeSite } = {
    of: { version: '', configured: {}, logo: null },
    site: await makeSite(settings, drawer),
  };

  async function makeNow(): Promise<MadeSite> {
    const stored = await readStored(db.read);
    if (!isDeepStrictEqual(stored, made.of))
      made = { of: stored, site: await makeSite(merge(settings, stored), drawer) };
    return made.site;
  }
  const read = cacheValue({ db, events }, ({ type }) => type === 'options-changed', makeNow);
  // For callers that cannot wait, such as mails. If reading fails, the next page reads again.
  events.listen(({ type }) => {
    if (type === 'options-changed' || type === 'anything') read().catch(() => undefined);
  });
  await read();

  async function answer(): Promise<IdentityAnswer> {
    const { facts } = await read();
    const { configured, version } = await readStored(db.read);
    const { icons: _, logo, ...rest } = facts;
    const navigation = navigationOf(facts);
    return {
      ...rest,
      navigation,
      accent: settings.accent ?? configured.accent ?? '',
      look: settings.look ?? configured.look ?? DEFAULT_LOOK,
      style: configured.style ?? '',
      version,
      logo: logo?.src ?? null,
      fixed,
    };
  }

  /** Stores a change and its audit entry in one write; every node rebuilds the site. */
  const settle = async (
    viewer: { id: string | null },
    change: (trx: Trx, before: Stored) => Promise<{ before: AuditFacts; after: AuditFacts } | null>,
  ): Promise<IdentityAnswer> => {
    await db.write(async (trx) => {
      const entry = await change(trx, await readStored(trx));
      if (!entry) return;
      const subject = { kind: 'site', id: '' };
      await audit.write(trx, { actorId: viewer.id, action: 'site.change', subject, ...entry });
      events.emit(trx, { type: 'options-changed' });
    });
    return answer();
  };
  const refuseFixed = (field: IdentityField) => {
    const source = fixed[field];
    if (source === undefined) return;
    refuse('FIELD_FIXED', { field, text: `这一项由 ${source} 设定，要在那里修改` });
  };

  /**
   * Changes facts in the console. Refuses with FIELD_FIXED what the settings define, and with
   * VERSION_CHANGED if another change followed the version that the caller read.
   */
  async function change(
    { version, ...given }: IdentityChanges,
    viewer: { id: string | null },
  ): Promise<IdentityAnswer> {
    const names = SiteIdentity.keyof().options.filter((name) => given[name] !== undefined);
    names.forEach(refuseFixed);
    const { style } = given;
    const changes = { ...given, ...(style !== undefined && { style: await checkStyle(style) }) };
    return settle(viewer, async (trx, { configured, ...before }) => {
      if (version !== undefined && version !== before.version)
        refuse('VERSION_CHANGED', { text: '网站的设置在别处改过，请重新打开再改' });
      const changed = names.filter((name) => !isDeepStrictEqual(changes[name], configured[name]));
      if (changed.length === 0) return null;
      const of = ({ look, style: sheet, ...all }: Configured): AuditFacts => {
        const shown: AuditFacts = { ...all, look: look?.name, style: Buffer.byteLength(sheet ?? '') };
        return Object.fromEntries(changed.map((name) => [name, shown[name] ?? null]));
      };
      const { navigation, ...others } = configured;
      const isKept = navigation && !changes.nav && !changes.links;
      const stored = { ...others, ...(isKept && { navigation }), ...changes };
      await storeSite(trx, IDENTITY, JSON.stringify(stored));
      return { before: of(configured), after: of(changes) };
    });
  }

  return {
    get facts(): SiteFacts {
      return { ...made.site.facts, ...factsOf(search.known, sso.known) };
    },

    /** Returns the current facts, on every node. */
    read: async (): Promise<SiteFacts> => ({
      ...(await read()).facts,
      ...factsOf(await search.read(), await sso.read()),
    }),

    file: async (path: string) => (await read()).file(path),

    identity: answer,

    change,

    /**
     * Adds entries of an imported site to an unchanged default navigation; returns those that are not in it
     * afterwards.
     */
    async addNavigation(
      entries: readonly NavEntry[],
      { isDryRun }: { isDryRun: boolean },
    ): Promise<NavEntry[]> {
      const { facts } = await read();
      const present = navigationOf(facts);
      const isDefault = isDeepStrictEqual(present, navigationOf({ nav: {}, links: [] }));
      if (!isDefault || 'navigation' in fixed)
        return entries.filter(({ href }) => !present.some((each) => each.href === href));
      const most = SITE_BOUNDS.entries - present.length;
      const [home] = present;
      const isNamed = entries.some(({ href }) => href === home?.href);
      const navigation = [...(home && !isNamed ? [home] : []), ...entries.slice(0, most)];
      if (entries.length > 0 && !isDryRun) await change({ navigation }, { id: null });
      return entries.slice(most);
    },

    /** Sets an SVG or PNG as the logo. Refuses with LOGO_UNUSABLE, FIELD_FIXED. */
    async setLogo(bytes: Uint8Array, viewer: { id: string }): Promise<IdentityAnswer> {
      refuseFixed('logo');
      const name = bytes[0] === 0x89 ? 'logo.png' : 'logo.svg';
      const given = Buffer.from(bytes);
      if (given.length > MAX_LOGO_BYTES) refuse('LOGO_UNUSABLE');
      const logo = await readLogo(name, given)
        .then(shrinkLogo)
        .catch(() => refuse('LOGO_UNUSABLE'));
      // An SVG is stored as resvg understood it, without anything else in it.
      const text = JSON.stringify({ name, base64: logo.bytes.toString('base64') });
      return settle(viewer, async (trx, before) => {
        await storeSite(trx, LOGO, text);
        return { before: { logo: before.logo !== null }, after: { logo: true } };
      });
    },

    /** Removes the logo; icons show the seal's character again. Refuses with FIELD_FIXED. */
    removeLogo(viewer: { id: string }): Promise<IdentityAnswer> {
      refuseFixed('logo');
      return settle(viewer, async (trx, { logo }) => {
        if (!logo) return null;
        await storeSite(trx, LOGO, null);
        return { before: { logo: true }, after: { logo: false } };
      });
    },
  };
}

/** Refuses a style sheet that leaves its bounds with FIELD_INVALID. */
const checkStyle = (style: string): Promise<string> =>
  readStyle(style).catch((error: unknown) => {
    const text = styleFault(error);
    if (text === null) throw error;
    return refuse('FIELD_INVALID', { field: 'style', text });
  });

const factsOf = (
  { verification, indexnow }: OperatorValues['search'],
  { providers, isOnly }: OperatorValues['sso'],
) => ({
  verification,
  indexnow_key: indexnow ?? '',
  providers: providers.map(({ id, label }) => ({ id, label })),
  sso_only: isOnly,
});

function merge(settings: SiteSettings, { configured, logo }: Stored): Shown {
  const { accent, look, style, ...rest } = configured;
  const free = Object.entries(rest).filter(([name]) => !(name in settings.sources));
  return {
    configured: { ...settings.configured, ...Object.fromEntries(free) },
    logo: settings.logo ?? logo,
    accent: settings.accent ?? (accent || null),
    look: settings.look ?? look ?? null,
    style,
  };
}

/** Reads stored values, each validated separately: those with another version's format are skipped. */
async function readStored(handle: Queryable): Promise<Stored> {
  const rows = await selectSite(handle);
  const text = rows.get(IDENTITY) ?? '{}';
  const known = JSON.parse(text) as Record<string, unknown>;
  const configured = Object.fromEntries(
    SiteIdentity.keyof().options.flatMap((name) => {
      const value = SiteIdentity.shape[name].safeParse(known[name]).data;
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { name, base64 } = JSON.parse(rows.get(LOGO) ?? '{}') as { name?: string; base64?: string };
  const logo = name && base64 ? { name, bytes: Buffer.from(base64, 'base64') } : null;
  return { version: versionOf(text), configured, logo };
}
