import { START_STEPS, type StartStep } from '../../../lib/contract/rules/start-steps.ts';
import type { ConsolePath } from '../../../lib/contract/rules/page-list.ts';
import { SITE_DEFAULTS } from '../../../lib/shared/site-settings.ts';
import { call } from '../../../lib/stores/api.ts';

const quiet = { quiet: true };

/** Steps after set-up, with whether the site's present state has them done and which were set aside. */
export async function askStart() {
  const [identity, options, notices, overview] = await Promise.all([
    call('siteIdentity', {}, quiet),
    call('siteOptions', {}, quiet),
    call('noticeOverview', {}, quiet),
    call('staffOverview', {}, quiet),
  ]);
  const isDone: Record<StartStep, boolean> = {
    title: identity.title !== SITE_DEFAULTS.title,
    description: identity.description !== SITE_DEFAULTS.description,
    logo: identity.logo !== null,
    beian: identity.beian !== '',
    signup: options.signup !== 'open' || options.humanCheck !== 'off',
    mail: notices.has_mail,
    backup: overview.backup.every !== null && !overview.backup.is_late,
  };
  const { start_skipped: skipped } = options;
  const steps = (Object.keys(START_STEPS) as StartStep[]).map((step) => ({
    step,
    text: START_STEPS[step],
    isDone: isDone[step],
    isSkipped: skipped.includes(step),
  }));
  return { steps, skipped, left: steps.filter((each) => !each.isDone && !each.isSkipped) };
}

export type StartState = Awaited<ReturnType<typeof askStart>>;

/** Page of the console where each step is done or seen, and what it is for. */
export const STEP_PLACES: Readonly<Record<StartStep, { href: ConsolePath; hint: string }>> = {
  title: { href: '/admin/options', hint: '读者在页头、标题和订阅里看到它。' },
  description: { href: '/admin/options', hint: '搜索引擎和分享的卡片上显示。' },
  logo: { href: '/admin/options', hint: '浏览器和手机上的图标也由它做成。' },
  beian: { href: '/admin/options', hint: '服务器在中国大陆的网站要在页脚写明。' },
  signup: { href: '/admin/signup', hint: '现在谁都可以注册，也不确认是不是机器人。' },
  mail: {
    href: '/admin/options/mail',
    hint: '找回密码、通知要用。填好邮件服务器，再发一封测试邮件。',
  },
  backup: { href: '/admin/options/backup', hint: '选好多久备份一次、存到哪里，磁盘坏了也不怕。' },
};
