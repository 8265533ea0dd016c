import { describe, expect } from 'vitest';
import { openInputMethod } from './composition.ts';
import { test as base } from './fixtures.ts';
import { PASSWORD } from './sign-form.ts';

/** Islands whose code is loading, late or missing; src/islands/hydrate.ts. */
const CODE = /HeaderControls[^?]*\.js$/;
const CODE_AGAIN = /HeaderControls.*\.js\?/;

const test = base
  .extend('username', ({ author }): string | undefined => author.username)
  .extend('menu', ({ page }) => {
    const header = page.getByRole('banner');
    const account = header.getByRole('button', { name: /^账户/ });
    return {
      header,
      account,
      drafts: header.getByRole('link', { name: '我的草稿' }),
      isFocused: () => account.evaluate((node) => node === document.activeElement),
      hydrated: () => account.and(page.locator('[aria-controls]')).waitFor(),
      /** Button that retries loading the code. */
      retry: header.getByRole('alert').getByRole('button', { name: '重试' }),
    };
  })
  /** Holds back an island's code until the returned function is called. */
  .extend('holdCode', ({ page }) => async (code = CODE) => {
    const released = Promise.withResolvers<void>();
    await page.route(code, async (route) => {
      await released.promise;
      await route.continue();
    });
    return released.resolve;
  });

describe('interaction before hydration is not lost', () => {
  test('a click is replayed', async ({ page, holdCode, menu }) => {
    const release = await holdCode();
    await page.goto('/changelog');
    await menu.account.click();
    // A click on server-rendered HTML alone opens nothing.
    expect(await menu.drafts.count()).toBe(0);
    await page.mouse.move(300, 600);
    release();
    await menu.drafts.waitFor();
  });

  test('the focus stays, and Enter is replayed', async ({ page, holdCode, menu }) => {
    const release = await holdCode();
    await page.goto('/changelog');
    await menu.account.focus();
    await page.keyboard.press('Enter');
    release();
    await menu.drafts.waitFor();
    expect(await menu.isFocused()).toBe(true);
  });

  test('a form that begins in its first field leaves the focus in the field in use', async ({
    page,
    holdCode,
  }) => {
    const release = await holdCode(/Reset[^?]*\.js$/);
    await page.goto('/reset#a.b');
    const [first, second] = ['新密码', '再输一次新密码'].map((label) =>
      page.getByLabel(label, { exact: true }),
    );
    await second?.pressSequentially('ab');
    release();
    await page.locator('astro-island:not([ssr]) form').waitFor();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.keyboard.type('cd');
    expect([await first?.inputValue(), await second?.inputValue()]).toEqual(['', 'abcd']);
  });

  test('a press in progress during hydration still clicks', async ({ page, holdCode, menu }) => {
    const release = await holdCode();
    await page.goto('/changelog');
    await menu.account.hover();
    await page.mouse.down();
    const arrived = page.waitForResponse(CODE);
    // Checks every frame, because the menu closes again when the pointer leaves.
    const opened = page.waitForFunction(() => {
      const button = document.querySelector('header button[aria-label^=账户][aria-expanded=true]');
      const panel = document.getElementById(button?.getAttribute('aria-controls') ?? '');
      return panel?.checkVisibility() === true && panel.textContent.includes('我的草稿');
    });
    release();
    await arrived;
    await page.mouse.up();
    await page.mouse.move(300, 600);
    await expect(opened).resolves.toBeTruthy();
  });

  test('a link is simply followed', async ({ page, holdCode, menu }) => {
    const release = await holdCode();
    await page.goto('/changelog');
    await menu.header.getByRole('link', { name: '评论' }).click();
    await page.waitForURL('/comment/list', { waitUntil: 'commit' });
    release();
    await page.waitForLoadState();
    expect(await page.title()).toContain('评论');
  });
});

