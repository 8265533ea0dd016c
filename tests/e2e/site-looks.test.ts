import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { DEFAULT_LOOK, SHIPPED_LOOKS, type Look } from '../../src/lib/contract/rules/looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { picture } from './give-pictures.ts';
import { sizes } from './visit.ts';
import { putOnScale, weightOf } from './weigh.ts';

const [MOYE, DENSE, PICTURES] = SHIPPED_LOOKS as [Look, Look, Look];
const look = (changes: Partial<Look>): Look => ({ ...structuredClone(DEFAULT_LOOK), ...changes });

const test = base.extend('stage', { scope: 'file' }, async ({ site, author }) => {
  const { services } = site.app;
  const { url: cover } = await services.files.saveImage(author, picture);
  // Half of the article with which weight.test.ts fills the budget of a site without a look.
  const long = await readFile(new URL('../fixtures/weight/article.md', import.meta.url), 'utf8');
  const parts = long.split(/(?=^## )/m);
  const text = parts.slice(0, Math.ceil(parts.length / 2)).join('');
  const content = `${text}\n\n> 引用和[链接](/home)\n\n| 甲 | 乙 |\n| - | - |\n| 1 | 2 |`;
  const ids: string[] = [];
  for (let index = 0; index < 7; index++)
    ids.push(
      await site.write(author, {
        title: `第 ${index} 篇`,
        content: index === 0 ? '没有标题的正文。' : content,
        tags: ['随笔'],
        ...(index % 3 === 2 ? {} : { cover }),
        create_time: Date.UTC(2026, 0, 20 - index),
      }),
    );
  await services.roles.set(AUTHOR, 'operator', null);
  const staff = { ...author, role: 'operator' as const };
  const { id } = await services.pages.create({ title: '关于', slug: 'about' }, staff);
  const editor = await services.pages.editorOf(id, staff);
  const { update_time } = await services.articles.readSource(id, editor);
  const fields = { title: '关于', content, tags: [], type: '', secret: false, comments_closed: true };
  await services.articles.edit({ ...fields, status: 'normal', id, update_time }, editor);
  await services.picks.pin(ids[3] ?? '');
  return {
    plain: `/detail/${ids[0]}`,
    article: `/detail/${ids[1]}`,
    use: (chosen: Look) => services.site.change({ look: chosen }, author),
  };
});

const LIST = '/tag/detail/随笔';
const boxOf = async (locator: Locator) =>
  (await locator.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: 0, height: 0 };
const boxesOf = (locator: Locator) =>
  locator.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
const articlesOn = (page: Page) => boxesOf(page.locator('main article'));
const columnsOf = (boxes: readonly DOMRect[]) => new Set(boxes.map(({ x }) => Math.round(x))).size;
const colourOf = (page: Page, role: string) =>
  page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`), role);

describe('the form of the list', () => {
  test('decides how many articles stand beside each other, and how tall they are', async ({
    stage,
    page,
  }) => {
    const heights: Record<string, number> = {};
    for (const [list, columns] of [
      ['text', 1],
      ['cards', 2],
      ['dense', 1],
    ] as const) {
      await stage.use(look({ list }));
      await page.setViewportSize(sizes.desktop);
      await page.goto(LIST);
      const boxes = await articlesOn(page);
      expect(boxes).toHaveLength(7);
      expect(columnsOf(boxes), list).toBe(columns);
      heights[list] = boxes[1]?.height ?? 0;
      await page.setViewportSize(sizes.phone);
      expect(columnsOf(await articlesOn(page)), `${list} on a phone`).toBe(1);
    }
    expect(heights['dense']).toBeLessThan(60);
    expect(heights['text']).toBeGreaterThan(100);
    expect(heights['cards']).toBeGreaterThan(heights['text'] ?? 0);
  });

  test('of cards has covers over their width, in a size that fits them', async ({ stage, page }) => {
    await stage.use(look({ list: 'cards' }));
    await page.goto(LIST);
    const [card] = await articlesOn(page);
    const cover = page.locator('main article img').first();
    const { width } = await boxOf(cover);
    expect(Math.abs(width - (card?.width ?? 0))).toBeLessThanOrEqual(2);
    const sizesOf = await cover.getAttribute('sizes');
    expect(sizesOf).toContain('340px');
    expect(width).toBeLessThanOrEqual(340);
  });

  test('of dense lines loads no cover', async ({ stage, page }) => {
    await stage.use(look({ list: 'dense' }));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.resourceType()));
    await page.goto('/home');
    await page.waitForLoadState('networkidle');
    expect(asked).toContain('stylesheet');
    expect(asked).not.toContain('image');
  });
});

describe('the front page on a wide screen', () => {
  test('uses the space right of its list, below its width on others', async ({ stage, page }) => {
    await stage.use(DEFAULT_LOOK);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/home');
    const names = ['值得一读', '标签', '本站'];
    const [first] = await articlesOn(page);
    for (const name of names) {
      const { x } = await boxOf(page.getByRole('heading', { name, exact: true }));
      expect(x, name).toBeGreaterThan((first?.right ?? 0) - 1);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
    await page.setViewportSize(sizes.tablet);
    const last = (await articlesOn(page)).at(-1);
    const { y } = await boxOf(page.getByRole('heading', { name: '值得一读' }));
    expect(y).toBeGreaterThan(last?.bottom ?? Infinity);
    await expect.poll(() => page.getByRole('heading', { name: '本站', exact: true }).count()).toBe(0);
  });

  test('has the list alone in the middle if the look says so', async ({ stage, page }) => {
    await stage.use(look({ front: 'middle' }));
    await page.goto('/home');
    const last = (await articlesOn(page)).at(-1);
    const { y } = await boxOf(page.getByRole('heading', { name: '值得一读' }));
    expect(y).toBeGreaterThan(last?.bottom ?? Infinity);
    const middle = (last?.x ?? 0) + (last?.width ?? 0) / 2;
    const width = await page.evaluate(() => document.documentElement.clientWidth);
    expect(Math.abs(middle - width / 2)).toBeLessThanOrEqual(1);
  });
});

test('the head of an article stands left, in the middle, or below its cover', async ({ stage, page }) => {
  const place = async (head: Look['head']) => {
    await stage.use(look({ head }));
    await page.goto(stage.article);
    const title = page.getByRole('heading', { level: 1 }).first();
    return {
      text: await boxOf(title.locator('bdi')),
      column: await boxOf(title),
      cover: await boxOf(page.locator('.detail img').first()),
    };
  };
  const left = await place('left');
  expect(left.text.x).toBeCloseTo(left.column.x, 0);
  expect(left.cover.y).toBeGreaterThan(left.text.y);
  const centred = await place('centred');
  expect(centred.text.x + centred.text.width / 2).toBeCloseTo(centred.column.x + centred.column.width / 2, 0);
  expect(centred.cover.y).toBeGreaterThan(centred.text.y);
  const covered = await place('cover');
  expect(covered.cover.y + covered.cover.height).toBeLessThanOrEqual(covered.text.y);
});

test('notes stand in the margin, above their content, or where there is room', async ({ stage, page }) => {
  const isBeside = async () => {
    await page.goto(LIST);
    const [note, title] = [page.locator('.card-note').first(), page.locator('main article h2').first()];
    return (await boxOf(note)).x < (await boxOf(title)).x - 50;
  };
  await page.setViewportSize({ width: 1100, height: 900 });
  await stage.use(DEFAULT_LOOK);
  expect(await isBeside()).toBe(true);
  await stage.use(look({ notes: 'line' }));
  expect(await isBeside()).toBe(false);
  // Lines of 48 characters leave no margin for notes.
  await stage.use(look({ type: { ...DEFAULT_LOOK.type, measure: 48 } }));
  expect(await isBeside()).toBe(false);
  await page.setViewportSize(sizes.desktop);
  expect(await isBeside()).toBe(true);
});

test('type, corners and paragraphs follow the look', async ({ stage, page }) => {
  const type: Look['type'] = {
    text: 'song',
    title: 'hei',
    size: 20,
    leading: 2,
    measure: 30,
    paragraphs: 'indented',
  };
  await stage.use(look({ type, shape: { radius: 12, rhythm: 1.4 } }));
  await page.goto(stage.article);
  const [, paragraph] = await page.locator('.prose > p').all();
  const style = await paragraph?.evaluate((element) => {
    const { fontSize, lineHeight, fontFamily, textIndent } = getComputedStyle(element);
    return { fontSize, lineHeight, fontFamily, textIndent };
  });
  expect(style).toMatchObject({ fontSize: '20px', lineHeight: '40px', textIndent: '40px' });
  expect(style?.fontFamily).toContain('Songti SC');
  expect((await boxOf(page.locator('.prose'))).width).toBeCloseTo(30 * 20, 0);
  const radius = await page
    .locator('.detail img')
    .first()
    .evaluate((image) => getComputedStyle(image).borderRadius);
  expect(radius).toBe('12px');
});

test('prints with the light colours of the look, and keeps forced colours', async ({ stage, visit }) => {
  await stage.use(PICTURES);
  const { context, page } = await visit();
  await context.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await page.goto(stage.article);
  expect(await colourOf(page, 'paper')).toBe(PICTURES.colours.dark.paper);
  await page.emulateMedia({ media: 'print' });
  expect(await colourOf(page, 'paper')).toBe(PICTURES.colours.light.paper);
  await page.emulateMedia({ media: 'screen', forcedColors: 'active' });
  expect(await colourOf(page, 'paper')).toBe('Canvas');
});

test('a site without a look loads no more than its pages’ sheet', async ({ stage, page }) => {
  await stage.use(DEFAULT_LOOK);
  await page.goto('/home');
  await expect.poll(() => page.locator('link[rel=stylesheet]').count()).toBe(1);
  await stage.use(DENSE);
  await page.reload();
  await expect.poll(() => page.locator('link[rel=stylesheet]').count()).toBe(3);
});

describe.each([MOYE, DENSE, PICTURES].map((each) => [each.name, each] as const))(
  'the look %s',
  (_, shipped) => {
    test('weighs at most 24 KB with its pages', async ({ stage, page }) => {
      await stage.use(shipped);
      const scale = putOnScale(page);
      for (const path of ['/home', stage.article, LIST]) {
        scale.tare();
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        expect(weightOf(await scale.arrivals(), 'document', 'stylesheet'), path).toBeLessThanOrEqual(24_000);
      }
    });

    test.for([
      ['light', 'desktop'],
      ['dark', 'desktop'],
      ['light', 'phone'],
      ['dark', 'phone'],
    ] as const)(
      'axe finds nothing, and no page scrolls sideways, %s on a %s',
      { tags: ['long'] },
      async ([theme, size], { stage, visit }) => {
        await stage.use(shipped);
        const { context, page } = await visit({ viewport: sizes[size], reducedMotion: 'reduce' });
        await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
        const found: string[] = [];
        const profile = `/user/info/${encodeURIComponent(AUTHOR)}`;
        for (const path of [
          '/home',
          stage.article,
          stage.plain,
          LIST,
          '/archive',
          profile,
          '/p/about',
          '/tag/list',
        ]) {
          await page.goto(path);
          await page.waitForLoadState('networkidle');
          found.push(...(await violationsOf(page)).map((problem) => `${path} ${problem}`));
          if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
            found.push(`${path} scrolls sideways`);
        }
        expect(found).toEqual([]);
      },
    );
  },
);
