import { describe, expect } from 'vitest';
import { cookieNames, overflowOf, test } from './sign-form.ts';

describe('signing up', () => {
  test(
    'creates an account and signs in, and asks for nothing else',
    { tags: ['long'] },
    async ({ site, guest, page, form }) => {
      await page.goto('/signup?redirect=%2Ftag%2Flist');
      expect(await page.title()).toBe('注册 - 墨页');
      expect(await page.getByRole('form', { name: '注册' }).getByRole('textbox').count()).toBe(3);
      expect(await page.getByRole('radio').count()).toBe(0);
      await form.fillIn(' 新来的人 ', 'four quiet words here');
      await form.field('确认密码').fill('four quiet words here');
      await form.button('注册').click();
      expect(await form.arrival()).toBe('/tag/list');
      const user = (await guest.context.cookies()).find(({ name }) => name === 'user');
      expect(decodeURIComponent(user?.value ?? '')).toBe('新来的人');
      expect(await site.app.services.users.detail('新来的人')).toMatchObject({ gender: 'x', bio: '' });
    },
  );

  test('a field is validated when left, not while first typed, and then while corrected', async ({
    page,
    form,
  }) => {
    await page.goto('/signup');
    await form.field('用户名').pressSequentially('a');
    expect(await form.text('用户名应为 2–20 个字符').count()).toBe(0);
    await form.field('密码').focus();
    await form.text('用户名应为 2–20 个字符').waitFor();
    expect(await form.field('用户名').getAttribute('aria-invalid')).toBe('true');
    await form.field('用户名').pressSequentially('b');
    await form.text('用户名应为 2–20 个字符').waitFor({ state: 'detached' });
    await form.field('用户名').fill('a b');
    await form.field('密码').focus();
    await form.text('用户名只能包含文字、数字、下划线和连字符').waitFor();
    // Tabbing through an empty field shows no error.
    await form.field('确认密码').focus();
    await form.field('用户名').focus();
    expect(await form.text('请填写密码').count()).toBe(0);
  });

  test.for([
    ['the schema', /_assets\/signup-calls\./],
    ['the form', /_assets\/SignUp\./],
  ] as const)(
    'a field being typed in is not validated, however late %s loads',
    async ([what, late], { page, form }) => {
      const loading = Promise.withResolvers<void>();
      await page.route(late, (route) => loading.promise.then(() => route.continue()));
      const asked = page.waitForRequest(late);
      await page.goto('/signup', { waitUntil: 'commit' });
      if (what === 'the schema') await form.hydrated();
      await form.fillIn('某人乙', 'four quiet words here');
      await form.field('确认密码').fill('four quiet words');
      await asked;
      loading.resolve();
      await form.hydrated();
      // No error while the user types; the error appears when the field loses the focus.
      await page.waitForLoadState('networkidle');
      expect(await form.text('两次填写的密码不一致').count()).toBe(0);
      await form.field('用户名').focus();
      await form.text('两次填写的密码不一致').waitFor();
    },
  );

  test(
    'different passwords are reported at either field',
    { tags: ['long'] },
    async ({ page, form, calls }) => {
      await page.goto('/signup');
      await form.fillIn('某人甲', 'four quiet words here');
      await form.field('确认密码').fill('four quiet words');
      await form.field('用户名').focus();
      await form.text('两次填写的密码不一致').waitFor();
      await form.field('密码').fill('four quiet words');
      await form.text('两次填写的密码不一致').waitFor({ state: 'detached' });
      expect(calls('/api/signup')).toBe(0);
    },
  );

  test('a refused name or password is marked at its field until corrected, and all input stays', async ({
    guest,
    page,
    form,
  }) => {
    await page.goto('/signup');
    await form.fillIn('ＩＮＫ', '12345678');
    await form.text(/^强度很弱：.*请换一个$/).waitFor();
    await form.field('确认密码').fill('12345678');
    await form.button('注册').click();
    await form.text('该用户名已被使用').waitFor();
    expect(await form.field('用户名').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('username');
    expect(await form.refusal()).toBe('');
    // Leaving the field unchanged changes nothing.
    await form.field('密码').focus();
    await form.field('确认密码').focus();
    expect(await form.text('该用户名已被使用').count()).toBe(1);
    await form.field('用户名').fill('换一个名字');
    await form.text('该用户名已被使用').waitFor({ state: 'detached' });
    await form.button('注册').click();
    await form.text('这个密码太容易被猜到，请换一个').waitFor();
    expect(await form.field('密码').getAttribute('aria-invalid')).toBe('true');
    expect(await form.field('确认密码').inputValue()).toBe('12345678');
    expect(await cookieNames(guest)).toEqual([]);
  });

  test('a password manager is offered a new password, twice', { tags: ['long'] }, async ({ page, form }) => {
    await page.goto('/signup');
    await form.field('用户名').waitFor();
    for (const [label, name] of [
      ['密码', 'password'],
      ['确认密码', 'repassword'],
    ] as const) {
      expect(
        await form.field(label).evaluate((input: HTMLInputElement) => [input.name, input.autocomplete]),
      ).toEqual([name, 'new-password']);
    }
  });

  test(
    'says how strong a password is, and takes a merely weak one',
    { tags: ['long'] },
    async ({ page, form }) => {
      await page.goto('/signup');
      await form.fillIn('随意的人', 'password1');
      await form.text(/^强度很弱：.*常见/).waitFor();
      await form.field('密码').fill('vexing 砚台 harbour 晚稻 7');
      await form.text(/^强度很强：/).waitFor();
      await form.field('密码').fill('随意的人1990');
      await form.text(/^强度(很|较)弱：/).waitFor();
      await form.field('确认密码').fill('随意的人1990');
      await form.button('注册').click();
      expect(await form.arrival()).toBe('/home');
    },
  );

  test('input from before hydration is validated too', async ({ page, form }) => {
    const code = Promise.withResolvers<void>();
    await page.route('**/SignUp*.js*', (route) => code.promise.then(() => route.continue()));
    await page.goto('/signup', { waitUntil: 'commit' });
    await form.fillIn('早来的人', 'password1');
    code.resolve();
    await form.text(/^强度很弱：.*常见/).waitFor();
  });

  test.for([
    ['of emoji', '😀😀'],
    ['with a space nobody sees', 'a\u200bb'],
    ['of markup', '<b>x</b>'],
    ['of 10,000 characters', 'x'.repeat(10_000)],
  ] as const)('refuses a name %s with a sentence', async ([_what, name], { page, form }) => {
    await page.goto('/signup');
    await form.fillIn(name, 'four quiet words here');
    await form.field('确认密码').focus();
    await page.getByText(/^用户名(只能|不能|应为)/).waitFor();
    expect(await overflowOf(page)).toBe(0);
  });
});
