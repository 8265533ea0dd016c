import { createGenerator } from 'unocss';
import { expect, test } from 'vitest';
import config from '../../../uno.config.ts';
import { listFiles, readText } from './source-files.ts';

const sheets = listFiles('src/styles').map(readText).join('\n');
/** Classes of the style sheets. UnoCSS does not know them, so a variant in front of one has no effect. */
const own = new Set([...sheets.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name));

/** Classes with a variant (`hover:x`) in the strings of a source. */
const variantsIn = (text: string) =>
  [...text.matchAll(/["'`]([^"'`\n]*)["'`]/g)].flatMap(([, list = '']) =>
    list.split(/\s+/).filter((name) => /.:[a-z][\w-]*$/.test(name)),
  );

test('no variant is in front of a class that it has no effect on', async () => {
  const generator = await createGenerator(config);
  const found: string[] = [];
  for (const path of listFiles('src').filter((name) => /\.(tsx|astro)$/.test(name)))
    for (const name of variantsIn(readText(path))) {
      const base = name.slice(name.lastIndexOf(':') + 1);
      if (own.has(base) && !(await generator.parseToken(name))) found.push(`${path}: ${name}`);
    }
  expect(found).toEqual([]);
});
