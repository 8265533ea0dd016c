import { useState } from 'react';
import { call } from '../../../lib/stores/api.ts';
import { Answered } from '../../ui/form/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import type { SiteOptionChanges, SiteOptions } from '../../../lib/contract/site-options.ts';
import { CHANGE_POLICY_NAMES, HOLD_POLICY_NAMES } from '../../../lib/contract/rules/site-rules.ts';
import { explain } from '../../../lib/client/call-error.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { Problem } from '../../ui/form/Problem.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { CheckField } from '../CheckField.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { SiteForm } from './SiteForm.tsx';
import { SiteLogo } from './SiteLogo.tsx';
import { Origins } from './Origins.tsx';

const ask = () => call('siteIdentity', {}, { quiet: true });

const SiteSection = () => (
  <Section title="网站信息" className="mb-16 max-w-100">
    <p className="mb-4 text-sm text-soft">
      保存后所有页面马上更新。配置文件和环境变量里写了的以那里为准，这里不能改。
    </p>
    <Answered ask={ask}>
      {(identity, reload) => (
        <>
          <SiteForm identity={identity} onSaved={reload} />
          <SiteLogo identity={identity} onSaved={reload} />
        </>
      )}
    </Answered>
  </Section>
);

export default consoleAnswer(
  () => call('siteOptions', {}, { quiet: true }),
  (options, reload) => (
    <>
      <Options options={options} reload={reload} />
      <Origins days={options.keepOrigins} onChange={(keepOrigins) => void keep(keepOrigins, reload)} />
      <SiteSection />
    </>
  ),
);

async function keep(keepOrigins: number, reload: () => void): Promise<void> {
  const done = await call('siteOptionsChange', { keepOrigins }).catch(() => null);
  if (done) showNotice('已保存，马上生效');
  reload();
}

function Options({ options, reload }: { options: SiteOptions; reload(): void }) {
  const [, once] = useOnce();
  const [problem, setProblem] = useState('');
  const change = async (changes: SiteOptionChanges) => {
    setProblem('');
    try {
      await call('siteOptionsChange', changes, { quiet: true });
      showNotice('已保存，马上生效');
    } catch (error) {
      setProblem(explain(error, '没能保存，请再试一次'));
    }
    reload();
  };
  const save = (changes: SiteOptionChanges) => void once(() => change(changes));
  return (
    <div className="mt-4 grid gap-y-5 max-w-100">
      <CheckField
        isOn={options.reports}
        onChange={(reports) => save({ reports })}
        hint="文章和个人主页上的「举报」。关闭后，已经收到的仍在这里处理。"
      >
        接受读者举报
      </CheckField>
      <Choice
        label="评论怎样审核"
        value={options.holdComments}
        options={HOLD_POLICY_NAMES}
        onChange={(holdComments) => save({ holdComments })}
      />
      <Choice
        label="文章怎样审核"
        value={options.holdArticles}
        options={HOLD_POLICY_NAMES}
        onChange={(holdArticles) => save({ holdArticles })}
      />
      <Choice
        label="先审后发的内容，通过后再改"
        value={options.holdChanges}
        options={CHANGE_POLICY_NAMES}
        onChange={(holdChanges) => save({ holdChanges })}
      />
      <Choice
        label="通过几条后不再是新作者"
        value={String(options.approvedFirst)}
        // Integer keys are in ascending order.
        options={Object.fromEntries([1, 2, 3, 5, 10, 20, options.approvedFirst].map((n) => [n, `${n} 条`]))}
        onChange={(count) => save({ approvedFirst: Number(count) })}
      />
      <CheckField
        isOn={options.secondFactorForStaff}
        onChange={(secondFactorForStaff) => save({ secondFactorForStaff })}
        hint="没有开启的站务和站长，开启之前不能使用管理功能。请先为自己开启。"
      >
        站务和站长必须开启两步验证
      </CheckField>
      <CheckField
        isOn={options.mcp}
        onChange={(mcp) => save({ mcp })}
        hint="作者用访问令牌把支持 MCP 的助手连到本站，让它搜索和读文章、写草稿、回复评论。连接地址是本站网址后加 /mcp。"
      >
        允许智能助手连接
      </CheckField>
      <Problem text={problem} action="知道了" onRetry={() => setProblem('')} />
    </div>
  );
}
