import { join } from 'node:path';
import { expect } from 'vitest';
import type { ForeignSite } from '../../../src/lib/cli/import/site/foreign-site.ts';

/** Everything of a stream. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of stream) found.push(each);
  return found;
}

/** Compares a site with the files of `folder`: each article as markdown below its fields, the rest as JSON. */
export async function expectSite(site: ForeignSite, folder: string): Promise<void> {
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  for (const { content, ...fields } of await all(site.articles()))
    await expect(`${json(fields)}\n\n${content}\n`).toMatchFileSnapshot(join(folder, `${fields.key}.md`));
  const rest = {
    product: site.product,
    identity: site.identity,
    origins: site.origins,
    users: await all(site.users()),
    tags: await all(site.tags()),
    comments: await all(site.comments()),
    losses: site.losses(),
  };
  await expect(`${json(rest)}\n`).toMatchFileSnapshot(join(folder, 'site.json'));
}
