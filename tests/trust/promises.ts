import type { Goal } from './table.ts';
import type { Engine } from '../selection.ts';
import type { Project, Trial } from './vitest.ts';

/** Tests of a promise. The short and the long form run the same tests with different numbers. */
interface Tests {
  project: Project;
  files: readonly string[];
  /** Engines to run on: both for storage and calls, otherwise SQLite only. */
  engines?: readonly Engine[];
  title?: string;
  /** Excluded from the short form, which takes three minutes in total; `npm test` runs these tests. */
  isLongOnly?: true;
  /** Environment of the long form; the short form runs like `npm test`. */
  long?: Record<string, string>;
}

export interface TrustPromise {
  says: string;
  /** Counted units and their minimum counts; `tests` counts the tests themselves. */
  goals: Readonly<Record<string, Goal>>;
  tests: readonly Tests[];
  /** Whether to switch off the defences of defence-table.ts as well. */
  hasDefences?: boolean;
}

const engines = (...names: string[]) => names.map((name) => `tests/engines/${name}.test.ts`);
const api = (...names: string[]) => names.map((name) => `tests/api/${name}.test.ts`);
const unit = (...names: string[]) => names.map((name) => `tests/unit/${name}.test.ts`);

/** Names of the races, as in their tests. */
const RACES = [
  'creating an article with one request_id',
  'creating a comment with one request_id',
  'reporting an article as one reader',
  'signing up with one username',
  'using an invitation for one account',
  'creating a tag',
  'creating the last of 100 series',
  'taking the last of five picks',
  'demoting the last operator',
  'one edit gets a conflict',
  'publishing and deleting an article',
  'scheduling and publishing an article',
  'restoring and purging an article',
  'two nodes use the same new tag',
  'using a refresh token',
  'using a one-time code',
  'using a password reset link',
  'writing the last comment of a minute',
  'answering a passkey challenge',
];

