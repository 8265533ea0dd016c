import { launchBrowser } from './browser.ts';
import { openSite } from './site.ts';
import { openVisit } from './visit.ts';
const site = await openSite();
const { viewer } = await site.join('林间');
const { viewer: other } = await site.join('月色真美');
const text = '线程池的核心参数有七个：核心线程数、最大线程数、存活时间、单位、任务队列、线程工厂和拒绝策略。怎么设置要看任务是计算密集还是等待密集。';
await site.write(viewer, { title: 'Java 线程池详解', tags: ['Java', '并发'], content: `开头的一段。\n\n## 参数怎么设置\n\n${text.repeat(4)}` });
await site.write(other, { title: '线程池最佳实践', tags: ['并发'], content: `先说结论。\n\n${text.repeat(3)}` });
await site.write(other, { title: '一个很长很长的标题：从线程到线程池再到虚拟线程，谈谈这些年 Java 并发编程的演进与取舍', tags: ['Java', '虚拟线程'], content: text });
await site.write(viewer, { title: '杂谈', tags: ['生活'], content: '今天天气不错。线程池参数怎么设置？不知道。' });
const browser = await launchBrowser();
const { page } = await openVisit(browser, site, {});
for (const theme of ['light', 'dark'])
  for (const [name, size] of [['phone', { width: 390, height: 844 }], ['desktop', { width: 1440, height: 900 }]] as const) {
    await page.setViewportSize(size);
    await page.goto('/home');
    await page.evaluate((t) => localStorage.setItem('theme', t), theme);
    for (const [file, path] of [['result', '/home/线程池参数怎么设置'], ['narrowed', '/home/线程池?author=月色真美&sort=time'], ['author', '/home/月色真美'], ['empty', '/home/县程池']]) {
      await page.goto(path!);
      await page.screenshot({ path: `/tmp/shot-${theme}-${name}-${file}.png` });
    }
    await page.goto('/changelog');
    if (name === 'phone') await page.getByRole('button', { name: '菜单' }).click();
    const field = page.getByLabel('搜索标题或内容').locator('visible=true');
    await field.focus();
    await field.pressSequentially('线程');
    await page.waitForTimeout(1500);
    await page.keyboard.press('ArrowDown');
    await page.screenshot({ path: `/tmp/shot-${theme}-${name}-suggest.png` });
  }
await browser.close();
await site.close();
