import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { openWordpress } from '../../../src/lib/cli/import/wordpress/wordpress-site.ts';
import { all, expectSite } from './foreign-golden.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/import/wordpress');
const open = (options = {}) => openWordpress([join(FIXTURE, 'site.xml')], { withPages: false, ...options });

describe('a WordPress export', () => {
  test('gives the articles, authors, tags and comments of the golden files', async () => {
    await expectSite(await open(), join(FIXTURE, 'expected'));
  });
});
