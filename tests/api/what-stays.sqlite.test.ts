import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './spawn.ts';

const SCRIPT = fileURLToPath(new URL('what-stays.ts', import.meta.url));
/** It was 19 KB, each of which a full collection had to find, while what Astro knows of a request stayed with its getters; 5 since. */
const MOST_BYTES = 10_000;

test('of a page that was rendered, young collections leave little behind', async () => {
  await using folder = await temporaryFolder();
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: folder.path,
    PORT: '0',
    LOG_LEVEL: 'error',
    PAGE_CACHE_MB: '0',
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', SCRIPT], { env });
  expect(stdout).toMatch(/^-?\d+\n$/);
  expect(Number(stdout)).toBeLessThan(MOST_BYTES);
}, 60_000);