/** Promises that `npm run trust` tries to break, by the name that `--only` takes. */
export const promises: Readonly<Record<string, TrustPromise>> = {
  kills: {
    says: 'A killed process loses no acknowledged write and leaves no partial state',
    goals: {
      'servers killed while writing': { short: 1, long: 40 },
      'backups killed': { short: 0, long: 70 },
      'restores killed': { short: 0, long: 45 },
      'imports killed': { short: 1, long: 170 },
      'notification senders killed': { short: 4, long: 620 },
      'nodes killed': { short: 0, long: 110 },
      'merges of the search index killed': { short: 0, long: 60 },
    },
    tests: [
      { project: 'api', files: api('stop'), title: 'kill -9', long: { TRUST_KILLS: '20' } },
      { project: 'engines', files: engines('notice-killed'), long: { MOYE_KILLS: '310' } },
      { project: 'engines', files: engines('import-killed'), long: { TRUST_KILLS: '12' } },
      {
        project: 'engines',
        files: engines('import-moye-killed', 'import-sites-killed'),
        isLongOnly: true,
        long: { TRUST_KILLS: '12' },
      },
      {
        project: 'engines',
        files: engines('backup-killed'),
        isLongOnly: true,
        long: { MOYE_KILLS: '50', MOYE_BACKUPS: '3' },
      },
      {
        project: 'api',
        files: api('schedule-nodes.postgres', 'nodes-outage.postgres'),
        engines: ['postgres'],
        isLongOnly: true,
        long: { SCHEDULE_ROUNDS: '90', TRUST_KILLS: '20' },
      },
      {
        project: 'engines',
        files: engines('search-killed.postgres'),
        engines: ['postgres'],
        isLongOnly: true,
        long: { TRUST_KILLS: '60' },
      },
    ],
  },
  requests: {
    says: 'No request causes an internal error: each gets an enveloped response or a closed connection, no stack',
    goals: { 'malformed requests': { short: 2_000, long: 100_000 } },
    tests: [
      {
        project: 'api',
        files: api('odd-requests'),
        // Larger than the number of cases, so every value of every field is tried.
        long: { TRUST_CALLS: '60000', TRUST_PAGES: '5000', TRUST_WIRES: '5000' },
      },
      { project: 'api', files: api('bad-input', 'odd-values', 'paths'), isLongOnly: true },
    ],
  },
  races: {
    says: 'Concurrent duplicate or conflicting operations take effect once and completely',
    goals: Object.fromEntries(RACES.map((name) => [name, { short: 4, long: 1_000 }])),
    tests: [
      { project: 'api', files: api('races'), long: { TRUST_ROUNDS: '500' } },
      { project: 'engines', files: engines('races'), long: { TRUST_ROUNDS: '500' } },
      { project: 'engines', files: engines('auth-refresh', 'writes.postgres'), isLongOnly: true },
    ],
  },
  cache: {
    says: 'A page always shows every write acknowledged before its request',
    goals: { 'calls by eight clients': { short: 2_000, long: 100_000 } },
    tests: [{ project: 'api', files: api('page-cache-random'), long: { TRUST_ROUNDS: '50' } }],
  },
  slow: {
    says: 'Slow, silent and half-open clients do not block others',
    goals: { 'slow connections': { short: 155, long: 1_000 } },
    tests: [
      {
        project: 'api',
        files: api('slow', 'connections'),
        engines: ['sqlite'],
        long: { TRUST_EACH: '30', TRUST_ROUNDS: '5' },
      },
      { project: 'unit', files: unit('server/http/connections'), isLongOnly: true },
    ],
  },
  disk: {
    says: 'With a full disk, writes are refused without changes and work again once space is freed',
    goals: { tests: { short: 8, long: 20 } },
    tests: [
      { project: 'engines', files: engines('disk', 'import-full-disk') },
      { project: 'engines', files: engines('backup-killed', 'export'), title: 'full', isLongOnly: true },
      { project: 'api', files: api('disk') },
    ],
  },
  outages: {
    says: 'Without its database the server responds 503 in the envelope, and recovers when it is back',
    goals: { 'failovers to a standby': { short: 1, long: 10 }, tests: { short: 1, long: 5 } },
    tests: [
      {
        project: 'api',
        files: api('failover.postgres'),
        engines: ['postgres'],
        long: { TRUST_FAILOVERS: '10' },
      },
      {
        project: 'api',
        files: api('outage.postgres', 'nodes-outage.postgres'),
        engines: ['postgres'],
        isLongOnly: true,
      },
      {
        project: 'engines',
        files: engines('move-outage.postgres'),
        engines: ['postgres'],
        isLongOnly: true,
      },
    ],
  },
  far: {
    says: 'Publishing, notifying, signing in and saving work with a database at high latency',
    goals: { tests: { short: 0, long: 15 } },
    tests: [
      {
        project: 'api',
        files: api('far-database.postgres'),
        engines: ['postgres'],
        isLongOnly: true,
        long: { FAR_DATABASE: 'long' },
      },
    ],
  },
  hidden: {
    says: 'Draft, private, pending and hidden texts appear nowhere; staff calls are refused to others',
    goals: { tests: { short: 50, long: 1_000 } },
    tests: [
      { project: 'api', files: api('visibility') },
      { project: 'api', files: api('held', 'public-surfaces', 'who-may', 'closing'), isLongOnly: true },
    ],
  },
  moderation: {
    says: 'Only staff sees pending, hidden or deleted items, and a removal reaches every quote',
    goals: { tests: { short: 0, long: 100 } },
    tests: [
      {
        project: 'engines',
        files: engines('moderation-moves', 'moderation-rules', 'quote-references'),
        isLongOnly: true,
      },
      {
        project: 'api',
        files: api('quotes', 'judged-texts', 'profile-moderation', 'reserved-names'),
        isLongOnly: true,
      },
    ],
  },
  scripts: {
    says: 'No user text runs as a script',
    goals: { tests: { short: 100, long: 100 } },
    tests: [
      {
        project: 'unit',
        files: unit('markdown/unsafe-html', 'markdown/embeds/frames', 'markdown/math/formulas'),
      },
      { project: 'e2e', files: ['tests/e2e/stored-xss.test.ts'], isLongOnly: true },
    ],
  },
  guessing: {
    says: 'Guessing passwords and tokens does not succeed, and locks no one out',
    goals: { tests: { short: 20, long: 80 } },
    tests: [
      { project: 'unit', files: unit('auth/attack', 'auth/guard/guard', 'auth/tokens') },
      {
        project: 'engines',
        files: engines('known-places', 'account-safety', 'recovery', 'two-step'),
        isLongOnly: true,
      },
      { project: 'api', files: api('guessing'), isLongOnly: true },
    ],
  },
  outside: {
    says: 'No URL from a user reaches the internal network',
    goals: { tests: { short: 90, long: 100 } },
    tests: [
      { project: 'unit', files: unit('server/outside') },
      { project: 'api', files: api('fetch-image'), isLongOnly: true },
    ],
  },
  defences: {
    says: 'Each defence is needed: without it, its test fails',
    goals: { 'defences disabled': { short: 6, long: 60 } },
    tests: [],
    hasDefences: true,
  },
};

/** Returns the vitest runs of a promise. The short form uses one engine. */
export function trialsOf({ tests }: TrustPromise, isShort: boolean): Trial[] {
  return tests.flatMap(({ project, files, title, long, engines: on, isLongOnly }) => {
    if (isShort && isLongOnly) return [];
    const isStored = project === 'engines' || project === 'api';
    const all: readonly Engine[] = isStored && !isShort ? ['sqlite', 'postgres'] : ['sqlite'];
    return (on ?? all).map((engine) => ({
      project,
      files,
      engine,
      ...(title === undefined ? {} : { title }),
      ...(long && !isShort ? { env: long } : {}),
    }));
  });
}