describe('code that does not load', () => {
  test('after 120 s a message offers a retry, next to the existing content', async ({ page, menu }) => {
    // The clock stands still regardless of the machine's speed; the page's own script has run once the
    // document is loaded.
    const now = Date.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 1_000);
    await page.route(CODE, () => new Promise(() => undefined));
    const asked = page.waitForRequest(CODE);
    await page.goto('/changelog', { waitUntil: 'domcontentloaded' });
    await menu.account.focus();
    await asked;
    await page.clock.runFor(119_999);
    expect(await menu.retry.count()).toBe(0);
    await page.clock.runFor(1);
    await menu.retry.waitFor();
    await page.clock.resume();
    expect(await menu.header.getByRole('alert').innerText()).toContain('没有加载出来');
    expect(await menu.header.getByRole('link', { name: '写文章' }).isVisible()).toBe(true);
    await menu.retry.click();
    await menu.hydrated();
    expect(await menu.retry.count()).toBe(0);
    await menu.account.click();
    expect(await menu.drafts.isVisible()).toBe(true);
  });

  test('refused code does too', async ({ guest, page, menu }) => {
    guest.forgive(/ERR_FAILED|Failed to fetch dynamically imported module/);
    await page.route(CODE, (route) => route.abort());
    await page.route(CODE_AGAIN, (route) => route.abort());
    await page.goto('/changelog');
    await menu.retry.waitFor();
    await page.unroute(CODE_AGAIN);
    await menu.retry.click();
    await menu.hydrated();
    expect(await menu.retry.count()).toBe(0);
  });
});

test('a load failure is shown in the main column, also on pages filled by an island', async ({
  guest,
  page,
  menu,
}) => {
  guest.forgive(/ERR_FAILED|Failed to fetch dynamically imported module/);
  await page.route(/Editor[^/]*\.js/, (route) => route.abort());
  await page.goto('/write');
  const said = page.getByRole('main').getByRole('alert').filter({ hasText: '没有加载出来' });
  await said.waitFor();
  const text = await said.locator('span').boundingBox();
  const brand = await menu.header.getByRole('link').first().boundingBox();
  expect(text?.x).toBeGreaterThan(brand?.x ?? Infinity);
});

describe('a server-rendered form', () => {
  test.override('username', () => undefined);

  test('is sent with input and clicks from before hydration', async ({ author, page, holdCode }) => {
    const release = await holdCode(/SignIn[^?]*\.js$/);
    await page.goto('/signin', { waitUntil: 'commit' });
    await page.getByLabel('用户名', { exact: true }).fill(author.username);
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    const form = page.getByRole('form', { name: '登录' });
    await form.getByRole('button', { name: '登录', exact: true }).click();
    expect(new URL(page.url()).pathname).toBe('/signin');
    release();
    await page.waitForURL('/home');
  });

  test.for([
    ['/forgot', /Forgot[^?]*\.js$/, ['用户名或邮箱'], '发送链接', '如果这个账号存在'],
    ['/reset#a.b', /Reset[^?]*\.js$/, ['新密码', '再输一次新密码'], '设置新密码', '链接已经用过或者过期了'],
  ] as const)('%s, too', async ([path, code, labels, action, answer], { page, holdCode }) => {
    const release = await holdCode(code);
    await page.goto(path, { waitUntil: 'commit' });
    for (const label of labels) await page.getByLabel(label, { exact: true }).fill('correct horse 9');
    await page.getByRole('button', { name: action, exact: true }).click();
    release();
    await page.getByText(answer).waitFor();
  });

  test('does not interrupt a composition during hydration', async ({ author, page, holdCode }) => {
    const release = await holdCode(/SignIn[^?]*\.js$/);
    await page.goto('/signin', { waitUntil: 'commit' });
    const name = page.getByLabel('用户名', { exact: true });
    await name.focus();
    const pinyin = await openInputMethod(page);
    await pinyin.compose('lin jian');
    release();
    await page.locator('astro-island:not([ssr])').waitFor({ state: 'attached' });
    await pinyin.commit(author.username);
    expect(await name.inputValue()).toBe(author.username);
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    // Uses a click, because an Enter this soon after a composition would belong to the input method.
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.waitForURL('/home');
  });

  test('validates a field that was left before hydration', async ({ page, holdCode }) => {
    const release = await holdCode(/SignUp[^?]*\.js$/);
    await page.goto('/signup', { waitUntil: 'commit' });
    await page.getByLabel('用户名', { exact: true }).fill('<b>');
    await page.getByLabel('密码', { exact: true }).focus();
    release();
    await page.getByText(/^用户名(只能|不能|应为)/).waitFor();
    expect(await page.getByLabel('用户名', { exact: true }).inputValue()).toBe('<b>');
  });
});

test.for(['/home', '/signin', '/signup', '/write', '/user/list'])(
  '%s has no id that React made on the server: the browser would make another',
  async (path, { page }) => {
    const answer = await page.request.get(path);
    expect(answer.status()).toBe(200);
    expect(await answer.text()).not.toMatch(/_[rR]_/);
  },
);
