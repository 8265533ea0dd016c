import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  dev?: boolean;
}

const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};

/**
 * `npm start` installs the packages that are not `dev` in the lock file. An optional peer of Astro loses
 * `dev` when it is installed next to Astro, so package.json overrides those that the adapters depend on.
 */
test.each([
  '@netlify',
  '@vercel',
  '@cloudflare',
  '@opentelemetry/core',
  '@playwright',
  'emojibase-data',
  'oidc-provider',
])('npm start installs nothing of %s', (name) => {
  const found = Object.entries(lock.packages).filter(([path]) =>
    `${path}/`.includes(`node_modules/${name}/`),
  );
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(([, { dev }]) => dev !== true).map(([path]) => path)).toEqual([]);
});
